package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/provenance"
	"github.com/thinkpipe/thinkpipe/pkg/response"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// archives are the files that words of --exclude name: a file, a pattern of files,
// or a folder of archives.
func archives(s *cmdline.Session, words []string) ([]string, error) {
	var files []string
	for _, word := range words {
		info, err := os.Stat(word)
		switch {
		case word == "-":
			return nil, cmdline.Usagef("--exclude: standard input is for prompts")
		case err == nil && info.IsDir():
			found, err := provenance.Archives(word)
			if err != nil {
				return nil, fmt.Errorf("--exclude: %w", err)
			}
			if len(found) == 0 {
				s.Warn("--exclude: there is no archive in %s, which answers nothing", cmdline.Quote(word))
			}
			files = append(files, found...)
		case errors.Is(err, fs.ErrNotExist) && strings.ContainsAny(word, "*?["):
			found, err := filepath.Glob(word)
			if err != nil || len(found) == 0 {
				return nil, fmt.Errorf("--exclude: no file matches %s", cmdline.Quote(word))
			}
			files = append(files, found...)
		default:
			files = append(files, word)
		}
	}
	return s.Apart(files)
}

// readAnswered is the set of ids that have a success in the archives of --exclude.
func readAnswered(ctx context.Context, s *cmdline.Session, p *plan) (*shard.Set, error) {
	set := shard.NewSet(p.memory, p.tmpDir)
	for _, path := range p.exclude {
		a := archive{s: s, set: set, path: path}
		if err := a.read(ctx); err != nil {
			set.Close()
			return nil, err
		}
	}
	if err := set.Seal(); err != nil {
		set.Close()
		return nil, withTmpHint(err)
	}
	return set, nil
}

func withTmpHint(err error) error {
	return cmdline.WithHint(err, "--tmp-dir DIR, or TMPDIR, names a place with more room")
}

// archive is one that is read for the ids it answers.
type archive struct {
	s       *cmdline.Session
	set     *shard.Set
	path    string
	lines   int64
	unknown int64 // lines that are no answers
	unnamed int64 // answers without an id
}

// answers are what a worker finds in a block of an archive.
type answers struct {
	ids     []shard.Digest
	unknown []bad
	unnamed int64
	lines   int64
}

// read adds the ids of an archive. A cut end is told and no more: a run that was
// killed leaves one, and what is not known to be answered is asked again.
func (a *archive) read(ctx context.Context) error {
	newWorker := func() func(*jsonl.Block) {
		w := &answerReader{}
		return w.read
	}
	err := jsonl.Map(ctx, []jsonl.Source{a.s.Source(a.path)}, a.s.ArchiveOptions(), newWorker, a.add)
	var damage *jsonl.DamageError
	if errors.As(err, &damage) && errors.Is(err, io.ErrUnexpectedEOF) {
		a.s.Warn("%v; what it lacks counts as not answered", err)
		err = nil
	}
	switch {
	case err != nil:
		return err
	case a.lines > 0 && a.unknown == a.lines:
		return cmdline.WithHint(cmdline.Usagef("--exclude: %s is no archive: none of its %d lines is an answer", cmdline.Quote(a.path), a.lines),
			"it takes what gen writes and extract reads")
	case a.unknown > toldUnknown:
		a.s.Warn("%s: %d lines are no answers", cmdline.Clean(a.path, 200), a.unknown)
	}
	if a.unnamed > 0 {
		a.s.Warn("%s: %s without id, which leaves out no prompt", cmdline.Clean(a.path, 200), count(a.unnamed, "answer"))
	}
	return nil
}

// toldUnknown is how many lines of an archive that are no answers are told one by one.
const toldUnknown = 10

func (a *archive) add(b *jsonl.Block) error {
	found := b.Value.(*answers)
	a.lines += found.lines
	a.unnamed += found.unnamed
	for _, line := range found.unknown {
		if a.unknown++; a.unknown <= toldUnknown {
			a.s.Tell("warning", line.line.Pos, line.id, line.err.Error()+"; it answers nothing")
		}
	}
	for _, id := range found.ids {
		if err := a.set.Add(id); err != nil {
			return withTmpHint(err)
		}
	}
	return nil
}

// answerReader finds the successes of blocks, one after the other.
type answerReader struct {
	doc    jsonscan.Doc
	parser response.Parser
	key    []byte
}

func (w *answerReader) read(b *jsonl.Block) {
	found, ok := b.Value.(*answers)
	if !ok {
		found = &answers{}
		b.Value = found
	}
	*found = answers{ids: found.ids[:0], unknown: found.unknown[:0]}
	for line := range b.Lines() {
		found.lines++
		r, err := w.parse(line)
		switch {
		case err != nil && r == nil:
			found.unknown = append(found.unknown, bad{line: line, err: err})
		case err != nil:
			found.unknown = append(found.unknown, bad{line: line, id: r.ID.String(), err: err})
		case r.Failure != nil || r.Retried: // a part of an answer is none
		case r.ID.IsZero():
			found.unnamed++
		default:
			var id shard.Digest
			id, w.key = shard.DigestOfID(r.ID, w.key)
			found.ids = append(found.ids, id)
		}
	}
}

func (w *answerReader) parse(line jsonl.Line) (*response.Record, error) {
	if err := w.doc.Scan(line.Data); err != nil {
		return nil, err
	}
	return w.parser.Parse(w.doc.Root())
}

// isArchived reports whether a line is an answer of an archive, in Batch form.
func isArchived(line jsonscan.Value) bool {
	return line.Get("custom_id").Exists() && line.Get("response", "status_code").Exists()
}

var errArchive = errors.New("an archived answer, not a prompt")

// refuseArchive ends a run whose shell made inputs of the other files of a pattern.
func refuseArchive(pos jsonl.Pos) error {
	return cmdline.WithHint(cmdline.Usagef("%s is %w", pos, errArchive), "--exclude takes one FILE; quote a pattern, or repeat the flag")
}
