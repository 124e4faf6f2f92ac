package main

import (
	"sync"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// seen is what extract and validate say of an answer, in a few words that
// outlive it. The zero value is that of an attempt without an answer.
type seen struct {
	status  string // reasoning_status
	source  string // the field the thinking came from, "" for none
	family  string // whose markers split it, "none" where the server did
	thought int    // characters of the thinking
	answer  int    // … of the content
	calls   int    // tool calls
	finish  string
	usage   record.Usage
	quoted  [2]string // beginnings of thinking and content, where [excerpts] say so
	rules   []string  // validate's rules that the answer fails
	ok      bool      // an answer that passes
}

// inspectors are shared by the goroutines that send.
type inspectors struct {
	family string // see extractor.Config
	policy check.Policy
	pool   sync.Pool // of *inspector
	quotes excerpts
}

// newInspectors splits by a family and requires of the thinking what require says.
// The error names what is wrong with the family.
func newInspectors(family string, require check.Require) (*inspectors, error) {
	all := &inspectors{family: family, policy: check.DefaultPolicy()}
	all.policy.Require = require
	if err := all.policy.Set("simulated", check.Off); err != nil {
		return nil, err
	}
	one, err := newInspector(all.family, all.policy)
	if err == nil {
		all.pool.Put(one)
	}
	return all, err
}

// look judges an archived line. It may be called by many at once.
func (all *inspectors) look(line []byte) seen {
	one, _ := all.pool.Get().(*inspector)
	if one == nil {
		one, _ = newInspector(all.family, all.policy) // was tried at first
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
	quote   bool
}

// newInspector splits by a family, see extractor.Config, and judges under a policy.
func newInspector(family string, policy check.Policy) (*inspector, error) {
	split, err := extractor.New(extractor.Config{Family: family})
	if err != nil {
		return nil, err
	}
	return &inspector{split: split, checker: check.NewChecker(policy)}, nil
}

// look judges an archived line. Of several answers in it the last one that fails
// counts, else the last.
func (i *inspector) look(line []byte) seen {
	samples, err := i.extract(line)
	if err != nil || len(samples) == 0 {
		return seen{usage: record.UnknownUsage(), rules: []string{check.BadJSON}}
	}
	out := seen{ok: true}
	for k := range samples {
		if s := i.sample(&samples[k]); !s.ok || out.ok {
			out = s
		}
	}
	return out
}

// extract makes the samples of an archived line; they are valid until the next call.
func (i *inspector) extract(line []byte) ([]record.Sample, error) {
	if err := i.doc.Scan(line); err != nil {
		return nil, err
	}
	r, err := i.split.Line(i.doc.Root())
	if err != nil {
		return nil, err
	}
	return r.Samples, nil
}

// sample sums up one answer.
func (i *inspector) sample(s *record.Sample) seen {
	out := seen{
		status: s.Status, source: s.Extract.Source, family: s.Extract.Family,
		thought: s.Reasoning.Runes(), answer: s.Content.Runes(), calls: len(s.ToolCalls),
		finish: finishWord(s.FinishReason), usage: s.Usage, ok: true,
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
