package main

import (
	"context"
	"crypto/sha256"
	"hash"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/cmd/internal/whole"
	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/progress"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// run is the pipeline: workers make samples of the lines of a block, the sink
// writes them in order and keeps account.
func run(ctx context.Context, s *cmdline.Session) error {
	if s.Bool("list-families") {
		return listFamilies(s.Out)
	}
	c, err := configOf(s)
	if err != nil {
		return err
	}
	c.known = whole.Provenance(s)
	out, err := s.Output()
	if err != nil {
		return err
	}
	k := &keeper{Session: s, config: c, out: out, digest: sha256.New()}
	k.meter = s.Meter("records", false, k.counts())
	hasher := record.NewHasher()
	work := func() func(*jsonl.Block) { return newWorker(c, hasher).block }
	err = jsonl.Map(ctx, whole.Sources(s, c.from), s.Options(), work, k.sink)
	if k.lost == nil {
		k.finish()
	}
	return err
}

// keeper writes what workers made and keeps account of it.
type keeper struct {
	*cmdline.Session
	config *config
	out    *cmdline.Output
	ledger extractor.Ledger
	tally  tally
	meter  *cmdline.Meter
	digest hash.Hash // of what was written, with --prove
	lost   error     // a write failed: the sums would be of what nobody got
}

func (k *keeper) sink(b *jsonl.Block) error {
	batch := b.Value.(*batch)
	if len(b.Out) > 0 {
		if _, k.lost = k.out.Write(b.Out); k.lost != nil {
			return k.lost
		}
	}
	if k.config.prove {
		k.digest.Write(b.Out)
	}
	k.account(batch)
	k.meter.Update(k.counts(), time.Now())
	if b.Idle {
		return k.out.Idle()
	}
	return nil
}

func (k *keeper) counts() progress.Counts {
	return progress.Counts{Total: -1, Done: k.tally.samples(), Retried: k.tally.retried, Bad: k.BadCount(), Tokens: -1}
}

// account takes over what a batch found.
func (k *keeper) account(b *batch) {
	k.Records(b.tally.lines - b.tally.retried - b.tally.probes)
	k.tally.add(&b.tally)
	for _, h := range b.successes {
		k.ledger.Success(h)
	}
	for _, f := range b.failures {
		k.ledger.Fail(f)
	}
	for i := range b.told {
		t := &b.told[i]
		if t.bad {
			k.Bad(t.Pos, t.id, t.cause, t.raw)
			continue
		}
		k.Reject(t.Pos, t.id, t.cause, t.raw)
		if k.Verbose() {
			k.Tell("warning", t.Pos, t.id, t.cause)
		}
	}
}

// finish tells the failures that nothing made up for, and the sums.
func (k *keeper) finish() {
	failures, forgiven := k.ledger.Settle()
	for _, f := range failures {
		k.Bad(f.Pos, f.ID, f.Cause, f.Raw)
	}
	k.tally.failed, k.tally.forgiven = len(failures), forgiven
	k.meter.Finish(k.counts(), time.Now())
	k.Note("%s", k.tally.String())
	if k.tally.lines == 0 {
		k.Warn("no lines in the input")
	}
	if k.tally.unknown > 0 {
		k.Hint("known shapes: %s; --text-field PATH reads a text that stands elsewhere in a line", response.Shapes())
	}
	if k.config.compare != "" {
		k.Note("%s", k.tally.comparison(k.config))
	}
	if k.config.prove {
		k.Note("%s", k.tally.proven(k.digest.Sum(nil)))
	}
	if k.tally.sealed > 0 {
		k.Hint("response.sha256 of %s stays that of what the server sent, so that --prove tells them from the archive", records(k.tally.sealed))
	}
	if len(k.tally.epochs) > 1 {
		k.Warn("samples of several server epochs: %v", k.tally.epochs)
		k.Hint("FILE.run.json says how the servers differ; samples do not tell whose they are, validate on the archive does (mixed-epochs)")
	}
	if k.tally.allMissing() {
		k.Warn("no thinking was found in %s", records(k.tally.samples()))
		k.Hint("%s", k.config.advice())
	}
}
