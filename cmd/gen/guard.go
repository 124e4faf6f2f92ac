package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/scheduler"
)

// watchFlags are about what a run does with what it sees.
func watchFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "canary", Value: 32, Usage: "keep `N` requests in flight at most until N answers have what --require asks for"},
		&cli.StringFlag{Name: "max-bad-rate", Value: "1%", Usage: "stop (76) when more than `RATE` of the answers lack it; all bad is seen within 12 answers, 2 % within 1,200"},
		&cli.BoolFlag{Name: "no-probe", Usage: "do not ask every server one question before the prompts; auto then requires nothing"},
		&cli.DurationFlag{Name: "poll", Value: 30 * time.Second, Hidden: true, Usage: "ask servers every `TIME` whether they are what they were; 0 never"},
	}
}

func (c *config) parseWatch(s *cmdline.Session) error {
	c.canary, c.noProbe, c.poll = s.Int("canary"), s.Bool("no-probe"), s.Duration("poll")
	limit, err := cmdline.ParseLimit(s.String("max-bad-rate"))
	if err != nil {
		return cmdline.Usagef("--max-bad-rate: %s is no rate such as 0.01 or 1%%", cmdline.Quote(s.String("max-bad-rate")))
	}
	rate, ok := limit.IsRate()
	switch {
	case !ok && limit.Count() > 0:
		return cmdline.Usagef("--max-bad-rate: %s is a count: 1%% or 0.01 is a rate", cmdline.Quote(s.String("max-bad-rate")))
	case c.canary < 0:
		return cmdline.Usagef("--canary: %d is below 0", c.canary)
	case c.poll < 0:
		return cmdline.Usagef("--poll: %v is below 0", c.poll)
	}
	c.maxBadRate = rate
	return nil
}

// guard takes an answer for the canary, and a server that could not be reached for
// whoever asks whether it is still what it was.
func (l *loop) guard(r *result) {
	if r.exchange.Response == nil && r.outcome == scheduler.Failed {
		l.miss(r.job.Server)
	}
	if r.outcome != scheduler.Answered || r.more != nil {
		return
	}
	l.learn(r)
	if l.saysNothing(r) {
		l.canary.pass()
		return
	}
	why := l.require.unmet(&r.seen)
	if why == "" {
		l.canary.good()
		return
	}
	stop := l.canary.bad(failing{r.job.Value.key.ID.String(), why, r.exchange.Server})
	if stop && l.exit == nil {
		l.stop(l.degraded(r))
	}
}

// saysNothing reports whether an answer is no evidence for or against its server:
// when its thinking was switched off; when it is the end of one that was cut, whose
// beginning has the thinking; and when it was cut before the marker that would have
// told the thinking from the rest.
func (l *loop) saysNothing(r *result) bool {
	s := &r.seen
	switch {
	case l.require == noThinking:
		return false
	case s.off(), r.exchange.Part.ID != "":
		return true
	}
	return s.thought == 0 && reasoning.Cut(s.finish) && !l.probes.split
}

// degraded is the end of a run whose answers lack what is required, of which r is
// the last.
func (l *loop) degraded(r *result) error {
	c := l.canary
	var last []string
	for _, f := range c.recent {
		last = append(last, cmdline.Quote(f.id)+" ("+f.why+")")
	}
	text := fmt.Sprintf("%d of %d answers lack what is required (%v, at most %s may), the last: %s",
		c.failed, c.judged, l.require, l.s.String("max-bad-rate"), strings.Join(last, ", "))
	if len(l.servers.all()) > 1 {
		text += "; by server: " + counted(c.servers)
	}
	p := probed{server: r.job.Server, api: r.job.Value.api, info: l.chronicle.epochs.state(r.job.Server), seen: r.seen, form: otherwise}
	_, hints := l.require.lack(&p)
	hints = append(slices.Concat(hints, p.rehearsal(), l.redo()), "--max-bad-rate tolerates more, --require none any; gen probe shows what comes now")
	return cmdline.WithHint(cmdline.Failed(cmdline.CodeRefused, errors.New(text)), hints...)
}

// redo says how the prompts of bad answers are asked again, which a resumed run
// takes for answered. Of a conversation the turns behind a bad one would be doubled.
func (l *loop) redo() []string {
	c := l.cfg
	if l.archive == nil {
		return []string{"what was made is on standard output: extract and validate tell bad answers from good ones"}
	}
	if l.require != thinking || c.reader.Turns == prompt.AllTurns {
		return []string{"what was made is kept, bad answers count as answers: extract and validate tell them from good ones"}
	}
	archives := "ARCHIVES"
	if c.template == nil && !c.folder {
		archives = quoteShell(c.archive)
	}
	return []string{
		"what was made is kept, bad answers count as answers; without the good ones the rest is asked again into another archive:",
		"extract " + archives + " | validate --fail empty-reasoning=100% -o good.jsonl; gen … --skip-done good.jsonl -o again.jsonl.zst",
	}
}
