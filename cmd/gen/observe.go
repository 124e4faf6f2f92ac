package main

import (
	"context"
	"sync"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/provenance"
)

// change is a server that tells something else of itself than before.
type change struct {
	server int
	info   provenance.Server
}

// soon is how often a server is asked that could not be reached: it may come back
// as another one.
const soon = time.Second

// observe asks the servers now and then what they are, and one that a request
// could not reach until it answers. It returns what ends that.
func (l *loop) observe(ctx context.Context) (stop func()) {
	if l.cfg.poll == 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var polling sync.WaitGroup
	polling.Go(func() { l.poll(ctx) })
	return func() { cancel(); polling.Wait() }
}

func (l *loop) poll(ctx context.Context) {
	lost := map[int]bool{}
	for next := time.Now().Add(l.cfg.poll); ; {
		wait := time.Until(next)
		if len(lost) > 0 {
			wait = min(wait, soon)
		}
		select {
		case <-ctx.Done():
			return
		case i := <-l.missed:
			lost[i] = true
			continue
		case <-time.After(wait):
		}
		all := time.Now().After(next)
		if all {
			next = time.Now().Add(l.cfg.poll)
		}
		for i := range l.servers.all() {
			if (all || lost[i]) && l.inquire(ctx, i) {
				delete(lost, i)
			}
		}
	}
}

// inquire asks a server what it is and reports whether it told.
func (l *loop) inquire(ctx context.Context, server int) bool {
	if l.chronicle.epochs.of(server) == 0 { // not met yet
		return true
	}
	info, ok := l.servers.at(server).Info(ctx)
	if !ok {
		return false
	}
	info.Model = l.cfg.builder.Default
	select {
	case l.changes <- change{server, info}:
	case <-ctx.Done():
	}
	return true
}

// changed begins an epoch when a server is not what it was.
func (l *loop) changed(c change) {
	name := l.servers.at(c.server).Name()
	was := l.chronicle.epochs.of(c.server)
	number, before := l.chronicle.epochs.enter(c.server, name, c.info, time.Now())
	if number == was {
		return
	}
	l.tellChange(&probed{server: c.server, info: c.info, before: before})
	l.tellChronicle(l.chronicle.update())
}

// miss says that a server could not be reached.
func (l *loop) miss(server int) {
	select {
	case l.missed <- server:
	default: // there is word of one already, and the next failure comes soon
	}
}
