package main

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/progress"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// startMeter begins to show progress, and counts the prompts meanwhile.
func (l *loop) startMeter(ctx context.Context) {
	l.meter = l.s.Meter("answers", true, l.counts())
	if l.meter != nil {
		go l.countPrompts(ctx)
	}
}

func (l *loop) draw() {
	l.meter.Update(l.counts(), time.Now())
}

func (l *loop) counts() progress.Counts {
	t := &l.tally
	c := progress.Counts{Total: l.known, Before: t.before, Done: t.done, Retried: t.retried, Failed: t.failed, Dead: t.dead, Bad: t.bad, Tokens: t.tokens}
	switch {
	case l.exit != nil:
		c.Note = "draining"
	case l.sched.Paused():
		c.Note = "paused"
	}
	return c
}

// countPrompts counts the wanted answers ahead, so that progress can tell how long
// the run will take. It gives up where an input cannot be read twice.
func (l *loop) countPrompts(ctx context.Context) {
	if l.cfg.reader.Turns == prompt.AllTurns {
		l.countTurns(ctx)
		return
	}
	var n int64
	for _, path := range l.s.Files() {
		lines, err := l.countLines(ctx, path)
		if err != nil {
			return
		}
		n += lines
	}
	if n > 0 {
		l.total <- n * int64(l.cfg.samples)
	}
}

// countTurns counts the turns of all conversations.
func (l *loop) countTurns(ctx context.Context) {
	var n int64
	if !allRegular(l.s.Files()) {
		return
	}
	err := newFeed(l.cfg, l.s.Options(), record.NewHasher()).each(ctx, l.s.Inputs(), func(it item) error {
		for _, w := range it.wanted {
			n += w.turns()
		}
		if it.bad != nil {
			n++
		}
		return it.err
	})
	if err == nil && n > 0 {
		l.total <- n
	}
}

func (l *loop) countLines(ctx context.Context, path string) (n int64, err error) {
	if !isRegular(path) {
		return 0, errors.ErrUnsupported
	}
	source := l.s.Source(path)
	in, err := source.Open()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	lines := jsonl.NewReader(in, source.Name, l.s.Options())
	defer lines.Close()
	err = eachLine(lines, func(jsonl.Line) error {
		n++
		return ctx.Err()
	})
	return n, err
}

// eachLine calls visit for every line.
func eachLine(lines *jsonl.Reader, visit func(jsonl.Line) error) error {
	for {
		line, err := lines.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = visit(line)
		}
		if err != nil {
			return err
		}
	}
}
