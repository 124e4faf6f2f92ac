package cmdline

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// die ends the process by the signal that code stands for where the command
// handled one itself; a shell that sees a mere 130 goes on with its loop.
// Elsewhere, and in tests, which have no standard error of their own, it
// returns code.
func (l *Log) die(s Streams, code int) int {
	sig := syscall.Signal(code - 128)
	if f, ok := s.Err.(*os.File); !ok || f.Fd() != uintptr(syscall.Stderr) {
		return code
	}
	if sig != syscall.SIGINT && sig != syscall.SIGTERM {
		return code
	}
	signal.Reset(sig)
	if syscall.Kill(syscall.Getpid(), sig) == nil {
		time.Sleep(time.Second) // it arrives, unless whoever started us ignores it
	}
	return code
}
