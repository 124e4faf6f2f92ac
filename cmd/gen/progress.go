package main

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// startMeter begins to show progress, and counts the prompts meanwhile where
// somebody may look.
func (l *loop) startMeter(ctx context.Context) {
	l.meter = l.s.Meter("answers", true, l.watch.book.Figures(l.live(), time.Now()).Progress().Counts)
	if l.meter != nil || l.cfg.monitor != "" || l.cfg.status != "" {
		go l.countPrompts(ctx)
	}
}

// countPrompts counts the wanted answers of each lane ahead, so that progress can
// tell how long the run will take. It gives up where an input cannot be read twice.
func (l *loop) countPrompts(ctx context.Context) {
	if l.cfg.reader.Turns == prompt.AllTurns {
		l.countTurns(ctx)
		return
	}
	n := make([]int64, len(l.cfg.lanes))
	for _, path := range l.s.Files() {
		if err := l.countLines(ctx, path, n); err != nil {
			return
		}
	}
	for i := range n {
		n[i] *= int64(l.cfg.samples)
	}
	if len(l.s.Files()) > 0 {
		l.total <- n
	}
}

// countTurns counts the turns of all conversations.
func (l *loop) countTurns(ctx context.Context) {
	if !allRegular(l.s.Files()) {
		return
	}
	n := make([]int64, len(l.cfg.lanes))
	err := newFeed(l.cfg, l.s.Options(), record.NewHasher()).each(ctx, l.s.Inputs(), func(it item) error {
		for _, w := range it.wanted {
			n[w.lane] += w.turns()
		}
		if it.bad != nil {
			n[0]++
		}
		return it.err
	})
	if err == nil {
		l.total <- n
	}
}

// countLines adds the lines of a file to the lane each is of. What is no prompt
// counts for the first.
func (l *loop) countLines(ctx context.Context, path string, n []int64) error {
	if !isRegular(path) {
		return errors.ErrUnsupported
	}
	source := l.s.Source(path)
	in, err := source.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	lines := jsonl.NewReader(in, source.Name, l.s.Options())
	defer lines.Close()
	feed := newFeed(l.cfg, l.s.Options(), l.ledger.hasher)
	return eachLine(lines, func(line jsonl.Line) error {
		n[feed.lane(line)]++
		return ctx.Err()
	})
}

// lane is that of a line of prompts, as far as it takes no building of requests.
func (f *feed) lane(line jsonl.Line) int {
	if len(f.cfg.lanes) == 1 || line.TooLong || f.doc.Scan(line.Data) != nil {
		return 0
	}
	p, err := f.reader.Read(f.doc.Root(), line.Data)
	if err != nil {
		return 0
	}
	lane, _ := f.cfg.laneOf(&p, f.doc.Root())
	return lane
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
