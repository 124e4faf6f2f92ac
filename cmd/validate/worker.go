package main

import (
	"errors"
	"fmt"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/cmd/internal/whole"
	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// worker judges the lines of blocks, one after the other.
type worker struct {
	config  *config
	doc     jsonscan.Doc
	split   *extractor.Extractor // as the flags say
	plain   *extractor.Extractor // takes fields as they stand
	isFlat  bool                 // the line before was a flat record
	checker *check.Checker
	value   []byte // of a field
	digests check.Digester

	*batch
	output []byte // Block.Out
}

// newWorker is called once per goroutine.
func (c *config) newWorker(digests check.Digester) func(*jsonl.Block) {
	w := &worker{config: c, checker: check.NewChecker(c.policy), digests: digests}
	w.split, _ = extractor.New(c.extract) // was tried when the flags were read
	w.plain, _ = extractor.New(extractor.Config{Family: "none"})
	return w.block
}

func (w *worker) block(b *jsonl.Block) {
	w.batch, _ = b.Value.(*batch)
	if w.batch == nil {
		w.batch = new(batch)
		b.Value = w.batch
	}
	w.batch.reset()
	w.output = b.Out
	for line := range b.Lines() {
		w.line(line)
	}
	b.Out = w.output
}

func (w *worker) line(line jsonl.Line) {
	if line.TooLong {
		w.doc.Scan(nil)
		w.bad(line, check.BadJSON, fmt.Sprintf("the line is longer than --max-line-bytes, it begins %s", cmdline.Quote(string(line.Data[:min(len(line.Data), 40)]))))
		return
	}
	if err := w.doc.Scan(line.Data); err != nil {
		w.bad(line, ruleOf(err), whole.Explain(line.Data, err))
		return
	}
	if w.config.rows {
		w.row(line)
		return
	}
	root := w.doc.Root()
	w.split.Provenance(w.config.known[line.File])
	r, err := w.extract(root)
	switch {
	case err != nil:
		w.bad(line, check.BadJSON, err.Error())
	case r.Record != nil && r.Record.Retried:
		if r.Record.Probe {
			w.probes++
		} else {
			w.retried++
		}
	case r.Record != nil && r.Record.Failure != nil:
		w.failure(line, r)
	case len(r.Samples) == 0:
		w.bad(line, check.BadJSON, "no answer in the record")
	default:
		for i := range r.Samples {
			w.sample(line, r, &r.Samples[i])
		}
	}
}

// ruleOf tells a line that is JSON but for its UTF-8.
func ruleOf(err error) string {
	var syntax *jsonscan.SyntaxError
	if errors.As(err, &syntax) && syntax.UTF8 {
		return check.BadText
	}
	return check.BadJSON
}

// extract splits what is an archived answer and takes a flat record as it
// stands. What kind a line is shows only then; mostly it is that of the line before.
func (w *worker) extract(root jsonscan.Value) (*extractor.Result, error) {
	if !w.config.asTheyStand {
		return w.split.Line(root)
	}
	first, second := w.split, w.plain
	if w.isFlat {
		first, second = second, first
	}
	r, err := first.Line(root)
	flat := err == nil && r.Record != nil && isSplit(r.Record, root)
	if flat == w.isFlat || err != nil || r.Through {
		return r, err
	}
	w.isFlat = flat
	return second.Line(root)
}

// isSplit reports whether a line has fields of its own for thinking and answer.
func isSplit(r *response.Record, root jsonscan.Value) bool {
	return r.Shape == "flat" && !root.Get("response").Exists()
}

// bad is a line that holds no record; an id is known of what is JSON up to there.
func (w *worker) bad(line jsonl.Line, rule, detail string) {
	e := w.batch.add(line)
	e.bad = rule
	e.id = w.keepID(record.AnswerID(w.doc.Root(), false))
	e.group = w.groupOf(w.doc.Root(), nil)
	f, ok := w.config.policy.Finding(rule, detail)
	if !ok {
		f = check.Finding{Rule: rule, Level: check.Warn, Detail: detail} // it cannot go out, which is told at least
	}
	w.findings = append(w.findings, f)
	w.end()
}

// failure is an attempt without an answer.
func (w *worker) failure(line jsonl.Line, r *extractor.Result) {
	e := w.batch.add(line)
	f := r.Record.Failure
	e.failure = &failure{
		pos:     line.Pos,
		id:      r.Key.ID.String(),
		sample:  r.Key.Sample,
		prompt:  w.digests.Prompt(r.Key.ID),
		answer:  w.digests.Answer(r.Key, 0),
		because: f.Code + ": " + f.Message,
		group:   string(w.groupOf(w.doc.Root(), nil)),
	}
	w.end()
}

func (w *worker) sample(line jsonl.Line, r *extractor.Result, s *record.Sample) {
	e := w.batch.add(line)
	e.sample, e.choice = s.Sample, s.Choice
	epoch := 0
	if r.Record != nil {
		epoch = r.Record.Epoch
	}
	root := w.doc.Root()
	excused := check.ByDesign(s) || len(w.config.noThink) > 0 && w.mayNotThink(root, s)
	checked := s
	if len(r.Samples) > 1 {
		one := *s
		one.Usage = record.UnknownUsage() // it counts all choices
		checked = &one
	}
	found := w.checker.CheckWithout(checked, excused)
	w.findings = append(w.findings, found...)
	e.byDesign = excused && s.Reasoning.TrimSpace().Len() == 0
	e.group = w.groupOf(root, s)
	if w.config.charts {
		e.facts = w.factsOf(root, s)
	}
	e.digest = w.digests.Of(s, epoch)
	e.digest.Model = w.keep(s.Model.Raw)
	e.id = w.keepID(s.ID)
	if !w.config.check && !failing(found) {
		w.write(line, r, s)
	}
	w.end()
}

// groupOf is the value of --by, empty for none.
func (w *worker) groupOf(line jsonscan.Value, s *record.Sample) []byte {
	if w.config.by == "" {
		return nil
	}
	w.value = w.config.byField.appendTo(w.value[:0], line, s)
	return w.keep(w.value)
}

// end closes the last entry.
func (w *worker) end() {
	e := &w.entries[len(w.entries)-1]
	e.found, e.out = len(w.findings), len(w.output)
}

// write appends what goes out of a good record: its line, or a sample.
func (w *worker) write(line jsonl.Line, r *extractor.Result, s *record.Sample) {
	if r.Through || isAsItWas(r.Record, s) {
		w.output = append(w.output, line.Data...)
	} else {
		w.output = s.AppendJSON(w.output)
	}
	w.output = append(w.output, '\n')
}

// isAsItWas reports whether a record is a flat one or a conversation whose
// content was not split.
func isAsItWas(r *response.Record, s *record.Sample) bool {
	if r.Shape != "flat" && r.Shape != "conversation" {
		return false
	}
	n := 0
	for _, segment := range r.Choices[0].Segments { // these shapes have one
		if segment.Kind == response.Content {
			n += segment.Text.Len()
		}
	}
	return n == s.Content.Len()
}
