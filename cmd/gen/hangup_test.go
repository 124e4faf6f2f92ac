package main

import (
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestHangUp: the answers in flight are waited for when the terminal closes, which
// sends more than one SIGHUP; a run under nohup goes on.
func TestHangUp(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("SIGHUP is ignored here, and in what is started")
	}
	arrived := make(chan bool, 9)
	url, _ := simulated(t, "latency=300ms", func() { arrived <- true })
	run := func() (*process, string) {
		archive := filepath.Join(t.TempDir(), "raw.jsonl")
		p := start(t, "--server", url, "--no-probe", "-o", archive)
		io.WriteString(p.in, prompts(1))
		<-arrived
		p.Process.Signal(syscall.SIGHUP)
		return p, archive
	}
	check := func(p *process, archive string, code int, words string) {
		t.Helper()
		p.in.Close()
		if s := p.status(); s.ExitStatus() != code || !strings.Contains(p.log.String(), words) {
			t.Errorf("%v, want exit %d and %q:\n%s", s, code, words, p.log.String())
		}
		if kept, _ := os.ReadFile(archive); !strings.Contains(string(kept), `"error":null`) {
			t.Errorf("the answer in flight was not kept: %s", kept)
		}
	}
	p, archive := run()
	p.logs("draining")
	p.Process.Signal(syscall.SIGHUP)
	check(p, archive, 75, "stopped by SIGHUP (the terminal was closed) before the end")

	signal.Ignore(syscall.SIGHUP)
	defer signal.Reset(syscall.SIGHUP)
	p, archive = run()
	check(p, archive, 0, "1 in = 1 done")
}
