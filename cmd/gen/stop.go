package main

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
)

// stop ends the run early: nothing new is sent, what is in flight is waited for.
// The first reason is the one that is told.
func (l *loop) stop(reason error) {
	if l.exit == nil {
		l.exit = reason
		l.sched.Drain()
	}
}

// giveUp ends what is in flight by a signal, unless there was another reason to stop.
func (l *loop) giveUp(sig os.Signal) {
	if l.draining {
		l.exit = cmdline.Signalled(sig)
	}
	l.atOnce = true
	l.abort()
}

// graceOver ends the waiting of a drain.
func (l *loop) graceOver() {
	n := l.sched.Stats().InFlight
	if n == 0 { // what is left is to count the prompts that were not asked
		l.atOnce = true
		return
	}
	l.s.Warn("%v is over, %d answers in flight are given up", l.cfg.grace, n)
	l.giveUp(l.caught)
}

// signal drains on the first SIGINT, SIGTERM or SIGHUP and ends the run on the
// second; SIGUSR1 pauses it and SIGUSR2 goes on. A terminal that closes sends more
// than one SIGHUP, and with --servers-file it means that file.
func (l *loop) signal(sig os.Signal) {
	switch {
	case sig == syscall.SIGHUP && l.cfg.serversFile != "":
		l.stale = true
	case sig == syscall.SIGHUP && l.caught != nil:
	case sig == syscall.SIGUSR1 && !l.sched.Paused():
		l.sched.Pause(time.Now())
		l.s.Warn("paused with %d answers in flight; SIGUSR2 goes on", l.sched.Stats().InFlight)
	case sig == syscall.SIGUSR2 && l.sched.Paused():
		l.sched.Resume(time.Now())
		l.s.Warn("going on")
	case sig == syscall.SIGUSR1 || sig == syscall.SIGUSR2:
	case l.caught != nil:
		l.giveUp(sig)
	default:
		l.caught = sig
		l.s.Warn("draining: waiting up to %v for %d answers in flight; a second signal ends the run at once", l.cfg.grace, l.sched.Stats().InFlight)
		l.grace = time.After(l.cfg.grace)
		l.draining = l.exit == nil
		l.stop(l.cfg.drained(sig))
	}
}

// drained is the end of a run that a signal stopped in good order.
func (c *config) drained(sig os.Signal) error {
	if sig == syscall.SIGINT {
		return cmdline.Signalled(sig)
	}
	name := "SIGTERM"
	if sig == syscall.SIGHUP {
		name = "SIGHUP (the terminal was closed)"
	}
	return cmdline.WithHint(cmdline.Failed(cmdline.CodeStopped, fmt.Errorf("stopped by %s before the end", name)), c.goOn())
}

// overdue is the end of a run whose time is over.
func (c *config) overdue() error {
	return cmdline.WithHint(cmdline.Failed(cmdline.CodeStopped, fmt.Errorf("the deadline of %v is over", c.deadline)), c.goOn())
}

// unkept adds to the error of a store what became of the answers.
func (l *loop) unkept(err error) error {
	return cmdline.WithHint(err, "what was written before is kept, what was in flight is not: "+l.cfg.goOn())
}

// unmarked adds to a refusal that it is no prompt's.
func (l *loop) unmarked(err error) error {
	return cmdline.WithHint(err, "nothing was marked as failed: "+l.cfg.goOn())
}

// goOn says how a run that was stopped is gone on with.
func (c *config) goOn() string {
	switch how := again(c.archive); {
	case c.archive == "":
		return how + "; where standard output was kept in FILE, --skip-done FILE leaves out what it answers"
	case !c.resume:
		return how + " without --no-resume"
	default:
		return how
	}
}
