package main

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// seen is what extract and validate say of an answer, in a few words that
// outlive it. The zero value is that of an attempt without an answer.
type seen struct {
	status  string // reasoning_status
	source  string // the field the thinking came from, "" for none
	family  string // whose markers split it, "none" where the server did
	inline  bool   // it stood in the content: the server did not split it off
	thought int    // characters of the thinking, 0 when none of them is visible
	answer  int    // … of the content
	calls   int    // tool calls
	finish  string
	usage   record.Usage
	quoted  [2]string // beginnings of thinking and content, where [excerpts] say so
	rules   []string  // validate's rules that the answer fails
	ok      bool      // an answer that passes
}

// off reports whether the answer has no thinking by design: it was switched off,
// or the model has none.
func (s *seen) off() bool { return s.status == string(reasoning.Absent) }

// inspectors are shared by the goroutines that send.
type inspectors struct {
	family  string       // see extractor.Config
	require atomic.Int32 // a check.Require: what of the thinking
	pool    sync.Pool    // of *inspector
	quotes  excerpts
}

// newInspectors splits by a family and requires of the thinking what require says.
// The error names what is wrong with the family.
func newInspectors(family string, require check.Require) (*inspectors, error) {
	all := &inspectors{family: family}
	all.require.Store(int32(require))
	one, err := newInspector(family, require)
	if err == nil {
		all.pool.Put(one)
	}
	return all, err
}

// look judges an archived line. It may be called by many at once.
func (all *inspectors) look(line []byte) seen {
	one, _ := all.pool.Get().(*inspector)
	if require := check.Require(all.require.Load()); one == nil || one.require != require {
		one, _ = newInspector(all.family, require) // was tried at first
	}
	defer all.pool.Put(one)
	one.quote = all.quotes.due(time.Now())
	return one.look(line)
}

// inspector looks at one answer after the other with the code of extract and of
// validate. It is reused without allocating; each goroutine needs its own.
type inspector struct {
	doc     jsonscan.Doc
	split   *extractor.Extractor
	checker *check.Checker
	require check.Require
	quote   bool
}

// newInspector splits by a family, see extractor.Config, and judges as validate
// does, but takes simulated answers for real ones.
func newInspector(family string, require check.Require) (*inspector, error) {
	split, err := extractor.New(extractor.Config{Family: family})
	if err != nil {
		return nil, err
	}
	policy := check.DefaultPolicy()
	policy.Require = require
	if err := policy.Set("simulated", check.Off); err != nil {
		return nil, err
	}
	return &inspector{split: split, checker: check.NewChecker(policy), require: require}, nil
}

// look judges an archived line. Of several answers in it the last one that fails
// counts, else the last.
func (i *inspector) look(line []byte) seen {
	r, err := i.extract(line)
	if err != nil || len(r.Samples) == 0 {
		return seen{usage: record.UnknownUsage(), rules: []string{check.BadJSON}}
	}
	out := seen{ok: true}
	for k := range r.Samples {
		s := i.sample(&r.Samples[k])
		s.inline = s.thought > 0 && !isSplit(&r.Record.Choices[k])
		if !s.ok || out.ok {
			out = s
		}
	}
	return out
}

// extract makes samples of an archived line; they are valid until the next call.
func (i *inspector) extract(line []byte) (*extractor.Result, error) {
	if err := i.doc.Scan(line); err != nil {
		return nil, err
	}
	return i.split.Line(i.doc.Root())
}

// isSplit reports whether the server told the thinking apart.
func isSplit(c *response.Choice) bool {
	return slices.ContainsFunc(c.Segments, func(g response.Segment) bool { return g.Kind != response.Content })
}

// sample sums up one answer.
func (i *inspector) sample(s *record.Sample) seen {
	out := seen{
		status: s.Status, source: s.Extract.Source, family: s.Extract.Family,
		thought: s.Reasoning.Runes(), answer: s.Content.Runes(), calls: len(s.ToolCalls),
		finish: finishWord(s.FinishReason), usage: s.Usage, ok: true,
	}
	if check.IsBlank(s.Reasoning) {
		out.thought = 0
	}
	if i.quote {
		out.quoted = [2]string{excerpt(s.Reasoning), excerpt(s.Content)}
	}
	for _, f := range i.checker.Check(s) {
		if f.Level == check.Fail {
			out.rules, out.ok = append(out.rules, f.Rule), false
		}
	}
	return out
}

// finishWord is a finish reason; the usual ones cost nothing.
func finishWord(t jsonscan.Text) string {
	for _, word := range [...]string{"stop", "length", "tool_calls", ""} {
		if t.Equal(word) {
			return word
		}
	}
	return t.String()
}
