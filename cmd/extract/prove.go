package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// prover is a worker's part of --prove.
type prover struct {
	extractor.Prover
	twin  func() *worker
	id    string // of the line at hand
	spans []span
}

// span is where the output of a line stands in a block's.
type span struct {
	line       jsonl.Line
	id         string
	start, end int
}

func newProver(c *config, h record.Hasher) *prover {
	if !c.prove {
		return nil
	}
	twin := *c
	twin.prove, twin.compare = false, ""
	return &prover{twin: func() *worker { return newWorker(&twin, h) }}
}

func (p *prover) keep(line jsonl.Line, start, end int) {
	if start < end {
		p.spans = append(p.spans, span{line, p.id, start, end})
	}
}

// prove holds the result of a line against the line and reports whether it
// holds. A line whose samples do not is bad; nothing of it goes out.
func (w *worker) prove(line jsonl.Line, r *extractor.Result, failed error) bool {
	w.prover.id = r.Key.ID.String()
	if failed != nil {
		return true // it is told as bad anyway
	}
	proof, err := w.prover.Prove(w.doc.Root(), r, w.config.Trim)
	w.tally.proof.Add(proof)
	if err != nil {
		w.tally.unproved++
		w.bad(line, w.prover.id, "--prove: "+err.Error())
	}
	return err == nil
}

// repeat makes the samples of the block again, by a worker that has seen nothing,
// from the last line to the first: what comes out must depend on the line alone.
func (w *worker) repeat() {
	p, twin := w.prover, w.prover.twin()
	twin.batch = new(batch)
	for _, s := range slices.Backward(p.spans) {
		twin.out = twin.out[:0]
		twin.line(s.line)
		if !bytes.Equal(twin.out, w.out[s.start:s.end]) {
			w.tally.changed++
			w.bad(s.line, s.id, "--prove: a second run gives another sample")
		}
	}
	p.spans = p.spans[:0]
}

// proven is the closing line: what holds, and of which output.
func (t *tally) proven(sum []byte) string {
	verdict, second := "everything holds", "is the same"
	if n := t.unproved + t.changed; n > 0 {
		verdict = "not for " + records(n)
	}
	if t.changed > 0 {
		second = "differs"
	}
	apart := ""
	if n := t.proof.Apart; n > 0 {
		apart = ", of " + records(n) + " that passed through or went on from another line the texts are held against nothing"
	}
	return fmt.Sprintf("proof: %s: %d sha256 of requests and responses, %d texts of %d bytes add up to their segments and to what a second reading finds, %d tool calls are those of that reading, a second run %s%s; the output has sha256 %x",
		verdict, t.proof.Hashes, t.proof.Texts, t.proof.Bytes, t.proof.Calls, second, apart, sum)
}
