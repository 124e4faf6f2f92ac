package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/endpoint"
	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/provenance"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/scheduler"
)

// probeID is the id of probes. Beside it their exchanges have "retried": true, so
// that whoever reads an archive passes over them, and "probe": true, which says why.
const probeID = "thinkpipe-probe"

// question makes a model think before it answers, and is answered in a line.
const question = `{"prompt":"A farmer has 17 sheep. All but 9 run away, then 3 come back. How many sheep does the farmer have now? Think it through, then answer in one sentence."}`

// probed is what a probe found out about a server.
type probed struct {
	server   int
	api      prompt.API
	info     provenance.Server
	told     bool               // the server told what it is
	before   *provenance.Server // what it was, when it is another now
	attempts []result           // in order; none with --no-probe
	seen     seen
	form     form
	model    string // as the answer names it
	answer   string // its beginning
	failed   string // why there is no answer
	err      error  // that is to end the run
}

// form is how thinking came.
type form string

const (
	inField    form = "in a field of its own"
	bothTags   form = "inline with both tags"
	onlyCloser form = "inline with only a closing tag"
	erased     form = "inline, its markers erased"
	otherwise  form = "inline without a closing tag"
	none       form = "none"
)

// last is the attempt that counts.
func (p *probed) last() *result { return &p.attempts[len(p.attempts)-1] }

// probe asks a server what it is and, unless --no-probe is given, one question.
func (l *loop) probe(ctx context.Context, server int, first *wanted) probed {
	e := l.servers.at(server)
	p := probed{server: server}
	p.info, p.told = e.Info(ctx)
	p.info.Model = l.cfg.builder.Default
	_, p.before = l.chronicle.epochs.enter(server, e.Name(), p.info, time.Now())
	if l.cfg.noProbe {
		return p
	}
	w, err := l.question(first)
	if err != nil {
		p.err = err
		return p
	}
	p.api = w.api
	for attempt := 1; ; attempt++ {
		r := l.askProbe(ctx, w, server, attempt)
		p.attempts = append(p.attempts, r)
		wait, again := l.again(&r, attempt)
		if !again || !sleep(ctx, wait) {
			break
		}
	}
	p.judge(l, e)
	return p
}

// askProbe sends a probe's request.
func (l *loop) askProbe(ctx context.Context, w *wanted, server, attempt int) result {
	r := l.send(ctx, &scheduler.Job[*wanted]{Value: w, Lane: w.lane, Server: server, Attempt: attempt})
	r.exchange.Retried, r.exchange.Probe = true, true
	return r
}

// again decides whether a probe is asked again, and when.
func (l *loop) again(r *result, attempt int) (wait time.Duration, again bool) {
	const few = 3 // the prompts themselves are more patient
	switch r.outcome {
	case scheduler.Answered, scheduler.Dropped, scheduler.Dead:
		return 0, false
	case scheduler.Amended, scheduler.Interrupted:
		return 0, true
	}
	return rand.N(scheduler.DefaultBase << attempt), attempt < min(few, l.cfg.attempts)
}

// sleep waits; false when the context ends before.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// question is the request of a probe: of the run's flags, and long enough to think.
// Where prompts are texts as the model gets them only they know its chat template:
// the first one itself is asked.
func (l *loop) question(first *wanted) (*wanted, error) {
	key := record.Key{ID: record.StringID(probeID)}
	b, lane := &l.cfg.builder, len(l.cfg.lanes)-1 // short and long, or the only one
	if first != nil && (b.API == prompt.Completions || b.API == prompt.Generate) {
		w := *first
		w.key, w.meta, w.talk, w.ready = key, nil, nil, time.Now()
		return &w, nil
	}
	var doc jsonscan.Doc
	if err := doc.Scan([]byte(question)); err != nil {
		return nil, err
	}
	p, err := (&prompt.Reader{Turns: prompt.LastTurn}).Read(doc.Root(), []byte(question))
	if err != nil {
		return nil, err
	}
	body, api, err := b.Body(&p, l.cfg.lanes[lane].fields, 0)
	if err != nil {
		return nil, err
	}
	w := newWanted(key, api, body)
	w.lane = lane
	return w, nil
}

