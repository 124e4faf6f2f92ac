package main

import (
	"fmt"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
)

// firstComplaint is how long nothing is answered before it is told; the next is told
// after twice the time.
const firstComplaint = time.Minute

// drought is a time without answers as it was told.
type drought struct{ next time.Duration }

// due reports whether a drought is to be told, and over that one that was told has
// ended.
func (d *drought) due(lasted time.Duration) (due, over bool) {
	switch {
	case lasted == 0:
		over = d.next > firstComplaint
		d.next = firstComplaint
	case lasted >= max(d.next, firstComplaint):
		d.next = 2 * lasted
		due = true
	}
	return due, over
}

// complain tells now and then that nothing is answered any more: a run that meets
// nothing but "slow down" must not look as if it slept.
func (l *loop) complain(r *result) {
	lasted := l.sched.Drought(time.Now())
	due, over := l.drought.due(lasted)
	if due {
		l.s.Warn("no answer for %v; %s says %s", lasted.Round(time.Second), l.servers.at(r.job.Server).Name(), r.cause())
	}
	if over {
		l.s.Note("answers come again")
	}
}

// tripped is the end of a run in which nothing works any more.
func (l *loop) tripped(r result) error {
	words := fmt.Sprintf("no answer for %v", l.sched.Drought(time.Now()).Round(time.Second))
	if n := l.sched.Stats().InARow; n > 0 {
		words += fmt.Sprintf(", %d attempts in a row failed", n)
	}
	return cmdline.WithHint(cmdline.Failed(cmdline.CodeStopped, fmt.Errorf("%s, the last with %s", words, r.cause())),
		"when the server is well again: "+l.cfg.goOn())
}
