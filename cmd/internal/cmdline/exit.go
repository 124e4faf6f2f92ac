package cmdline

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"syscall"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// The exit codes, for [Failed]. They are printed in each --help.
const (
	CodeBad         = 1  // ran to the end; records are bad or failed, or a gate fails
	CodeUsage       = 2  // wrong usage, or a run that does not fit the archive
	CodeBroken      = 3  // could not run to the end: input, output
	CodeUnreachable = 69 // a server cannot be reached (EX_UNAVAILABLE of sysexits.h)
	CodeStopped     = 75 // stopped before the end, run again (EX_TEMPFAIL)
	CodeRefused     = 76 // a server refuses or does not give what is required (EX_PROTOCOL)
	codeClosedPipe  = 128 + int(syscall.SIGPIPE)
)

// worstFirst orders the codes of several errors: the first that occurs is the
// process's. What needs a person comes before what a script can run again.
var worstFirst = []int{
	codeClosedPipe, CodeBroken, 128 + int(syscall.SIGINT), 128 + int(syscall.SIGTERM),
	CodeUsage, CodeRefused, CodeStopped, CodeUnreachable, CodeBad, 0,
}

// ErrBadRecords is in the error of a run whose bad records exceed what flags tolerate.
var ErrBadRecords = errors.New("records are bad")

// ExitCode is what a script learns from an error: the one place that decides it.
// An error that says nothing of itself is 3, could not run to the end.
func ExitCode(err error) int {
	var failed *codedError
	var signal *signalError
	var locked *jsonl.LockedError
	if codes := codesOf(err); len(codes) > 1 {
		return worst(codes)
	}
	switch {
	case err == nil:
		return 0
	case isClosedPipe(err):
		return codeClosedPipe
	case errors.As(err, &signal):
		return 128 + int(signal.signal)
	case errors.As(err, &failed):
		return failed.code
	case errors.As(err, &locked):
		return CodeStopped
	case errors.Is(err, ErrBadRecords):
		return CodeBad
	}
	return CodeBroken
}

// codesOf are the codes of joined errors, wherever they are joined.
func codesOf(err error) []int {
	for ; err != nil; err = errors.Unwrap(err) {
		several, ok := err.(interface{ Unwrap() []error })
		if !ok {
			continue
		}
		var codes []int
		for _, e := range several.Unwrap() {
			codes = append(codes, ExitCode(e))
		}
		return codes
	}
	return nil
}

func worst(codes []int) int {
	for _, code := range worstFirst {
		if slices.Contains(codes, code) {
			return code
		}
	}
	return slices.Max(codes)
}

// codedError is an error that knows its exit code.
type codedError struct {
	code int
	err  error
}

func (e *codedError) Error() string { return e.err.Error() }
func (e *codedError) Unwrap() error { return e.err }

// Failed is err with an exit code; nil stays nil.
func Failed(code int, err error) error {
	if err == nil {
		return nil
	}
	return &codedError{code, err}
}

// Usagef is an error about the command line: exit code 2, nothing was done.
func Usagef(format string, args ...any) error {
	return &codedError{CodeUsage, fmt.Errorf(format, args...)}
}

// toldError is an error whose words are known.
type toldError struct{ error }

func (e *toldError) Unwrap() error { return e.error }

// Told is an error whose words the user has already, in a report: it decides
// the exit code and is not told; nil stays nil.
func Told(err error) error {
	if err == nil {
		return nil
	}
	return &toldError{err}
}

// signalError says that a signal ended the run.
type signalError struct{ signal syscall.Signal }

func (e *signalError) Error() string { return e.signal.String() }

// Signalled is the error of a run that a signal ended after the command's own
// handling, 130 or 143. The process dies by it, so that a shell's loop ends, too.
func Signalled(s os.Signal) error {
	if n, ok := s.(syscall.Signal); ok {
		return &signalError{n}
	}
	return Failed(CodeStopped, fmt.Errorf("stopped by %v", s))
}

// hinted is an error with advice.
type hinted struct {
	error
	hints []string
}

func (e *hinted) Unwrap() error { return e.error }

// WithHint adds advice to an error, each shown on a line of its own after it; nil stays nil.
func WithHint(err error, hints ...string) error {
	if err == nil {
		return nil
	}
	return &hinted{err, hints}
}

// hintsOf is the advice about errors that other packages made or that were
// wrapped after they got it.
func hintsOf(err error) []string {
	var h *hinted
	var damage *jsonl.DamageError
	switch {
	case errors.As(err, &h):
		return h.hints
	case errors.As(err, &damage):
		return []string{"every whole line before the damage was read and passed on"}
	}
	return nil
}

// apart are the errors that were joined, one by one, wherever they were joined.
// Advice about all of them goes with the last.
func apart(err error) []error {
	if err == nil {
		return nil
	}
	if h, ok := err.(*hinted); ok {
		parts := apart(h.error)
		last := len(parts) - 1
		parts[last] = &hinted{parts[last], append(hintsOf(parts[last]), h.hints...)}
		return parts
	}
	several, ok := err.(interface{ Unwrap() []error })
	if !ok || err.Error() != errors.Join(several.Unwrap()...).Error() {
		return []error{err} // with words of its own
	}
	var parts []error
	for _, e := range several.Unwrap() {
		parts = append(parts, apart(e)...)
	}
	return parts
}

// Explain is what is told of an error: the words of each that was joined, then
// its hints, a line each. A signal is told, too: whoever looks did not send it.
func Explain(err error) (lines []string) {
	for _, e := range apart(err) {
		text := e.Error()
		if s := (*signalError)(nil); errors.As(e, &s) {
			text = "ended by a signal: " + s.Error()
		}
		if slices.Contains(lines, text) {
			continue
		}
		lines = append(lines, text)
		for _, hint := range hintsOf(e) {
			lines = append(lines, "hint: "+hint)
		}
	}
	return lines
}

// isSilent reports whether an error needs no words: they were told, or whoever
// sent the signal or closed the pipe knows.
func isSilent(err error) bool {
	var told *toldError
	var signal *signalError
	return errors.As(err, &told) || errors.As(err, &signal) || isClosedPipe(err)
}

// isClosedPipe reports whether the reader of an output went away. On standard
// output the runtime has killed the process by then, unless SIGPIPE is ignored;
// this is for the rest, such as -o FIFO. A socket's broken pipe is another thing.
func isClosedPipe(err error) bool {
	var w *writeError
	return errors.As(err, &w) && errors.Is(w.err, syscall.EPIPE)
}
