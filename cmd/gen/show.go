package main

import (
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/scheduler"
)

// show shows an answer now and then, as extract understands it.
func (l *loop) show(r *result) {
	now := time.Now()
	if l.cfg.show == 0 || r.outcome != scheduler.Answered || r.more != nil || now.Sub(l.shown) < l.cfg.show {
		return
	}
	l.shown = now
	id := cmdline.Quote(r.job.Value.key.ID.String())
	i, err := newInspector(l.cfg.family, check.Optional)
	if err != nil {
		return
	}
	made, err := i.extract(r.line)
	if err != nil || len(made.Samples) == 0 {
		l.s.Warn("id %s: no sample can be made of the answer: %v", id, err)
		return
	}
	s := &made.Samples[0]
	l.s.Note("id %s: thinking %s: %s", id, r.seen.where(), cmdline.Quote(shorten(s.Reasoning.String(), 200)))
	l.s.Note("id %s: answer: %s", id, cmdline.Quote(shorten(s.Content.String(), 200)))
}