// judge looks at the last attempt.
func (p *probed) judge(l *loop, e *endpoint.Endpoint) {
	r := p.last()
	if r.exchange.Error != nil {
		p.failed = r.cause()
		if r.verdict.Stop {
			p.err = r.refusal(e)
		}
		return
	}
	x, err := extractor.New(extractor.Config{Family: l.cfg.family, Segments: true})
	if err != nil {
		p.err = err
		return
	}
	line := r.exchange
	line.Retried = false // or nothing is made of it
	var doc jsonscan.Doc
	if err = doc.Scan(line.AppendJSON(nil)); err == nil {
		var made *extractor.Result
		if made, err = x.Line(doc.Root()); err == nil && len(made.Samples) > 0 {
			p.seen, p.form = r.seen, formOf(&made.Samples[0], &r.seen)
			p.model, p.answer = made.Samples[0].Model.String(), shorten(made.Samples[0].Content.String(), 120)
		}
	}
	if err != nil {
		p.err = cmdline.Failed(cmdline.CodeRefused, fmt.Errorf("%s: the probe's answer: %w", e.Name(), err))
	}
}

// formOf tells how the thinking of an answer came.
func formOf(s *record.Sample, seen *seen) form {
	switch {
	case seen.thought == 0:
		return none
	case !seen.inline:
		return inField
	case hasFlag(s, "erased-markers"):
		return erased
	}
	opener, closer := false, false
	for i, g := range s.Segments {
		if g.Kind == record.SegmentMarker {
			opener = opener || i+1 < len(s.Segments) && s.Segments[i+1].Kind == record.SegmentReasoning
			closer = closer || i > 0 && s.Segments[i-1].Kind == record.SegmentReasoning
		}
	}
	switch {
	case opener && closer:
		return bothTags
	case closer:
		return onlyCloser
	}
	return otherwise
}

func hasFlag(s *record.Sample, flag string) bool {
	for _, f := range s.Extract.Flags {
		if f == flag {
			return true
		}
	}
	return false
}

// where says in words where the thinking was.
func (s *seen) where() string {
	switch {
	case s.thought == 0 && s.source != "":
		return "empty in " + s.source
	case s.thought == 0:
		return "none seen (" + s.status + ")"
	case s.inline:
		return fmt.Sprintf("inline in %s, %d characters: extract splits it as %s", s.source, s.thought, s.family)
	}
	return fmt.Sprintf("in %s, %d characters: the server splits", s.source, s.thought)
}

// where says it more exactly.
func (p *probed) where() string {
	if !p.seen.inline {
		return p.seen.where()
	}
	return fmt.Sprintf("%s, %d characters: extract splits it as %s", p.form, p.seen.thought, p.seen.family)
}

// engine is what the server says it is.
func (p *probed) engine() string {
	if p.info.Engine == "" {
		return ""
	}
	return " (" + p.info.Engine + " " + p.info.Version + ")"
}

// summary is the line that tells of a probe.
func (p *probed) summary(name string) string {
	u, t := p.seen.usage, p.last().exchange.Timing
	return fmt.Sprintf("%s%s: thinking %s; answer %d characters, finish %q; tokens %s prompt, %s completion; %v",
		name, p.engine(), p.where(), p.seen.answer, p.seen.finish, count(u.Prompt), count(u.Completion), t.Total.Round(time.Millisecond))
}

// count is a server's count, "?" where it gave none.
func count(n int64) string {
	if n < 0 {
		return "?"
	}
	return fmt.Sprint(n)
}

// record is what the chronicle keeps of a probe.
func (p *probed) record(name string, epoch int) provenance.Probe {
	s := &p.seen
	at := s.source
	if s.thought == 0 {
		at = ""
	}
	return provenance.Probe{
		Server: name, Epoch: epoch, Exchange: p.last().exchange.ID, Thinking: at, Form: string(p.form), Status: s.status, Family: s.family,
		Reasoning: s.thought, Content: s.answer, Finish: s.finish, Prompt: s.usage.Prompt, Tokens: s.usage.Completion,
	}
}

func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}
