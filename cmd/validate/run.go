package main

import (
	"context"
	"errors"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/cmd/internal/whole"
	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// run is the pipeline: workers judge lines, the sink judges what shows between
// them, in order, and lets the good ones out.
func run(ctx context.Context, s *cmdline.Session) error {
	c, err := configOf(s)
	if err != nil {
		return err
	}
	if s.Bool("list-rules") {
		return listRules(s, c)
	}
	v, err := newValidator(s, c)
	if err != nil {
		return err
	}
	defer v.clean()
	if err := v.expect(); err != nil {
		return err
	}
	c.known = whole.Provenance(s)
	v.startProgress()
	digests := v.digests
	err = jsonl.Map(ctx, whole.Sources(s, c.from), s.Options(), func() func(*jsonl.Block) { return c.newWorker(digests) }, v.sink)
	if errors.Is(err, errFailFast) {
		err = nil
	}
	return v.finish(err)
}

// validator is one run.
type validator struct {
	*cmdline.Session
	config   *config
	digests  check.Digester
	account  *check.Account
	gate     *gate
	failures failures
	prompts  *prompts
	cut      map[uint64]cutAnswer // by Digest.Answer
	clean    func()               // removes what prompts keeps

	out, missing *cmdline.Output // nil for none
	reports      []reportTo
	meter        *cmdline.Meter // nil when nobody looks
}

// newValidator opens everything before the first byte is read.
func newValidator(s *cmdline.Session, c *config) (*validator, error) {
	v := &validator{
		Session: s, config: c, gate: newGate(c), clean: func() {},
		digests: check.NewDigester(), account: check.NewAccount(c.policy),
	}
	if !c.check {
		out, err := s.Output()
		if err != nil {
			return nil, err
		}
		v.out = out
	}
	var err error
	if v.missing, err = open(s, c.missing); err != nil {
		return nil, err
	}
	v.reports, err = openReports(s, c.reports)
	return v, err
}

// open begins a file beside the records, standard output for "-".
func open(s *cmdline.Session, path string) (*cmdline.Output, error) {
	switch path {
	case "":
		return nil, nil
	case "-":
		return s.Stdout()
	}
	return s.CreateReport(path)
}

// expect reads the prompts.
func (v *validator) expect() (err error) {
	if len(v.config.expect) == 0 {
		return nil
	}
	v.account.ExpectOnly(v.config.samples)
	digests := v.digests
	if v.prompts, v.clean, err = openPrompts(v.Session, v.config, &digests); err != nil {
		return err
	}
	v.gate.prompts, v.gate.badPrompts, err = v.prompts.expectAll(v.Session, v.gate, v.account)
	return err
}

var errFailFast = errors.New("enough records failed")

// sink takes the blocks in order and lets out what passes, in as few pieces as
// there are records that a worker let pass and the account does not.
func (v *validator) sink(b *jsonl.Block) error {
	batch := b.Value.(*batch)
	v.gate.retried += batch.retried
	v.gate.probes += batch.probes
	written, out, found := 0, 0, 0 // of the block's output and of the findings: up to where
	for i := range batch.entries {
		e := &batch.entries[i]
		if !v.judge(e, batch.findings[found:e.found]) && e.out > out {
			if err := v.write(b.Out[written:out]); err != nil {
				return err
			}
			written = e.out
		}
		found, out = e.found, e.out
		if v.gate.stopped {
			break
		}
	}
	if err := v.write(b.Out[written:out]); err != nil {
		return err
	}
	if v.gate.stopped {
		return errFailFast
	}
	v.showProgress()
	return nil
}

func (v *validator) write(lines []byte) error {
	if len(lines) == 0 || v.out == nil {
		return nil
	}
	_, err := v.out.Write(lines)
	return err
}

// judge counts an entry and reports whether it passes.
func (v *validator) judge(e *entry, found []check.Finding) bool {
	g := v.gate
	if e.failure != nil {
		v.failed(e.failure)
		return false
	}
	in := g.group(e.group)
	across := v.across(e)
	for _, f := range found {
		g.found(f, e, in)
	}
	for _, f := range across {
		g.found(f, e, in)
	}
	passes := e.bad == "" && !failing(found) && !failing(across)
	g.judged(in, passes)
	if e.byDesign {
		g.byDesign++
	}
	if v.config.charts {
		g.charts.add(&e.facts, passes)
	}
	if passes {
		return true
	}
	v.remember(e, in, found, across)
	g.stopped = g.all.failed == v.config.failFast
	v.Reject(e.pos, string(e.id), causes(e.bad, found, across), e.line)
	return false
}

// failed keeps an attempt that failed where a rule asks for it.
func (v *validator) failed(f *failure) {
	if v.config.policy.Level(check.MissingResponse) == check.Off {
		v.gate.passedOver++
		return
	}
	v.failures.add(f)
}
