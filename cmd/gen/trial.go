package main

import (
	"context"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/scheduler"
)

// try asks the probe's question of servers that rest behind failures. Prompts that
// fail whenever they are asked are no fault of a server: where a hundred of them come
// first, as they do when a run is resumed that left them, the others must have their
// turn.
func (l *loop) try(ctx context.Context) {
	for l.exit == nil {
		server, due := l.sched.Trial(time.Now())
		if !due {
			return
		}
		w, err := l.question(l.probes.first)
		if err != nil {
			l.stop(err)
			return
		}
		l.probes.inFlight++
		go func() { l.trials <- l.askProbe(ctx, w, server, 1) }()
	}
}

// tried takes how a resting server took the question.
func (l *loop) tried(r result) {
	l.probes.inFlight--
	if l.archive != nil {
		l.tellChronicle(l.chronicle.keep(l.probes.first.archive, []result{r}))
	}
	l.sched.Tried(r.job.Server, r.outcome == scheduler.Answered || r.outcome == scheduler.SlowDown, time.Now())
	l.halt(&r)
}

// halt ends a run whose server refuses, or in which nothing works any more.
func (l *loop) halt(r *result) {
	if r.verdict.Stop {
		l.stop(l.unmarked(r.refusal(l.servers.at(r.job.Server))))
	}
	if l.sched.Tripped() {
		l.stop(l.tripped(*r))
	}
}
