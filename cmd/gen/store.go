package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// openStores opens where exchanges go and fills the ledger with what is there:
// the archive, and standard output beside it (--tee) or instead of it. Either may
// be nil.
func (l *loop) openStores(ctx context.Context) (archive, stream store, err error) {
	resume := &resumer{s: l.s, ledger: l.ledger, chronicle: l.chronicle, ctx: ctx}
	if l.past, err = newPast(l.cfg); err != nil {
		return nil, nil, err
	}
	resume.past = l.past
	skip, err := l.s.Apart(l.cfg.skipDone)
	if err != nil {
		return nil, nil, err
	}
	for _, path := range skip {
		if err := resume.skipDone(path); err != nil {
			return nil, nil, err
		}
	}
	if l.cfg.archive == "" || l.cfg.tee {
		out, err := l.s.Stdout()
		if err != nil {
			return nil, nil, err
		}
		stream = &standardOutput{out}
	}
	if l.cfg.archive == "" {
		return nil, stream, nil
	}
	archives, err := openArchives(l.cfg, resume)
	if err != nil {
		return nil, nil, err
	}
	return archives, stream, nil
}

// resumer reads what earlier runs left.
type resumer struct {
	s         *cmdline.Session
	ledger    *ledger
	ctx       context.Context // ends the reading
	doc       jsonscan.Doc
	parser    response.Parser
	doneOnly  bool
	chronicle *chronicle
	past      *past // nil when nothing is gone on with
}

// open opens an archive for appending and visits the lines that it has.
func (r *resumer) open(path string, visit func(jsonl.Line) error) (*jsonl.Appender, error) {
	if err := r.recognise(path, []string{path}); err != nil {
		return nil, err
	}
	options := jsonl.AppendOptions{Options: r.s.ArchiveOptions(), Whole: jsonscan.Valid, Visit: visit}
	archive, torn, err := jsonl.OpenAppend(path, options)
	if err != nil {
		return nil, openFailure(path, err)
	}
	if torn != nil {
		r.s.Warn("%s ended in the middle of a line: %d bytes were moved to %s", cmdline.Quote(path), torn.Bytes, cmdline.Quote(torn.File))
	}
	return archive, nil
}

// readAll reads archives that other runs wrote.
func (r *resumer) readAll(paths []string) error {
	for _, path := range paths {
		if err := r.read(path); err != nil {
			return err
		}
	}
	return nil
}

// read reads an archive that another run wrote, or writes still: what is damaged
// at its end is told and left to it. What cannot be read is an error.
func (r *resumer) read(path string) error {
	err := r.readLines(path, r.visit)
	var damage *jsonl.DamageError
	var unread *fs.PathError
	if errors.As(err, &damage) && !errors.As(err, &unread) {
		r.s.Warn("%v", err)
		return nil
	}
	return err
}

// readLines calls visit for every line of a file.
func (r *resumer) readLines(path string, visit func(jsonl.Line) error) error {
	source := r.s.Source(path)
	in, err := source.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	lines := jsonl.NewReader(in, source.Name, r.s.ArchiveOptions())
	defer lines.Close()
	return eachLine(lines, visit)
}

// openFailure adds advice to the error of an archive that cannot be opened.
func openFailure(path string, err error) error {
	var locked *jsonl.LockedError
	if errors.As(err, &locked) {
		return cmdline.WithHint(err, "one run at a time writes an archive; wait for the other one or stop it")
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	if errors.Is(err, syscall.EMFILE) { // each archive is open, and so is its lock
		err = fmt.Errorf("%w: raise the limit (ulimit -n)", err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// visit takes note of a line. One that is no exchange is told and left as it is.
func (r *resumer) visit(line jsonl.Line) error {
	err := r.doc.Scan(line.Data)
	if err == nil {
		var record *response.Record
		if record, err = r.parser.Parse(r.doc.Root()); err == nil && (record.Failure == nil || !r.doneOnly) {
			hash := r.ledger.archived(record, !r.doneOnly)
			if err := r.past.keep(hash, r.doc.Root(), record); err != nil {
				return err
			}
		}
	}
	if err != nil {
		r.s.Warn("%s: %v; the line stays as it is", line.Pos, err)
	}
	return r.ctx.Err()
}

// skipDone notes the successes of an archive of another run, or of those in a folder.
func (r *resumer) skipDone(path string) error {
	r.doneOnly = true
	defer func() { r.doneOnly = false }()
	paths, err := archivesOf(path)
	if err == nil {
		err = r.recognise(path, paths)
	}
	if err != nil {
		return err
	}
	return r.readAll(paths)
}

// recognise refuses what has records, and none of an archive's: prompts, say. Appended
// to it would be spoiled, and as what is done it would count for nothing. What
// cannot be read is left to whoever reads it.
func (r *resumer) recognise(name string, files []string) error {
	lines, known := 0, errors.New("an archive")
	for _, path := range files {
		if err := r.readLines(path, func(line jsonl.Line) error {
			if r.doc.Scan(line.Data) != nil { // cut, at the end of what was killed
				return r.ctx.Err()
			}
			lines++
			if _, err := r.parser.Parse(r.doc.Root()); err == nil {
				return known
			}
			return r.ctx.Err()
		}); err != nil {
			return nil
		}
	}
	if lines == 0 {
		return nil
	}
	return cmdline.Usagef("%s is no archive: none of its records is an exchange or an answer", cmdline.Quote(name))
}

// standardOutput is a store whose lines are kept when they were handed on.
type standardOutput struct{ out *cmdline.Output }

func (s *standardOutput) Append(_ string, line []byte) error {
	_, err := s.out.Write(append(line[:len(line):len(line)], '\n')) // the archive has the same line
	return err
}
func (s *standardOutput) Sync() error  { return s.out.Flush() }
func (s *standardOutput) Close() error { return s.out.Flush() } // the session closes it
