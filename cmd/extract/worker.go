package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/cmd/internal/whole"
	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
	"github.com/thinkpipe/thinkpipe/pkg/toolcall"
)

// batch is what a worker found in a block besides what goes out.
type batch struct {
	tally     tally
	successes []uint64
	failures  []extractor.Failure
	told      []told
}

// told is a record to be told of. raw lasts as long as the block.
type told struct {
	jsonl.Pos
	id, cause string
	raw       []byte
	bad       bool // else a flag asks for it: it is left out, or differs
}

func (b *batch) reset() {
	*b = batch{successes: b.successes[:0], failures: b.failures[:0], told: b.told[:0]}
}

// worker makes samples of the lines of blocks, one after the other.
type worker struct {
	config *config
	doc    jsonscan.Doc
	x      *extractor.Extractor
	hasher record.Hasher
	repair repairer
	prover *prover   // nil without --prove
	other  *comparer // nil without --compare

	*batch
	out []byte // Block.Out
}

func newWorker(c *config, h record.Hasher) *worker {
	x, _ := extractor.New(c.Config) // was tried when the flags were read
	return &worker{config: c, x: x, hasher: h, repair: newRepairer(c), prover: newProver(c, h), other: newComparer(c)}
}

func (w *worker) block(b *jsonl.Block) {
	if b.Value == nil {
		b.Value = new(batch)
	}
	w.batch, w.out = b.Value.(*batch), b.Out
	w.batch.reset()
	for line := range b.Lines() {
		w.tally.lines++
		start := len(w.out)
		w.line(line)
		if w.prover != nil {
			w.prover.keep(line, start, len(w.out))
		}
	}
	if w.prover != nil {
		w.repeat()
	}
	b.Out = w.out
}

func (w *worker) line(line jsonl.Line) {
	if line.TooLong {
		w.bad(line, "", fmt.Sprintf("the line is longer than --max-line-bytes, it begins %s", cmdline.Quote(string(line.Data[:min(len(line.Data), 40)]))))
		return
	}
	if err := w.doc.Scan(line.Data); err != nil {
		id := record.AnswerID(w.doc.Root(), false) // of what stands whole before the fault
		w.bad(line, id.String(), whole.Explain(line.Data, err))
		return
	}
	w.x.Provenance(w.config.known[line.File])
	r, err := w.x.Line(w.doc.Root())
	if errors.Is(err, response.ErrUnknown) {
		w.tally.unknown++
	}
	if err == nil && len(r.Samples) > 0 && r.Record != nil && r.Record.Complaint != "" {
		w.bad(line, r.Key.ID.String(), r.Record.Complaint) // what came is there and goes out
	}
	switch {
	case w.config.repair:
		w.mend(line, r, err)
	case w.prover != nil && !w.prove(line, r, err):
	case err != nil:
		w.bad(line, r.Key.ID.String(), err.Error())
	case r.Record != nil && r.Record.Probe:
		w.tally.probes++
	case r.Record != nil && r.Record.Retried:
		w.tally.retried++
	case r.Record != nil && r.Record.Failure != nil:
		w.failed(line, r)
	default:
		w.samples(line, r)
	}
}

func (w *worker) bad(line jsonl.Line, id, cause string) {
	w.told = append(w.told, told{line.Pos, id, cause, line.Data, true})
}

// failed keeps a failure until it is known whether another line makes up for it.
func (w *worker) failed(line jsonl.Line, r *extractor.Result) {
	f := r.Record.Failure
	failure := extractor.Failure{
		Pos: line.Pos, ID: r.Key.ID.String(), Cause: f.Code + ": " + f.Message,
		Keyed: !r.Key.ID.IsZero(), Hash: w.hasher.Hash(r.Key),
	}
	if w.config.rejects {
		failure.Raw = append([]byte(nil), line.Data...)
	}
	w.failures = append(w.failures, failure)
}

// samples appends the samples of a line to what goes out.
func (w *worker) samples(line jsonl.Line, r *extractor.Result) {
	if !r.Key.ID.IsZero() {
		w.successes = append(w.successes, w.hasher.Hash(r.Key))
	}
	if w.other != nil {
		w.compare(line, r)
	}
	if r.Record != nil {
		w.tally.epochs.add(r.Record.Epoch, int64(len(r.Samples)))
	}
	for i := range r.Samples {
		s := &r.Samples[i]
		w.tally.count(s.Status)
		w.unreadCalls(line, s)
		if !w.config.segments && !r.Through {
			s.Segments = nil
		}
		switch {
		case w.config.onlyOK && s.Status != string(reasoning.Present) && s.Status != string(reasoning.Absent):
			w.tally.leftOut++
			w.told = append(w.told, told{line.Pos, s.ID.String(), "--only-ok: reasoning_status is " + s.Status, line.Data, false})
			continue
		case r.Through && w.config.format.Name == "sample":
			w.out = append(w.out, line.Data...)
		default:
			out, err := w.config.format.Append(w.out, s)
			if err != nil {
				w.bad(line, s.ID.String(), "--format "+w.config.format.Name+": "+err.Error())
				continue
			}
			w.out = out
		}
		w.out = append(w.out, '\n')
	}
}

// unreadCalls tells of markup of calls that is in neither text and became no call.
func (w *worker) unreadCalls(line jsonl.Line, s *record.Sample) {
	for _, flag := range [...]string{toolcall.FlagMalformed, toolcall.FlagUnparsed} {
		if slices.Contains(s.Extract.Flags, flag) {
			w.tally.unread++
			w.told = append(w.told, told{line.Pos, s.ID.String(), "calls were not read: " + flag, line.Data, false})
			return
		}
	}
}
