package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/provenance"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// archives are the files of a run: one, a new one in a folder of many, or one for
// each value of a template's fields.
type archives struct {
	resume *resumer
	files  map[string]*jsonl.Appender
}

// archiveOf is the file that a prompt's exchanges go to.
func (c *config) archiveOf(line jsonscan.Value) (string, error) {
	if c.template == nil {
		return c.archive, nil
	}
	path, err := c.template.AppendGroup(nil, line, 1)
	if err == nil && isBeside(string(path)) { // no later run would find it
		err = fmt.Errorf("%.80q is the name of what stands beside an archive", path)
	}
	return string(path), err
}

// openArchives opens what is there for appending and reads it into the ledger.
func openArchives(c *config, r *resumer) (*archives, error) {
	a := &archives{resume: r, files: map[string]*jsonl.Appender{}}
	found, err := c.found()
	if err != nil {
		return nil, err
	}
	if len(found) > 0 && !c.resume {
		return nil, cmdline.WithHint(cmdline.Usagef("%s exists", cmdline.Quote(found[0])), "without --no-resume the run goes on with it")
	}
	for _, path := range found {
		if err := r.chronicle.inherit(path); err != nil {
			r.s.Warn("%v; the file is begun anew", err)
		}
	}
	switch {
	case c.folder:
		return a, r.readAll(found)
	case c.template == nil:
		found = []string{c.archive}
	}
	for _, path := range found {
		if c.template != nil && r.recognise(path, []string{path}) != nil { // it is nobody's output yet
			r.s.Warn("%s is no archive and is passed over", cmdline.Quote(path))
			continue
		}
		if _, err := a.open(path, r.visit); err != nil {
			return nil, errors.Join(err, a.Close())
		}
	}
	return a, nil
}

// found are the archives that earlier runs left, in order.
func (c *config) found() ([]string, error) {
	switch {
	case c.template != nil:
		return filesOf(c.template)
	case c.folder:
		found, err := provenance.In(c.archive[:strings.LastIndexByte(c.archive, '/')+1], provenance.Pattern)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return found, err
	}
	info, err := os.Stat(c.archive)
	if err != nil || info.Size() == 0 {
		return nil, nil
	}
	return []string{c.archive}, nil
}

// filesOf are the files that a template may have made.
func filesOf(t *shard.Template) ([]string, error) {
	found, err := t.Files("")
	return slices.DeleteFunc(found, isBeside), err
}

// checkBeside refuses outputs of the names that stand beside the archive.
func (c *config) checkBeside(s *cmdline.Session) error {
	for _, out := range s.PathFlags("status", "stamp", "pid-file", "rejects") {
		if file := provenance.Beside(filepath.Clean(out.Path)); c.archive != "" && file == filepath.Clean(c.archive) {
			return cmdline.Usagef("%s: %s stands beside the archive %s already", out.Name, cmdline.Quote(out.Path), cmdline.Quote(c.archive))
		}
	}
	return nil
}

func isBeside(path string) bool { return provenance.Beside(path) != "" }

// newIn is the name of an archive that no other attempt of a job has.
func newIn(folder string) string {
	host, err := os.Hostname()
	if err != nil {
		host = "host"
	}
	now := time.Now().UTC().Format("20060102T150405Z")
	return strings.TrimRight(folder, "/") + fmt.Sprintf("/raw.%s-%s-%d-%s.jsonl.zst", now, filepath.Base(host), os.Getpid(), newID("")[:8])
}

func (a *archives) open(path string, visit func(jsonl.Line) error) (*jsonl.Appender, error) {
	if err := os.MkdirAll(jsonl.Folder(path), 0o777); err != nil {
		return nil, err
	}
	file, err := a.resume.open(path, visit)
	if err == nil {
		a.files[path] = file
	}
	return file, err
}

func (a *archives) Append(archive string, line []byte) (err error) {
	file := a.files[archive]
	if file == nil {
		if file, err = a.open(archive, nil); err != nil {
			return err
		}
	}
	return file.Append(line)
}

func (a *archives) Sync() error  { return a.each((*jsonl.Appender).Sync) }
func (a *archives) Close() error { return a.each((*jsonl.Appender).Close) }

func (a *archives) each(do func(*jsonl.Appender) error) error {
	var errs []error
	for _, file := range a.files {
		errs = append(errs, do(file))
	}
	return errors.Join(errs...)
}

// parseArchive tells a file from a folder and from a template.
func (c *config) parseArchive(*cmdline.Session) error {
	if c.archive == "-" {
		c.archive = ""
	}
	info, err := os.Stat(c.archive)
	if strings.HasSuffix(c.archive, "/") || err == nil && info.IsDir() {
		c.folder = true
		c.archive = newIn(c.archive)
		return nil
	}
	t, err := shard.ParseTemplate(c.archive)
	if err != nil {
		return cmdline.Usagef("--output: %w", err)
	}
	if t.HasShard() || t.HasShards() {
		return cmdline.Usagef("--output: gen has no shards; {NAME} stands for a field of the prompt")
	}
	if t.HasFields() {
		c.template = t
	}
	return nil
}
