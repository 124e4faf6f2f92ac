package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// process is a gen in a process of its own, which signals can meet.
type process struct {
	*exec.Cmd
	t   *testing.T
	in  io.WriteCloser
	log lockedBuffer
}

// start starts one; its standard input stays open until it is closed.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{t: t, Cmd: exec.Command(os.Args[0], append(args, "--progress", "never")...)}
	p.Env, p.Stderr = append(os.Environ(), asCommand+"=1"), &p.log
	var err error
	if p.in, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill(); p.Process.Release() })
	return p
}

// status waits for the end.
func (p *process) status() syscall.WaitStatus {
	p.Wait()
	return p.ProcessState.Sys().(syscall.WaitStatus)
}

// logs waits until the log holds words.
func (p *process) logs(words string) {
	p.t.Helper()
	await(p.t, words, func() bool { return strings.Contains(p.log.String(), words) })
}

// await waits until something holds: what other processes do takes its time.
func await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 2000 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("waited for %s in vain", what)
}

// lockedBuffer can be read while it is written.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
