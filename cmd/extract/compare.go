package main

import (
	"fmt"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// differences are how the answers of two rule sets differ, the mildest first.
var differences = [...]string{
	"the same",
	"white space only",
	"status only",
	"split elsewhere",    // the same text, another boundary
	"other calls",        // or none
	"text lost or added", // by the other rules
}

const (
	equal = iota
	spaceOnly
	statusOnly
	boundary
	otherCalls
	otherText
)

// comparer is a worker's part of --compare. It scans lines for itself: a document
// remembers for whom it found a duplicate key.
type comparer struct {
	*extractor.Extractor
	doc jsonscan.Doc
}

func newComparer(c *config) *comparer {
	if c.compare == "" {
		return nil
	}
	x, _ := extractor.New(c.other()) // was tried when the flags were read
	return &comparer{Extractor: x}
}

func (c *comparer) split(line []byte) (*extractor.Result, error) {
	if err := c.doc.Scan(line); err != nil {
		return nil, err
	}
	return c.Line(c.doc.Root())
}

// compare splits a line by the other rules, too, and counts what differs. Both
// answers go to --rejects; -v tells where.
func (w *worker) compare(line jsonl.Line, r *extractor.Result) {
	w.other.Provenance(w.config.known[line.File])
	other, err := w.other.split(line.Data)
	if err != nil || len(other.Samples) != len(r.Samples) {
		panic("extract: rules decide how a line is read") // they decide how a text is split
	}
	for i := range r.Samples {
		a, b := &r.Samples[i], &other.Samples[i]
		d := differ(a, b)
		w.tally.compared[d]++
		if d != equal && (w.config.rejects || w.config.verbose) {
			w.told = append(w.told, told{line.Pos, a.ID.String(), "--compare " + w.config.compare + ": " + differences[d], both(a, b), false})
		}
	}
}

// both is what the two rule sets made of one answer, as a JSON object.
func both(a, b *record.Sample) []byte {
	raw := append(jsonscan.AppendString([]byte("{"), a.Extract.Rules), ':')
	raw = append(a.AppendJSON(raw), ',')
	raw = append(jsonscan.AppendString(raw, b.Extract.Rules), ':')
	return append(b.AppendJSON(raw), '}')
}

// differ is in which way two samples of one answer differ.
func differ(a, b *record.Sample) int {
	switch {
	case !equalCalls(a.ToolCalls, b.ToolCalls):
		return otherCalls
	case same(a.Reasoning, b.Reasoning) && same(a.Content, b.Content):
		if a.Status != b.Status {
			return statusOnly
		}
		return equal
	case same(a.Reasoning.TrimSpace(), b.Reasoning.TrimSpace()) && same(a.Content.TrimSpace(), b.Content.TrimSpace()):
		return spaceOnly
	case ink(a) == ink(b):
		return boundary
	}
	return otherText
}

func equalCalls(a, b []record.ToolCall) bool {
	return string(record.AppendToolCalls(nil, a)) == string(record.AppendToolCalls(nil, b))
}

// ink is all the text of a sample without white space.
func ink(s *record.Sample) string {
	return strings.Join(append(strings.Fields(s.Reasoning.String()), strings.Fields(s.Content.String())...), "")
}

// comparison is the closing line.
func (t *tally) comparison(c *config) string {
	var n int64
	parts := []string{}
	for d, count := range t.compared {
		n += count
		if count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count, differences[d]))
		}
	}
	return fmt.Sprintf("--as %s compared with %s, %s: %s", c.Rules, c.compare, records(n), strings.Join(parts, ", "))
}
