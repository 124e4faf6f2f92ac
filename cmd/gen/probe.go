package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/endpoint"
	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/scheduler"
)

// question makes a model think before it answers, and is answered in a line.
const question = `{"id":"probe","prompt":"A farmer has 17 sheep. All but 9 run away, then 3 come back. How many sheep does the farmer have now? Think it through, then answer in one sentence."}`

// probeCommand asks every server one question and says what came.
func probeCommand() *cmdline.Command {
	return &cmdline.Command{
		Name:        "probe",
		Usage:       "ask one question and say where the thinking is",
		Description: "Sends one request through the same path as a run, and says what came back: where the\nthinking is, the answer's length, how it ended.",
		Examples:    "gen probe --server http://host:8000\ngen probe --server 'sim:?parser=on'",
		Flags:       append(serverFlags(), requestFlags()...),
		Run:         probe,
	}
}

func probe(ctx context.Context, s *cmdline.Session) error {
	c := &config{samples: 1, attempts: 1, lanes: []lane{{name: "probe", slots: 1}}}
	for _, step := range []func(*cmdline.Session) error{c.parseServer, c.parsePrompts, c.parseRequest} {
		if err := step(s); err != nil {
			return err
		}
	}
	c.reader.PromptField, c.reader.IDField = "", ""
	l, err := newLoop(s, c)
	if err != nil {
		return err
	}
	defer l.close()
	return l.interruptible(ctx, l.probeAll)
}

func (l *loop) probeAll(ctx context.Context) error {
	if err := l.greet(ctx); err != nil {
		return err
	}
	for i := range l.servers.all() {
		if err := l.servers.away[i]; err != nil {
			return err
		}
		if err := l.probe(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// probe asks one server and prints what came.
func (l *loop) probe(ctx context.Context, server int) error {
	feed := newFeed(l.cfg, jsonl.Options{}, l.ledger.hasher)
	it := feed.line(jsonl.Line{Data: []byte(question)})
	if it.err != nil {
		return it.err
	}
	e := l.servers.at(server)
	info, _ := e.Info(ctx)
	r := l.send(ctx, &scheduler.Job[*wanted]{Value: it.wanted[0], Server: server, Attempt: 1})
	if r.verdict.Stop {
		return r.refusal(e)
	}
	if x := r.exchange.Error; x != nil {
		code := cmdline.CodeRefused
		if r.exchange.Response == nil || r.outcome == scheduler.SlowDown || x.Code == "http.5xx" {
			code = cmdline.CodeUnreachable
		}
		return cmdline.Failed(code, fmt.Errorf("%s: %s", e.Name(), r.cause()))
	}
	sample, err := l.sample(&r)
	if err != nil {
		return cmdline.Failed(cmdline.CodeRefused, fmt.Errorf("%s: %w", e.Name(), err))
	}
	_, err = fmt.Fprint(l.s.Out, table(e.Name(), info, &r.exchange, sample))
	return err
}

// sample extracts the answer as extract would.
func (l *loop) sample(r *result) (*record.Sample, error) {
	x, err := extractor.New(extractor.Config{})
	if err != nil {
		return nil, err
	}
	var doc jsonscan.Doc
	if err := doc.Scan(r.exchange.AppendJSON(nil)); err != nil {
		return nil, err
	}
	result, err := x.Line(doc.Root())
	if err != nil {
		return nil, err
	}
	return &result.Samples[0], nil
}

// show shows an answer now and then, as extract understands it.
func (l *loop) show(r *result) {
	now := time.Now()
	if l.cfg.show == 0 || r.outcome != scheduler.Answered || r.more != nil || now.Sub(l.shown) < l.cfg.show {
		return
	}
	l.shown = now
	s, err := l.sample(r)
	if err != nil {
		l.s.Warn("id %s: %v", cmdline.Quote(r.job.Value.key.ID.String()), err)
		return
	}
	l.s.Note("id %s: thinking %s: %s", cmdline.Quote(s.ID.String()), whereThinking(s), cmdline.Quote(shorten(s.Reasoning.String(), 200)))
	l.s.Note("id %s: answer: %s", cmdline.Quote(s.ID.String()), cmdline.Quote(shorten(s.Content.String(), 200)))
}

// table is what a probe prints.
func table(server string, info endpoint.Info, x *record.Exchange, s *record.Sample) string {
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-9s %s\n", name, cmdline.Clean(fmt.Sprintf(format, args...), 400))
	}
	engine := strings.TrimSpace(info.Engine + " " + info.Version)
	if engine != "" {
		engine = " (" + engine + ")"
	}
	row("server", "%s%s", server, engine)
	row("model", "%s", s.Model)
	row("thinking", "%s", whereThinking(s))
	row("answer", "%d characters, finish %q: %q", len([]rune(s.Content.String())), s.FinishReason.String(), shorten(s.Content.String(), 120))
	row("tokens", "%d prompt, %d completion, %d reasoning (-1: not told)", s.Usage.Prompt, s.Usage.Completion, s.Usage.Reasoning)
	row("time", "%v to the first byte, %v in all", x.Timing.FirstByte.Round(time.Millisecond), x.Timing.Total.Round(time.Millisecond))
	return b.String()
}

// whereThinking says in words where the thinking was found.
func whereThinking(s *record.Sample) string {
	n := len([]rune(s.Reasoning.String()))
	switch {
	case n == 0:
		return "none seen (" + s.Status + ")"
	case s.Extract.Family == "none":
		return fmt.Sprintf("in %s, %d characters: the server splits", s.Extract.Source, n)
	}
	return fmt.Sprintf("inline in %s, %d characters: extract splits it as %s", s.Extract.Source, n, s.Extract.Family)
}

func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}
