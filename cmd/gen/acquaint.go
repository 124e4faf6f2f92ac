package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
)

// acquaintance is how far a run knows one of its servers.
type acquaintance uint8

const (
	unasked    acquaintance = iota
	underWay                // its probe is in flight
	suitable                // it gives what is required
	unsuitable              // it does not
)

// probes are the probes of a run: nothing is sent before those of the servers that
// were met when it began; those that join later have one of their own. The run's
// loop owns them.
type probes struct {
	first    *wanted     // the first answer that is to be asked: nothing is probed before
	inFlight int         // probes
	over     bool        // the first round
	came     chan probed // what was found out
	found    []probed    // in the first round
	split    bool        // all servers split the thinking off
	untold   bool        // no probe was answered: the first answer is to tell
	begun    time.Time
	patience <-chan time.Time // with the servers that are slower than the first
	cancel   func()           // ends probes that nobody waits for any more
}

// prepare takes note of the first answer that is to be asked.
func (p *probes) prepare(w *wanted) {
	if p.first == nil {
		first := *w // the run goes on with its own
		p.first = &first
	}
}

// ready reports whether prompts may be sent. It begins the probes that are due.
func (l *loop) ready(ctx context.Context) bool {
	if l.exit != nil || l.probes.first == nil {
		return l.probes.over
	}
	for i, m := range l.members.list {
		if m.listed && m.met && m.probe == unasked {
			m.probe = underWay
			l.probes.inFlight++
			if l.probes.begun.IsZero() {
				l.probes.begun = time.Now()
			}
			go func() { l.probes.came <- l.probe(ctx, i, l.probes.first) }()
		}
	}
	return l.probes.over
}

// leastPatience is how long the first round waits at least when one server has
// answered; beyond that it waits as long as that one took. A server that hangs must
// not hold the others; it joins once it answers.
const leastPatience = 3 * time.Second

// acquainted takes what a probe found out.
func (l *loop) acquainted(ctx context.Context, p probed) {
	l.probes.inFlight--
	l.keepProbe(&p)
	if l.exit != nil {
		return
	}
	l.tellChange(&p)
	switch {
	case l.probes.over:
		l.join(ctx, &p)
		return
	case p.failed == "" && l.probes.patience == nil:
		l.probes.patience = time.After(max(leastPatience, time.Since(l.probes.begun)))
	}
	l.probes.found = append(l.probes.found, p)
	if l.probes.inFlight == 0 {
		l.conclude(ctx)
	}
}

// join takes in a server that came later, or leaves it out.
func (l *loop) join(ctx context.Context, p *probed) {
	m, name := l.members.list[p.server], l.servers.at(p.server).Name()
	err := p.err
	if err == nil {
		l.tellProbe(p)
		err = l.require.refuse(p, name)
	}
	if err != nil {
		m.probe = unsuitable
		l.s.Warn("%v; it is left out", err)
		return
	}
	l.suits(ctx, p)
	l.s.Note("%s joins", name)
}

// suits lets the prompts go to a server.
func (l *loop) suits(ctx context.Context, p *probed) {
	l.members.list[p.server].probe = suitable
	l.place(ctx, p.server)
	if p.answered() {
		l.sched.Probed(p.server)
	}
}

// conclude ends the first round: what is required is settled, and every server
// must give it.
func (l *loop) conclude(ctx context.Context) {
	found := l.probes.found
	slices.SortFunc(found, func(a, b probed) int { return a.server - b.server })
	l.probes.patience = nil
	if err := l.judgeRound(found); err != nil {
		l.stop(err)
		return
	}
	l.probes.over, l.probes.found = true, nil
	for i := range found {
		l.suits(ctx, &found[i])
	}
	for i, m := range l.members.list {
		if m.probe == underWay {
			l.s.Warn("%s does not answer its probe; the others are asked, and this one once it answers", l.servers.at(i).Name())
		}
		if m.probe != suitable {
			l.place(ctx, i)
		}
	}
}

// judgeRound is the error that ends a run after its probes: when a server refuses,
// or does not give what is required.
func (l *loop) judgeRound(found []probed) error {
	var answered []*probed
	for i := range found {
		if err := found[i].err; cmdline.ExitCode(err) == cmdline.CodeRefused {
			return l.unmarked(err)
		} else if err != nil {
			return err
		}
		l.tellProbe(&found[i])
		if found[i].answered() {
			answered = append(answered, &found[i])
		}
	}
	l.settle(answered)
	l.probes.split = len(answered) > 0 && !slices.ContainsFunc(answered, func(p *probed) bool { return p.form != inField })
	for _, p := range answered {
		if err := l.require.refuse(p, l.servers.at(p.server).Name()); err != nil {
			return cmdline.WithHint(err, "gen probe shows what comes, --require none asks all the same; nothing was asked")
		}
	}
	l.tellDifferences(answered)
	return nil
}

