package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// writePID keeps the process id in a file until remove is called; "" is no file.
// The file of a run that lasts is not taken over, so that it can still be stopped.
func writePID(path string) (remove func() error, err error) {
	if path == "" {
		return func() error { return nil }, nil
	}
	text := fmt.Sprintln(os.Getpid())
	remove, err = jsonl.Claim(path, text)
	if errors.Is(err, errors.ErrUnsupported) {
		return func() error { return os.Remove(path) }, os.WriteFile(path, []byte(text), 0o666)
	}
	if held := (*jsonl.LockedError)(nil); errors.As(err, &held) {
		return nil, cmdline.WithHint(fmt.Errorf("--pid-file: %w", err), "another run has its id there: wait for it, stop it with scripts/stop "+quoteShell(path)+", or name another file")
	}
	return remove, cmdline.FileError(path, err)
}
