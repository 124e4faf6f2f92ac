package cmdline

import (
	"errors"
	"fmt"
	"io"
	"syscall"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

func TestExitCode(t *testing.T) {
	f := func(want int, err error) {
		t.Helper()
		if got := ExitCode(err); got != want {
			t.Errorf("%v: %d, want %d", err, got, want)
		}
	}
	bad := Failed(CodeBad, errors.New("x"))
	damage := &jsonl.DamageError{Kind: "zstd", Err: io.ErrUnexpectedEOF}
	closed := &writeError{"<stdout>", syscall.EPIPE}
	f(0, nil)
	f(0, Failed(CodeBad, nil))
	f(0, WithHint(nil, "x"))
	f(1, bad)
	f(1, fmt.Errorf("x: %w", ErrBadRecords))
	f(1, WithHint(fmt.Errorf("x: %w", bad), "y"))
	f(2, Usagef("x"))
	f(3, errors.New("x"))
	f(3, damage)
	f(3, fmt.Errorf("x: %w", syscall.EPIPE)) // a socket's
	f(69, Failed(CodeUnreachable, errors.New("x")))
	f(75, Failed(CodeStopped, errors.New("x")))
	f(75, &jsonl.LockedError{Path: "x"})
	f(76, Failed(CodeRefused, errors.New("x")))
	f(130, Signalled(syscall.SIGINT))
	f(143, fmt.Errorf("x: %w", Signalled(syscall.SIGTERM)))
	f(141, closed)
	f(3, errors.Join(bad, damage))
	f(3, WithHint(fmt.Errorf("x: %w", errors.Join(bad, damage)), "y"))
	f(3, errors.Join(Failed(CodeStopped, errors.New("x")), errors.New("y")))
	f(141, errors.Join(damage, closed))
	f(75, errors.Join(bad, Failed(CodeStopped, errors.New("x"))))
	f(1, errors.Join(bad, nil))
}

// The advice of a wrapped error is shown, and each of several errors is told.
func TestTell(t *testing.T) {
	f := func(err error, want string) {
		t.Helper()
		c := command(func(*Session) error { return err })
		if r := try(c); r.err != want {
			t.Errorf("got %q, want %q", r.err, want)
		}
	}
	e := errors.New("went wrong")
	f(e, "demo: went wrong\n")
	f(WithHint(e, "do this", "or that"), "demo: went wrong\ndemo: hint: do this\ndemo: hint: or that\n")
	f(fmt.Errorf("outer: %w", WithHint(e, "do this")), "demo: outer: went wrong\ndemo: hint: do this\n")
	f(errors.Join(e, Usagef("and more")), "demo: went wrong\ndemo: and more\n")
	f(errors.Join(e, e), "demo: went wrong\n")
	f(fmt.Errorf("%w, and %w", e, Usagef("more")), "demo: went wrong, and more\n")
	f(WithHint(errors.Join(e, Usagef("and more")), "both"), "demo: went wrong\ndemo: and more\ndemo: hint: both\n")
	f(WithHint(WithHint(e, "do this"), "or that"), "demo: went wrong\ndemo: hint: do this\ndemo: hint: or that\n")
	f(errors.New("a\x1b[31mb\nc\u202ed\xff"), "demo: a[31mb cd\ufffd\n")
	f(Signalled(syscall.SIGINT), "")
}
