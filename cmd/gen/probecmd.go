package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/scheduler"
)

// probeCommand asks every server one question and says what came.
func probeCommand() *cmdline.Command {
	return &cmdline.Command{
		Name:  "probe",
		Usage: "ask one question and say where the thinking is",
		Description: "Sends one request through the same path as a run, with its flags, and says what came back: where\n" +
			"the thinking is, the answer's length, how it ended. A run does the same before its prompts.",
		Examples: "gen probe --server http://host:8000\ngen probe --server 'sim:?parser=on' --require reasoning-field",
		Flags:    slices.Concat(serverFlags(), requestFlags(), requireFlags()),
		Run:      probe,
	}
}

func probe(ctx context.Context, s *cmdline.Session) error {
	c := &config{samples: 1, attempts: 1, lanes: []lane{{name: "probe", slots: 1}}}
	for _, step := range []func(*cmdline.Session) error{c.parseServer, c.parsePrompts, c.parseRequest, c.parseRequire} {
		if err := step(s); err != nil {
			return err
		}
	}
	l, err := newLoop(s, c)
	if err != nil {
		return err
	}
	defer l.close()
	return l.interruptible(ctx, l.probeAll)
}

// probeAll asks one server after the other and prints what came, then judges them
// as a run would.
func (l *loop) probeAll(ctx context.Context) error {
	if err := l.greet(ctx); err != nil {
		return err
	}
	var found []*probed
	for i, o := range l.servers.all() {
		if err := l.servers.away[i]; err != nil {
			return err
		}
		p := l.probe(ctx, i, nil)
		if p.err != nil {
			return p.err
		}
		if p.failed != "" {
			return p.failure(o.Name())
		}
		if _, err := fmt.Fprint(l.s.Out, p.table(o.Name())); err != nil {
			return err
		}
		l.tellCut(&p, o.Name())
		found = append(found, &p)
	}
	l.tellDifferences(found)
	required := l.cfg.require.settle(found)
	for _, p := range found {
		if err := required.refuse(p, l.servers.at(p.server).Name()); err != nil {
			return err
		}
	}
	return nil
}

// failure is the error of a server that did not answer.
func (p *probed) failure(name string) error {
	r, code := p.last(), cmdline.CodeRefused
	if r.exchange.Response == nil || r.outcome == scheduler.SlowDown || r.exchange.Error.Code == "http.5xx" {
		code = cmdline.CodeUnreachable
	}
	return cmdline.Failed(code, fmt.Errorf("%s: %s", name, p.failed))
}

// table is what gen probe prints of a server.
func (p *probed) table(server string) string {
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-9s %s\n", name, cmdline.Clean(fmt.Sprintf(format, args...), 400))
	}
	s, x := &p.seen, &p.last().exchange
	row("server", "%s%s", server, p.engine())
	row("model", "%s", p.model)
	row("thinking", "%s", p.where())
	row("answer", "%d characters, finish %q: %q", s.answer, s.finish, p.answer)
	row("tokens", "%s", tokensTold(s.usage))
	row("time", "%v to the first byte, %v in all", x.Timing.FirstByte.Round(time.Millisecond), x.Timing.Total.Round(time.Millisecond))
	return b.String()
}

// tokensTold is what a server told of tokens.
func tokensTold(u record.Usage) string {
	var counts []string
	for _, c := range []struct {
		n    int64
		what string
	}{{u.Prompt, "prompt"}, {u.Completion, "completion"}, {u.Reasoning, "reasoning"}} {
		if c.n >= 0 {
			counts = append(counts, fmt.Sprintf("%d %s", c.n, c.what))
		}
	}
	return cmp.Or(strings.Join(counts, ", "), "not told")
}
