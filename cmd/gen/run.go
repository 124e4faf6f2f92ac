package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// run is gen: open, resume, ask, keep, account.
func run(ctx context.Context, s *cmdline.Session) error {
	c, err := parse(s)
	if err != nil {
		return err
	}
	l, err := newLoop(s, c)
	if err != nil {
		return err
	}
	defer l.close()
	if c.dryRun {
		return l.interruptible(ctx, l.dryRun)
	}
	if l.watch.page, err = openPage(s, c.monitor); err != nil {
		return err
	}
	defer l.watch.page.close()
	remove, err := writePID(c.pidFile)
	if err != nil {
		return err
	}
	defer remove()
	l.takeFigures(l.live(), time.Now())
	if err := l.interruptible(ctx, l.prepare); err != nil {
		return l.failEarly(err)
	}
	l.teller = l.beginStatus()
	return l.finish(l.run(ctx))
}

// interruptible does what comes before the run's loop; a signal ends it.
func (l *loop) interruptible(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	finished := make(chan error, 1)
	go func() { finished <- do(ctx) }()
	for {
		select {
		case err := <-finished:
			return err
		case sig := <-l.signals:
			switch {
			case sig == syscall.SIGHUP && l.cfg.serversFile != "":
				l.stale = true
				continue
			case sig == syscall.SIGUSR1 || sig == syscall.SIGUSR2:
				continue
			}
			cancel()
			select {
			case <-finished:
			case <-l.signals:
			case <-time.After(2 * time.Second): // it hangs in a read
			}
			return l.cfg.drained(sig)
		}
	}
}

// prepare asks the servers for their model, opens the archive, and looks whether
// the prompts fit it before anything is asked.
func (l *loop) prepare(ctx context.Context) error {
	if err := l.refuseHeld(); err != nil {
		return err
	}
	if err := errors.Join(tryFile(l.cfg.stamp), l.clearStatus()); err != nil {
		return err
	}
	if err := l.greet(ctx); err != nil {
		return err
	}
	if err := l.checkTokenIDs(ctx); err != nil {
		return err
	}
	archive, stream, err := l.openStores(ctx)
	if err != nil {
		return err
	}
	if len(l.ledger.entries) > 0 && !l.cfg.policy.acceptChanged {
		err = l.rehearse(ctx)
	}
	if err != nil && archive != nil {
		return errors.Join(err, archive.Close())
	}
	if err != nil {
		return err
	}
	l.watch.settled = l.ledger.settledBefore()
	if archive != nil {
		l.archive = keep(archive, l.cfg.syncInterval)
	}
	if stream != nil {
		l.stream = keep(stream, l.cfg.syncInterval)
	}
	return nil
}

// greet finds the model of prompts that name none.
func (l *loop) greet(ctx context.Context) (err error) {
	l.cfg.builder.Default, err = l.servers.greet(ctx, l.cfg.builder.Model)
	l.watch.book.Model(cmdline.Clean(cmp.Or(l.cfg.builder.Model, l.cfg.builder.Default), 200))
	return err
}

// rehearse reads the prompts that can be read twice and compares their requests
// with the archived ones.
func (l *loop) rehearse(ctx context.Context) error {
	var files []jsonl.Source
	for _, name := range l.s.Files() {
		if isRegular(name) {
			files = append(files, l.s.Source(name))
		}
	}
	feed := newFeed(l.cfg, l.s.Options(), l.ledger.hasher)
	first := map[uint64]bool{} // of two prompts with one id the second is bad, not changed
	return feed.each(ctx, files, func(it item) error {
		for _, w := range it.wanted {
			e, known := l.ledger.entries[w.hash]
			if !known || first[w.hash] {
				continue
			}
			first[w.hash] = true
			if e.differs(w.print) {
				return l.changedRequest(w)
			}
			if err := l.compare(w); err != nil {
				return err
			}
		}
		return nil
	})
}

// allRegular reports whether there are files and all are regular ones.
func allRegular(paths []string) bool {
	return len(paths) > 0 && !slices.ContainsFunc(paths, func(p string) bool { return !isRegular(p) })
}

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// changedRequest is the error of a prompt whose archived request is another one.
func (l *loop) changedRequest(w *wanted) error {
	return cmdline.WithHint(cmdline.Usagef("%s: id %s: %sthe request differs from the archived one under this id", w.pos, cmdline.Quote(w.key.ID.String()), l.which(w)),
		"the same flags and prompts as before resume the run; another -o FILE begins a new one",
		"--accept-changed takes the archived answers all the same")
}

// finish waits until all is kept, tells the account and gives the exit code its
// reason.
func (l *loop) finish(err error) error {
	for _, k := range []*keeper{l.archive, l.stream} {
		if k == nil {
			continue
		}
		l.wait(k)
		if failed := k.failed(); failed != nil && !errors.Is(err, failed) {
			if k == l.main() {
				failed = l.unkept(failed)
			}
			err = errors.Join(err, failed)
		}
	}
	l.s.Records(l.tally.in)
	if err == nil {
		err = l.shortfall()
	}
	l.over(l.excess(err))
	l.concludeChronicle(err)
	l.meter.End(l.watch.figures.Progress())
	l.s.Note("%s", l.tally.String())
	switch {
	case l.more && !l.files:
		l.s.Note("the input was not read to its end")
	case err == nil && l.tally.in == 0:
		l.s.Warn("no prompts in the input")
	case l.caught == syscall.SIGINT && l.tally.pending() > 0: // which is no error that is told
		l.s.Hint("%d pending: %s", l.tally.pending(), l.cfg.goOn())
	case err == nil && l.tally.failed > 0:
		l.s.Hint("%d failed: %s", l.tally.failed, l.cfg.goOn())
	}
	err = errors.Join(err, l.lastStatus())
	if l.cfg.stamp == "" {
		return err
	}
	stamp, stampErr := l.s.CreateStamp(l.cfg.stamp)
	if stampErr == nil {
		_, stampErr = stamp.Write(l.watch.figures.AppendStatus(nil))
	}
	return errors.Join(err, stampErr)
}

// wait hands the rest of a queue over and waits for the keeper to end; when the
// run is to end at once, and whoever reads standard output does not, not for ever.
func (l *loop) wait(k *keeper) {
	var closed <-chan struct{}
	var patience <-chan time.Time
	for {
		if l.atOnce && patience == nil {
			patience = time.After(time.Second)
		}
		if closed == nil && k.idle() {
			closed = k.close()
		}
		in, first := k.next()
		select {
		case in <- first:
			k.pass()
		case <-closed:
			l.settleKept()
			return
		case sig := <-l.signals:
			l.signal(sig)
		case <-l.grace:
			l.atOnce = true
		case <-patience:
			l.settleKept()
			return
		}
	}
}

// shortfall compares the number of prompts with --expect-count.
func (l *loop) shortfall() error {
	if l.prompts < l.cfg.expect {
		where := "on standard output"
		if l.cfg.archive != "" {
			where = "archived"
		}
		return cmdline.WithHint(fmt.Errorf("%d prompts came, --expect-count is %d", l.prompts, l.cfg.expect),
			"what came of them is "+where+"; the producer of the prompts may have died")
	}
	return nil
}

// newID is a random id with a prefix: 12 random bytes in hex.
func newID(prefix string) string {
	var b [12]byte
	rand.Read(b[:])
	return prefix + hex.EncodeToString(b[:])
}
