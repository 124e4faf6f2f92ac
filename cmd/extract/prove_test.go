package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/export"
	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// A second run that gives something else is found, line by line.
func TestSecondRun(t *testing.T) {
	format, _ := export.Lookup("sample")
	c := &config{Config: extractor.Config{Segments: true}, prove: true, format: format}
	h := record.NewHasher()
	work := func() func(*jsonl.Block) {
		w := newWorker(c, h)
		w.prover.twin = func() *worker {
			d := *c
			d.prove, d.Trim = false, true
			return newWorker(&d, h)
		}
		return w.block
	}
	const in = `{"id":"a","content":"c"}` + "\n" + `{"id":"b","content":"c "}` + "\n"
	source := jsonl.Source{Name: "in", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(in)), nil }}
	var sum tally
	var told []string
	err := jsonl.Map(context.Background(), []jsonl.Source{source}, jsonl.Options{}, work, func(b *jsonl.Block) error {
		batch := b.Value.(*batch)
		sum.add(&batch.tally)
		for _, t := range batch.told {
			told = append(told, t.String()+" "+t.id)
		}
		return nil
	})
	if err != nil || sum.changed != 1 || len(told) != 1 || told[0] != "in:2 b" || !strings.Contains(sum.proven(nil), "proof: not for 1 record: ") || !strings.Contains(sum.proven(nil), "a second run differs") {
		t.Errorf("%v, %d changed, told %q, %s", err, sum.changed, told, sum.proven(nil))
	}
}