// settle settles what is required of the answers. When no probe was answered the
// first answer that says something tells, unless nobody wanted a probe.
func (l *loop) settle(answered []*probed) {
	l.requires(l.cfg.require.settle(answered))
	switch {
	case l.cfg.require != asTheProbes || l.cfg.noProbe || l.exit != nil:
	case len(answered) == 0:
		l.probes.untold = true
		l.canary = newCanary(l.cfg.canary, l.cfg.maxBadRate)
	case l.require == nothing:
		l.s.Note("no thinking is required of the answers, for none was seen; --require reasoning stops when it lacks")
	}
}

// learn takes an answer in place of the probes when none of them was answered.
func (l *loop) learn(r *result) {
	p := probed{server: r.job.Server, info: l.chronicle.epochs.state(r.job.Server), seen: r.seen}
	if !l.probes.untold || p.cut() && p.seen.thought == 0 || p.seen.off() {
		return
	}
	l.probes.untold = false
	l.requires(l.cfg.require.settle([]*probed{&p}))
	l.s.Note("%s: the first answer in place of a probe: thinking %s; required of the others: %v", r.exchange.Server, p.seen.where(), l.require)
}

// answered reports whether there is an answer to go by.
func (p *probed) answered() bool { return len(p.attempts) > 0 && p.failed == "" }

// tellProbe says in a line what came.
func (l *loop) tellProbe(p *probed) {
	name := l.servers.at(p.server).Name()
	switch {
	case p.failed != "":
		l.s.Warn("%s: the probe failed: %s; the prompts are asked all the same", name, p.failed)
	case p.answered():
		l.s.Note("%s", p.summary(name))
		l.tellCut(p, name)
	}
}

// tellCut tells when the token limit cut a probe that wants no long answer.
func (l *loop) tellCut(p *probed, name string) {
	if !p.cut() || l.cfg.continueTo > 0 {
		return
	}
	what := "its thinking cannot be told from its answer"
	if p.seen.thought > 0 {
		what = "there is no whole answer"
	}
	l.s.Warn("%s: the token limit cut the probe's answer after %s tokens: %s; %s N allows more", name, count(p.seen.usage.Completion), what, l.cfg.maxTokensFlag(p.last().job.Lane))
}

// requires sets what is required of every answer from now on.
func (l *loop) requires(r requirement) {
	l.require = r
	l.inspectors.require.Store(int32(r.policy()))
	if r == nothing {
		l.canary = newCanary(0, 1)
	}
}

// tellDifferences tells of servers whose answers do not look alike.
func (l *loop) tellDifferences(found []*probed) {
	name := func(p *probed) string { return l.servers.at(p.server).Name() }
	if len(found) == 0 {
		return
	}
	first := found[0]
	for _, p := range found[1:] {
		if p.form != first.form || p.seen.source != first.seen.source {
			l.s.Warn("servers differ: thinking is %s on %s and %s on %s", first.where(), name(first), p.where(), name(p))
		}
		if what := p.info.Differences(&first.info); len(what) > 0 {
			l.s.Warn("servers differ: %s and %s in %s: their answers get a server_epoch each", name(first), name(p), strings.Join(what, ", "))
		}
	}
}

// tellChange tells of a server that is not what it was.
func (l *loop) tellChange(p *probed) {
	if p.before == nil {
		return
	}
	name := l.servers.at(p.server).Name()
	what := fmt.Sprint("in ", strings.Join(p.info.Differences(p.before), ", "))
	l.s.Warn("%s is not what it was, it differs %s: server epoch %d begins", name, what, l.chronicle.epochs.of(p.server))
}

// keepProbe keeps a probe's exchanges beside the archive that the first prompt's
// go to, and what was seen of them in its chronicle.
func (l *loop) keepProbe(p *probed) {
	if l.archive == nil || len(p.attempts) == 0 {
		return
	}
	name, epoch := l.servers.at(p.server).Name(), l.chronicle.epochs.of(p.server)
	l.chronicle.run.Probes = append(l.chronicle.run.Probes, p.record(name, epoch))
	l.tellChronicle(l.chronicle.keep(l.probes.first.archive, p.attempts))
}
