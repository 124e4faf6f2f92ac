package main

import (
	"context"
	"errors"
	"runtime/debug"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// run reads blocks of lines, lets workers find out what each line says, and
// deals the lines out in input order, or in that of a shuffle.
func run(ctx context.Context, s *cmdline.Session) error {
	p, err := newPlan(s)
	if err != nil {
		return err
	}
	return p.run(ctx, s, sources(s, &p))
}

func (p *plan) run(ctx context.Context, s *cmdline.Session, sources []jsonl.Source) error {
	out, err := openFiles(s, p)
	if err != nil {
		return err
	}
	if err := p.tryTmpDir(); err != nil {
		return err
	}
	if p.exclude != nil || p.shuffle {
		// What is sorted is most of the memory and hardly any of the garbage: without
		// this that would grow to as much before it is collected.
		debug.SetGCPercent(20)
	}
	if p.exclude != nil {
		if p.answered, err = readAnswered(ctx, s, p); err != nil {
			return err
		}
		defer p.answered.Close()
	}
	if p.rule.Counts() && !p.shuffle {
		if p.rule.Total, err = total(ctx, s, p, sources); err != nil {
			return err
		}
	}
	d := newDealer(s, p, out)
	defer d.free()
	newWorker := func() func(*jsonl.Block) { return (&worker{plan: p}).read }
	err = s.MapSources(ctx, sources, newWorker, d.deal)
	s.Records(d.lines)
	if errors.Is(err, errEnough) {
		err = nil
	}
	return errors.Join(err, d.end(err))
}

// tryTmpDir finds out whether files can be made in --tmp-dir: that one is needed shows
// when much was read.
func (p *plan) tryTmpDir() error {
	if p.tmpDir == "" || p.exclude == nil && !p.shuffle {
		return nil
	}
	f, err := jsonl.TempFile(p.tmpDir)
	if err != nil {
		return withTmpHint(err)
	}
	return f.Close()
}

// end deals out what a shuffle kept and ends the outputs. What could be read is
// dealt out before an error of reading ends the run.
func (d *dealer) end(read error) error {
	var damage *jsonl.DamageError
	if read != nil && !errors.As(read, &damage) {
		return nil
	}
	if d.spool != nil {
		if err := d.unspool(); err != nil {
			return err
		}
	}
	if read != nil {
		return nil
	}
	if err := d.check(); err != nil {
		return err
	}
	if err := d.out.fill(d.good()); err != nil {
		return err
	}
	if err := d.out.writeManifest(); err != nil {
		return err
	}
	d.close()
	return d.out.warnStale()
}
