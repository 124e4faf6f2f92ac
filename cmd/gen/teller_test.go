package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/monitor"
)

// figures are those of the n-th second.
func figures(n int64) *monitor.Figures {
	f := new(monitor.Figures)
	f.In = n
	return f
}

// TestTeller: telling never waits, the last is always told, and what is overtaken is not.
func TestTeller(t *testing.T) {
	begun, goOn := make(chan bool), make(chan bool)
	var told []int64
	teller := newTeller(func(f *monitor.Figures) error {
		begun <- true
		<-goOn
		told = append(told, f.In)
		return nil
	}, func(err error) { t.Error(err) })
	teller.tell(figures(1))
	<-begun
	for n := range int64(100) {
		teller.tell(figures(2 + n))
	}
	close(teller.latest)
	goOn <- true
	<-begun
	goOn <- true
	<-teller.ended
	if len(told) != 2 || told[0] != 1 || told[1] != 101 {
		t.Errorf("told %v", told)
	}
	teller = nil
	teller.tell(figures(1))
}

// TestTellerComplains holds that a disk that stays full is told of once.
func TestTellerComplains(t *testing.T) {
	var complaints []error
	written := make(chan bool)
	teller := newTeller(func(f *monitor.Figures) error {
		defer func() { written <- true }()
		if f.In < 3 || f.In > 4 {
			return errDisk
		}
		return nil
	}, func(err error) { complaints = append(complaints, err) })
	for n := range int64(7) {
		f := figures(n)
		f.Over = n == 6 // its error is the run's
		teller.tell(f)
		<-written
	}
	close(teller.latest)
	<-teller.ended
	if len(complaints) != 2 || !errors.Is(teller.err, errDisk) {
		t.Errorf("%v, last %v", complaints, teller.err)
	}
}

// TestStalledStatus: while nobody takes what --status tells, all is asked, answered
// and kept; how the run ended is told when somebody does, also after SIGTERM.
func TestStalledStatus(t *testing.T) {
	for _, drained := range []bool{false, true} {
		var answers atomic.Int64
		url, _ := simulated(t, "latency=0&tokens=20", func() { answers.Add(1) })
		folder := t.TempDir()
		status, archive := filepath.Join(folder, "status"), filepath.Join(folder, "raw.jsonl")
		if err := syscall.Mkfifo(status, 0o666); err != nil {
			t.Fatal(err)
		}
		p := start(t, "--server", url, "--no-probe", "--status", status, "-o", archive, "--sync-interval", "10ms", "--grace", "1h")
		if _, err := os.ReadFile(status); err != nil { // gen tries whether it can be written
			t.Fatal(err)
		}
		io.WriteString(p.in, prompts(50))
		await(t, "answers", func() bool { return answers.Load() == 50 })
		await(t, "lines of the archive", func() bool {
			text, err := os.ReadFile(archive)
			return err == nil && bytes.Count(text, []byte("\n")) == 50
		})
		want := 0
		if drained {
			want = 75
			p.Process.Signal(syscall.SIGTERM)
			p.logs("draining")
		} else {
			p.in.Close()
		}
		pipe, err := os.OpenFile(status, os.O_RDWR, 0) // which never ends
		if err != nil {
			t.Fatal(err)
		}
		var last monitor.Figures
		for told := json.NewDecoder(pipe); !last.Over; {
			last = monitor.Figures{}
			if err := told.Decode(&last); err != nil {
				t.Fatal(err)
			}
		}
		pipe.Close()
		if last.Exit != want || last.Done != 50 {
			t.Errorf("drained %v: told exit %d, %d done", drained, last.Exit, last.Done)
		}
		if got := p.status(); got.ExitStatus() != want {
			t.Errorf("drained %v: %v\n%s", drained, got, p.log.String())
		}
	}
}
