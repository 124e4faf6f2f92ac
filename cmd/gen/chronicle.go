package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/provenance"
)

// chronicle keeps FILE.run.json beside every archive that a run writes to. The
// run's loop owns it.
type chronicle struct {
	run    provenance.Run
	epochs *epochs
	found  map[string]*provenance.Archive // what earlier runs left, by archive
	writes map[string]bool                // archives of this run
}

func newChronicle(run provenance.Run) *chronicle {
	return &chronicle{run: run, epochs: newEpochs(), found: map[string]*provenance.Archive{}, writes: map[string]bool{}}
}

// inherit reads what earlier runs left beside an archive.
func (c *chronicle) inherit(archive string) error {
	a, err := provenance.Read(archive)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	c.found[archive] = a
	c.epochs.inherit(a)
	return nil
}

// keep keeps the exchanges of a probe in FILE.probe, a name that no pattern for
// archives matches, so that nobody takes them for answers to prompts.
func (c *chronicle) keep(archive string, attempts []result) error {
	err := os.MkdirAll(jsonl.Folder(archive), 0o777)
	if err != nil {
		return err
	}
	file, _, err := jsonl.OpenAppend(archive+provenance.ProbeSuffix, jsonl.AppendOptions{Whole: jsonscan.Valid})
	if err != nil {
		return err
	}
	for i := range attempts {
		err = errors.Join(err, file.Append(attempts[i].exchange.AppendJSON(nil)))
	}
	err = errors.Join(err, file.Close())
	if c.writes[archive] {
		return errors.Join(err, c.write(archive))
	}
	return errors.Join(err, c.begin(archive))
}

// begin writes beside an archive before the first exchange goes there.
func (c *chronicle) begin(archive string) error {
	if archive == "" || c.writes[archive] {
		return nil
	}
	c.writes[archive] = true
	if err := os.MkdirAll(jsonl.Folder(archive), 0o777); err != nil {
		return err
	}
	return c.write(archive)
}

// update writes beside all archives of the run.
func (c *chronicle) update() (err error) {
	for _, archive := range slices.Sorted(maps.Keys(c.writes)) {
		err = errors.Join(err, c.write(archive))
	}
	return err
}

func (c *chronicle) write(archive string) error {
	var all provenance.Archive
	if before := c.found[archive]; before != nil {
		all = provenance.Archive{Epochs: slices.Clone(before.Epochs), Runs: slices.Clone(before.Runs)}
	}
	for _, epoch := range c.epochs.ofRun() {
		if had := all.Epoch(epoch.Number); had != nil {
			*had = epoch
			continue
		}
		all.Epochs = append(all.Epochs, epoch)
	}
	all.Runs = append(all.Runs, c.run)
	return all.Write(archive)
}

// thisRun is what is known of a run when it begins.
func (l *loop) thisRun() provenance.Run {
	run := provenance.Run{Run: l.id, Started: time.Now(), Command: l.commandLine()}
	run.Sampling = json.RawMessage(l.redact(string(l.cfg.sampling())))
	run.Version, run.Commit, run.Go = cmdline.Version()
	return run
}

// commandLine is the command as it was given, without the secrets of its servers.
func (l *loop) commandLine() []string {
	words := slices.Clone(l.s.Streams.Args)
	for i := range words {
		words[i] = l.redact(words[i])
	}
	return words
}

// redact is a text without the secrets of the servers.
func (l *loop) redact(text string) string {
	for _, o := range l.servers.all() {
		text = o.Redact(strings.ReplaceAll(text, o.url, o.Name()))
	}
	return text
}

// sampling is the object of the fields that flags set in all requests, and of those
// of each lane under "LANE.".
func (c *config) sampling() json.RawMessage {
	fields := map[string]json.RawMessage{}
	for _, f := range c.builder.Fields {
		fields[f.Key] = f.Value
	}
	if c.builder.Seed != nil {
		fields["seed"] = strconv.AppendInt(nil, *c.builder.Seed, 10)
	}
	for _, lane := range c.lanes {
		for _, f := range lane.fields {
			fields[lane.name+"."+f.Key] = f.Value
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return nil // not JSON: the server will say so
	}
	return text
}

// chronicled begins the chronicle of an archive.
func (l *loop) chronicled(archive string) {
	if l.archive != nil {
		l.tellChronicle(l.chronicle.begin(archive))
	}
}

// concludeChronicle says how the run ended.
func (l *loop) concludeChronicle(err error) {
	now, code := time.Now().UTC().Truncate(time.Second), cmdline.ExitCode(err)
	l.chronicle.run.Finished, l.chronicle.run.Exit = &now, &code
	t := &l.tally
	l.chronicle.run.Account = fmt.Appendf(nil, `{"in":%d,"done":%d,"failed":%d,"dead":%d,"bad":%d,"pending":%d,"done_before":%d}`,
		t.in, t.done, t.failed, t.dead, t.bad, t.pending(), t.before)
	l.tellChronicle(l.chronicle.update())
}

// tellChronicle tells once that it cannot be written: no reason to lose answers.
func (l *loop) tellChronicle(err error) {
	if err != nil && !l.mute {
		l.mute = true
		l.s.Warn("what made the archive cannot be kept beside it: %v", err)
	}
}
