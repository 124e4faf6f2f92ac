package cmdline

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// Output opens where lines go: -o FILE, or standard output for "-" or none. A
// file appears under its name when the command ends with exit code 0 only.
func (s *Session) Output() (*Output, error) {
	path := s.String("output")
	if s.IsSet("output") && path == "" {
		return nil, Usagef("--output: the name is empty")
	}
	if path == "-" {
		path = ""
	}
	o, err := s.writerOptions(path)
	if err != nil {
		return nil, err
	}
	if path != "" {
		return s.create(path, o)
	}
	return s.stdout(o)
}

// Stdout is standard output, for a command whose -o FILE is another thing.
func (s *Session) Stdout() (*Output, error) {
	return s.stdout(jsonl.WriterOptions{})
}

func (s *Session) stdout(o jsonl.WriterOptions) (*Output, error) {
	if o.Format != jsonl.Plain && isTerminal(s.Out) {
		return nil, Usagef("compressed output does not belong on a terminal")
	}
	return s.add(&Output{Writer: jsonl.NewWriter(s.Out, o), name: "<stdout>"}), nil
}

// Create begins another output file, compressed by name. It appears on exit
// code 0 only.
func (s *Session) Create(path string) (*Output, error) {
	return s.create(path, s.named(path))
}

// CreateReport begins a file that tells about the run. It appears when the run
// came to its end, on exit codes 0 and 1.
func (s *Session) CreateReport(path string) (*Output, error) {
	o, err := s.Create(path)
	if err == nil {
		o.evenBad = true
	}
	return o, err
}

// CreateStamp begins a file that says that all is well. It appears on exit code
// 0 only, and nothing is left of it otherwise.
func (s *Session) CreateStamp(path string) (*Output, error) {
	o, err := s.Create(path)
	if err == nil {
		o.stamp = true
	}
	return o, err
}

func (s *Session) create(path string, o jsonl.WriterOptions) (*Output, error) {
	file, err := jsonl.Create(path, o)
	if err != nil {
		return nil, FileError(path, err)
	}
	return s.add(&Output{Writer: file.Writer, name: path, file: file}), nil
}

func (s *Session) add(o *Output) *Output {
	s.outputs = append(s.outputs, o)
	return o
}

func (s *Session) named(path string) jsonl.WriterOptions {
	return jsonl.WriterOptions{Format: jsonl.FormatOf(path), Workers: s.Int("jobs")}
}

// writerOptions are those of the shared flags for the main output.
func (s *Session) writerOptions(path string) (jsonl.WriterOptions, error) {
	o := s.named(path)
	if s.Bool("zstd") {
		if o.Format == jsonl.Gzip {
			return o, Usagef("--zstd does not fit the name %s", Quote(path))
		}
		o.Format = jsonl.Zstd
	}
	if !s.IsSet("zstd-level") {
		return o, nil
	}
	level := s.Int("zstd-level")
	if level < 1 || level > 22 {
		return o, Usagef("--zstd-level: %d is not within 1 to 22", level)
	}
	if o.Format != jsonl.Zstd {
		return o, WithHint(Usagef("--zstd-level without zstd output"), "add --zstd, or a name that ends in .zst")
	}
	o.Level = level
	return o, nil
}

// finish closes every output, tells what went wrong and returns the exit code.
// No file appears, nothing claims success, before the last Close succeeded.
func (s *Session) finish(err error) int {
	err = s.verdict(err)
	for _, o := range s.outputs {
		err = o.join(err, o.close())
	}
	if s.members != nil {
		s.members.Close()
	}
	var left []*Output
	for _, files := range s.files() {
		err = join(err, prepare(files, ExitCode(err)))
		var named []*jsonl.File
		for _, o := range files {
			if o.err != nil || !o.appears(ExitCode(err)) {
				left = append(left, o)
				continue
			}
			err = o.join(err, o.rename())
			named = append(named, o.file)
		}
		err = join(err, jsonl.SyncFolders(named))
	}
	s.endMeter()
	if code := ExitCode(err); s.wrote != "" && (code == 0 || code == CodeBad) {
		s.Note("%s", s.wrote)
	}
	s.tell(err)
	s.leaveAll(left, err)
	s.leaveFolders()
	if len(s.last) > 0 {
		_, failed := s.Err.Write(s.last)
		err = join(err, failed)
	}
	return ExitCode(err)
}

// Last is what standard error ends with, after every message: a report for
// programs.
func (s *Session) Last(text []byte) { s.last = text }

// Wrote is what is said of the outputs when all of them could be written.
func (s *Session) Wrote(text string) { s.wrote = text }

// files are the outputs that get a name, in the order in which they do: first
// what tells about the run, then its results, then what says that all is well.
func (s *Session) files() (groups [3][]*Output) {
	for _, o := range s.outputs {
		switch {
		case o.file == nil:
		case o.evenBad:
			groups[0] = append(groups[0], o)
		case o.stamp:
			groups[2] = append(groups[2], o)
		default:
			groups[1] = append(groups[1], o)
		}
	}
	return groups
}

// prepare syncs the files that are to appear when the command ends with code,
// several at once: a disk takes many in the time of a few.
func prepare(files []*Output, code int) error {
	const together = 8
	turns := make(chan struct{}, together)
	var done sync.WaitGroup
	var failed atomic.Bool
	for _, o := range files {
		if o.err != nil || !o.appears(code) || failed.Load() {
			continue
		}
		turns <- struct{}{}
		done.Go(func() {
			if o.keep(o.file.Prepare()) != nil {
				failed.Store(true)
			}
			<-turns
		})
	}
	done.Wait()
	var err error
	for _, o := range files {
		err = o.join(err, o.err)
	}
	return err
}

// join adds the error of an output, but of members the first alone: a full disk
// is told once, not for each of a thousand.
func (o *Output) join(err, more error) error {
	var before *writeError
	if o.member && errors.As(err, &before) {
		return err
	}
	return join(err, more)
}

// appears reports whether a file gets its name when the command ends with code.
func (o *Output) appears(code int) bool {
	return code == 0 || code == CodeBad && o.evenBad
}

// join adds an error that is not told already.
func join(err, more error) error {
	if more == nil || errors.Is(err, more) {
		return err
	}
	return errors.Join(err, more)
}

// leave abandons a file and returns the name it was left under, "" for none.
func (s *Session) leave(o *Output, err error) string {
	partial, abandonErr := o.abandon()
	if abandonErr != nil && !errors.Is(err, abandonErr) {
		s.tell(abandonErr)
	}
	return partial
}

// remains says what an abandoned file, named as messages name it, holds.
func (o *Output) remains(partial string, err error) string {
	lines := "1 line"
	if o.lines != 1 {
		lines = fmt.Sprintf("%d lines", o.lines)
	}
	var damage *jsonl.DamageError
	switch {
	case o.err != nil:
		return partial + " has what could be written"
	case errors.As(err, &damage):
		return fmt.Sprintf("%s has what could be read, %s", partial, lines)
	case errors.Is(err, ErrBadRecords):
		return fmt.Sprintf("%s has what is good, %s; --max-bad N|RATE tolerates the rest", partial, lines)
	}
	return fmt.Sprintf("%s has what was written until then, %s", partial, lines)
}
