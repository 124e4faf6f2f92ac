package cmdline

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// Session is one run of a command: what it was given and what all commands
// share. Its flags are read with String, Int and so on, its messages written with
// Note, Warn and Hint, its bad records told with Bad.
type Session struct {
	*cli.Context // the parsed flags
	Streams
	*Reporter
	shared  Shared
	outputs []*Output

	inputs    []string           // of Files, found by the first check
	arguments []input            // found by the first Distinct
	besides   map[PathFlag]input // other inputs, likewise: there may be thousands, and as many outputs
	members   *jsonl.Shared      // what those of CreateMember have together
	folders   []string           // of MakeFolder, that were not there
	wrote     string             // see Wrote
	last      []byte             // see Last
}

func newSession(cc *cli.Context, s Streams, log *Log, shared Shared) *Session {
	session := &Session{Context: cc, Streams: s, shared: shared}
	session.Reporter = &Reporter{Log: log}
	if limit, ok := cc.Generic("max-bad").(*Limit); ok {
		session.Reporter.limit = *limit
	}
	return session
}

// run checks what can be checked before anything is read, then runs the command.
func (s *Session) run(c *Command) error {
	if err := s.check(); err != nil {
		return err
	}
	if path := s.String("rejects"); path != "" {
		rejects, err := s.CreateReport(path)
		if err != nil {
			return err
		}
		s.rejects = rejects
	}
	return c.Run(s.Context.Context, s)
}

func (s *Session) check() error {
	if s.IsSet("jobs") && s.Int("jobs") < 1 {
		return Usagef("--jobs: %d is below 1", s.Int("jobs"))
	}
	if s.shared&Reads != 0 {
		if err := s.checkInputs(); err != nil {
			return err
		}
	}
	if err := s.RefuseEmpty("rejects"); err != nil {
		return err
	}
	if err := s.sparesArchives(); err != nil {
		return err
	}
	return s.Distinct(nil, nil)
}

// RefuseEmpty refuses, as wrong usage, flags that are given without a word, as
// an unset variable of a script gives them.
func (s *Session) RefuseEmpty(flags ...string) error {
	for _, flag := range flags {
		values := s.StringSlice(flag)
		if len(values) == 0 {
			values = []string{s.String(flag)}
		}
		if s.IsSet(flag) && slices.Contains(values, "") {
			return Usagef("--%s: the value is empty", flag)
		}
	}
	return nil
}

// Files are the arguments that are no flags; of inputs those that are read, see Apart.
func (s *Session) Files() []string {
	if s.inputs != nil {
		return s.inputs
	}
	return s.Context.Args().Slice()
}

// checkInputs finds inputs that cannot be read before anything is, all of them.
func (s *Session) checkInputs() (err error) {
	if s.inputs, err = s.Apart(s.Files()); err != nil {
		return err
	}
	var wrong []error
	stdin := 0
	for _, name := range s.inputNames() {
		if name != "-" {
			wrong = append(wrong, s.checkInput(name))
			continue
		}
		if stdin++; stdin == 2 {
			return Usagef("standard input can be read once only, - is there twice")
		}
		if f, ok := s.In.(*os.File); ok && placeOfStream(f).isRegular() {
			wrong = append(wrong, s.spreadFile("<stdin>", f))
		}
	}
	return errors.Join(wrong...)
}

// checkInput does not open what is not a regular file: a pipe opened is a pipe begun.
func (s *Session) checkInput(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
	case info.IsDir():
		err = FileError(path, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR})
		return WithHint(err, "a pattern names the files in it, such as "+Clean(strings.TrimRight(path, "/"), messageBytes)+"/*.jsonl*")
	case info.Mode().IsRegular():
		var f *os.File
		if f, err = os.Open(path); err == nil {
			defer f.Close()
			return s.spreadFile(path, f)
		}
	}
	return FileError(path, err)
}

// FileError is the error of a file that could not be opened or created. It names the
// file once, as it was given.
func FileError(path string, err error) error {
	if p, ok := err.(*fs.PathError); ok {
		return fmt.Errorf("%s: %w", Clean(path, messageBytes), p.Err)
	}
	return err
}

// inputNames are the files of the command line, "-" for none.
func (s *Session) inputNames() []string {
	if files := s.Files(); len(files) > 0 {
		return files
	}
	return []string{"-"}
}

// Inputs are the files of the command line, standard input for "-" or none. A
// file named twice is read twice.
func (s *Session) Inputs() []jsonl.Source {
	files := s.inputNames()
	sources := make([]jsonl.Source, len(files))
	for i, f := range files {
		sources[i] = s.Source(f)
	}
	return sources
}

// Source is one file, standard input for "-".
func (s *Session) Source(path string) jsonl.Source {
	if path == "-" {
		return jsonl.Source{Name: "<stdin>", Open: s.openStdin}
	}
	return jsonl.Source{Name: path, Open: func() (io.ReadCloser, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, FileError(path, err)
		}
		return f, nil
	}}
}

func (s *Session) openStdin() (io.ReadCloser, error) {
	if isTerminal(s.In) && !s.Quiet() {
		s.Hint("reading standard input from the terminal; Ctrl-D ends it, --help shows the usage")
	}
	if f, ok := s.In.(*os.File); ok {
		return f, nil // a reader of files knows how to wait and how to read ahead
	}
	return io.NopCloser(s.In), nil
}

// Options are the reading options of the shared flags.
func (s *Session) Options() jsonl.Options {
	o := jsonl.Options{Workers: s.Int("jobs")}
	if n, ok := s.Generic("max-line-bytes").(*Size); ok {
		o.MaxLineBytes = int64(*n)
	}
	if n, ok := s.Generic("max-window").(*Size); ok {
		o.MaxWindow = uint64(*n)
	}
	return o
}

// ArchiveOptions are those for archives that a run goes on with or leaves out, which
// were written once: --max-line-bytes is about its input.
func (s *Session) ArchiveOptions() jsonl.Options {
	o := s.Options()
	o.MaxLineBytes = math.MaxInt64
	return o
}
