package main

import (
	"errors"
	"os"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/monitor"
)

// teller keeps --status up to date in a goroutine of its own: a disk that takes its
// time, or a pipe that nobody reads, holds no answer up. What is overtaken while
// something is written is never written.
type teller struct {
	latest chan *monitor.Figures // at most one
	ended  chan struct{}
	err    error // of the last write, once it has ended
}

// newTeller has figures written. That they cannot be any more is no reason to lose
// answers: complain is told once, until they can again.
func newTeller(write func(*monitor.Figures) error, complain func(error)) *teller {
	t := &teller{latest: make(chan *monitor.Figures, 1), ended: make(chan struct{})}
	go func() {
		defer close(t.ended)
		for f := range t.latest {
			before := t.err
			if t.err = write(f); t.err != nil && before == nil && !f.Over {
				complain(t.err)
			}
		}
	}()
	return t
}

// tell replaces what is not written yet. A nil teller tells nobody.
func (t *teller) tell(f *monitor.Figures) {
	if t == nil {
		return
	}
	select {
	case <-t.latest:
	default:
	}
	t.latest <- f // nobody else sends
}

// beginStatus is the teller of the run, nil without --status.
func (l *loop) beginStatus() *teller {
	if l.cfg.status == "" {
		return nil
	}
	return newTeller(func(f *monitor.Figures) error { return writeStatus(l.cfg.status, f) },
		func(err error) { l.s.Warn("--status: %v", err) })
}

// lastStatus waits until it is told how the run ended; when the run is to end at
// once, not for ever.
func (l *loop) lastStatus() error {
	if l.teller == nil {
		return nil
	}
	l.teller.tell(l.watch.figures)
	close(l.teller.latest)
	var patience <-chan time.Time
	for {
		if l.atOnce && patience == nil {
			patience = time.After(time.Second)
		}
		select {
		case <-l.teller.ended:
			return l.teller.err
		case sig := <-l.signals:
			l.signal(sig)
		case <-l.grace:
			l.atOnce = true
		case <-patience:
			return errors.New("--status: how the run ended could not be written in time")
		}
	}
}

func writeStatus(path string, f *monitor.Figures) error {
	file, err := jsonl.Create(path, jsonl.WriterOptions{})
	if err != nil {
		return err
	}
	if _, err := file.Write(f.AppendStatus(nil)); err != nil {
		file.Abandon()
		return err
	}
	return file.Commit()
}

// failEarly tells why a run ended before it began. Where another run writes the
// archive, --status is that one's.
func (l *loop) failEarly(err error) error {
	l.over(err)
	var locked *jsonl.LockedError
	if l.cfg.status != "" && !errors.As(err, &locked) {
		writeStatus(l.cfg.status, l.watch.figures) // what is wrong with it is in err, if anything
	}
	return err
}

// clearStatus tries whether --status can be written and removes what an earlier
// run said.
func (l *loop) clearStatus() error {
	path := l.cfg.status
	if err := tryFile(path); err != nil || !isRegular(path) {
		return err
	}
	return os.Remove(path)
}

// tryFile finds out whether a file can be written, before the run that ends with it;
// "" is none.
func tryFile(path string) error {
	if path == "" {
		return nil
	}
	file, err := jsonl.Create(path, jsonl.WriterOptions{})
	if err != nil {
		return cmdline.FileError(path, err)
	}
	_, err = file.Abandon()
	return err
}
