package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/endpoint"
)

// members are the servers of a run as they come and go. Each has the index of its
// endpoint and of its place in the scheduler for good; it is sent to while it is
// listed and was met. The run's loop owns them.
type members struct {
	list  []*member
	met   chan meeting
	meets sync.WaitGroup
}

// member is one server.
type member struct {
	url    string
	listed bool
	met    bool
	probe  acquaintance
	told   bool               // that it cannot be reached
	stop   context.CancelFunc // ends the meeting that is under way, nil for none
}

// meeting is what became of an attempt to meet a server.
type meeting struct {
	index int
	err   error
	last  bool // it will not be tried again
}

// enlist makes members of the servers with which a run begins; those that were not
// met when it began are met later.
func (l *loop) enlist(ctx context.Context) {
	l.members.met = make(chan meeting)
	for i, o := range l.servers.all() {
		away := l.servers.away[i]
		m := &member{url: o.url, listed: true, met: away == nil, told: true}
		l.members.list = append(l.members.list, m)
		if !m.met {
			l.s.Warn("%v; the others are asked, and this one once it answers", away)
			l.place(ctx, i)
		}
	}
}

// place sends to a server, or does not, and begins or ends a meeting.
func (l *loop) place(ctx context.Context, i int) {
	m := l.members.list[i]
	switch {
	case m.listed && m.met && m.probe == suitable:
		l.sched.ReturnServer(i)
		return
	case m.listed && m.met: // the probe comes first
	case m.listed && m.stop == nil:
		ctx, m.stop = context.WithCancel(ctx)
		l.members.meets.Go(func() { l.meet(ctx, i) })
	case !m.listed && m.stop != nil:
		m.stop()
		m.stop = nil
	}
	l.sched.RemoveServer(i)
}

// Waits between the attempts to meet a server.
const (
	firstMeeting = 250 * time.Millisecond
	laterMeeting = 10 * time.Second
)

// meet asks a server for its model until it answers or refuses.
func (l *loop) meet(ctx context.Context, i int) {
	e := l.servers.at(i)
	for wait := firstMeeting; ; wait = min(2*wait, laterMeeting) {
		err := l.fits(ctx, e)
		m := meeting{i, err, cmdline.ExitCode(err) != cmdline.CodeUnreachable}
		select {
		case l.members.met <- m:
		case <-ctx.Done():
			return
		}
		if m.last {
			return
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return
		}
	}
}

// fits asks whether a server can take part in the run, and what it is.
func (l *loop) fits(ctx context.Context, e *endpoint.Endpoint) error {
	b := &l.cfg.builder
	served, err := meet(ctx, e, b.Model)
	if err == nil && b.Model == "" && served != b.Default {
		err = cmdline.Failed(cmdline.CodeRefused, fmt.Errorf("%s serves %s, this run asks %s", e.Name(), cmdline.Quote(served), cmdline.Quote(b.Default)))
	}
	if err == nil {
		e.Info(ctx)
	}
	return err
}

// greeted takes note of a meeting.
func (l *loop) greeted(ctx context.Context, g meeting) {
	m := l.members.list[g.index]
	if m.stop == nil { // it left meanwhile
		return
	}
	if g.last {
		m.stop()
		m.stop = nil
	}
	name := l.servers.at(g.index).Name()
	switch {
	case g.err == nil:
		m.met = true
		l.place(ctx, g.index)
		if m.probe == suitable || !l.probes.over { // else its probe comes first
			l.s.Note("%s joins", name)
		}
	case g.last:
		l.s.Warn("%v; it is left out", g.err)
	case !m.told:
		m.told = true
		l.s.Warn("%v; it joins once it answers", g.err)
	}
}

// reload reads --servers-file again. One that cannot be used changes nothing.
func (l *loop) reload(ctx context.Context) {
	l.stale = false
	if err := l.apply(ctx); err != nil {
		l.s.Warn("--servers-file: %v; the servers stay as they are", err)
	}
}

func (l *loop) apply(ctx context.Context) error {
	f, err := readFleet(l.cfg.serversFile)
	if err != nil {
		return err
	}
	if err := l.cfg.fits(f); err != nil {
		return err
	}
	urls := withFleet(l.cfg.servers, f)
	if err := l.enlistNew(urls); err != nil {
		return err
	}
	slots := l.cfg.slotsOf(f)
	for i, n := range slots {
		l.sched.SetSlots(i, n)
	}
	var came, left int
	for i, m := range l.members.list {
		was := m.listed
		m.listed = slices.Contains(urls, m.url)
		switch {
		case m.listed && !was:
			m.met, m.told, m.probe = false, false, unasked // it may be another one by now
			came++
		case was && !m.listed:
			left++
		}
		l.place(ctx, i)
	}
	l.s.Note("--servers-file: %d listed, %d new, %d gone; up to %d requests in flight", len(urls), came, left, sum(slots))
	return nil
}

// enlistNew opens the servers that were never seen, all or none.
func (l *loop) enlistNew(urls []string) error {
	var news []*opened
	for _, url := range urls {
		if slices.ContainsFunc(l.members.list, func(m *member) bool { return m.url == url }) {
			continue
		}
		o, err := l.servers.open(l.cfg, url)
		if err != nil {
			for _, o := range news {
				o.close()
			}
			return err
		}
		news = append(news, o)
	}
	for _, o := range news {
		l.servers.add(o)
		l.members.list = append(l.members.list, &member{url: o.url})
		l.sched.RemoveServer(l.sched.AddServer())
	}
	return nil
}

// withFleet are the servers of the flags and of the file, each once.
func withFleet(flags []string, f fleet) []string {
	urls := slices.Clone(flags)
	for _, url := range f.urls {
		if !slices.Contains(urls, url) {
			urls = append(urls, url)
		}
	}
	return urls
}

func sum(numbers []int) (n int) {
	for _, m := range numbers {
		n += m
	}
	return n
}

// parted ends the meetings.
func (l *loop) parted() {
	for _, m := range l.members.list {
		if m.stop != nil {
			m.stop()
		}
	}
	l.members.meets.Wait()
}
