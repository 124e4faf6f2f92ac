package main

import (
	"context"
	"errors"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// run reads blocks of lines, lets workers find out what each line says, and
// deals the lines out in input order.
func run(ctx context.Context, s *cmdline.Session) error {
	p, err := newPlan(s)
	if err != nil {
		return err
	}
	if p.rule.Counts() {
		if p.rule.Total, err = total(ctx, s, &p); err != nil {
			return err
		}
	}
	out, err := openFiles(s, &p)
	if err != nil {
		return err
	}
	d := newDealer(s, &p, out)
	newWorker := func() func(*jsonl.Block) { return (&worker{plan: &p}).read }
	err = s.Map(ctx, newWorker, d.deal)
	s.Records(d.lines)
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	if err := d.check(); err != nil {
		return err
	}
	if err := out.fill(d.good()); err != nil {
		return err
	}
	d.close()
	return out.warnStale()
}
