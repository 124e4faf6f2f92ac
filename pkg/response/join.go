package response

import (
	"bytes"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// joiner puts the deltas of one choice of a stream together. What it keeps is
// copied: an event's bytes do not last.
type joiner struct {
	index     int
	fields    []field
	runs      []run
	calls     calls
	refusal   field
	reason    []byte
	hasReason bool
	open      bool   // the reason was null, or empty
	after     bool   // the event at hand came after the reason
	late      bool   // it brought text, or another did
	tokens    []byte // ids, without brackets
	hasTokens bool
}

// run is a stretch of deltas of one field; n is the length of their texts.
type run struct {
	field int
	n     int
}

func (j *joiner) begin(index int) {
	*j = joiner{
		index: index, fields: j.fields[:0], runs: j.runs[:0], calls: j.calls,
		refusal: j.refusal, reason: j.reason[:0], tokens: j.tokens[:0],
	}
	j.refusal.begin(Content, "")
	j.calls.begin()
}

func (j *joiner) add(kind SegmentKind, source string, t jsonscan.Text) {
	if t.Len() == 0 {
		return
	}
	j.late = j.late || j.after
	n := j.field(kind, source)
	j.fields[n].add(t)
	if last := len(j.runs) - 1; last >= 0 && j.runs[last].field == n {
		j.runs[last].n += t.Len()
		return
	}
	j.runs = append(j.runs, run{n, t.Len()})
}

// field is the index of the field of that name, which is made when it is new.
func (j *joiner) field(kind SegmentKind, source string) int {
	for n := range j.fields {
		if f := &j.fields[n]; f.kind == kind && f.source == source {
			return n
		}
	}
	j.fields = extend(j.fields)
	j.fields[len(j.fields)-1].begin(kind, source)
	return len(j.fields) - 1
}

// has reports whether a field has text.
func (j *joiner) has(source string) bool {
	return slices.ContainsFunc(j.fields, func(f field) bool { return f.source == source })
}

func (j *joiner) refuse(t jsonscan.Text) { j.refusal.add(t) }

func (j *joiner) finish(v jsonscan.Value) {
	switch reason, told := reasonIn(v); {
	case reason.Len() > 0:
		j.reason, j.hasReason = append(j.reason[:0], reason.Raw...), true
	case told:
		j.open = true
	}
}

func (j *joiner) call(index int, c record.ToolCall) {
	j.late = j.late || j.after && c.Name.Len()+c.Arguments.Len() > 0
	j.calls.add(index, c)
}

// repeats reports whether a field of the choice surely repeats its whole text
// in every delta.
func (j *joiner) repeats(p *Parser) bool {
	return slices.ContainsFunc(j.fields, func(f field) bool { return f.surelyWhole() }) ||
		slices.ContainsFunc(j.calls.all, func(c callJoiner) bool { return c.arguments.wholeArguments(p) })
}

// choice hands over what was joined. It is valid until the next stream. cumulative
// is about the stream.
func (j *joiner) choice(p *Parser, c *Choice, cumulative bool) {
	for n := range j.fields {
		j.fields[n].settle(p, cumulative)
	}
	for n := range j.fields {
		j.fields[n].twin = j.isTwin(n)
	}
	j.refusal.settle(p, cumulative)
	for _, r := range j.runs {
		f := &j.fields[r.field]
		if t := f.take(r.n); t.Len() > 0 && !f.twin {
			c.Segments = append(c.Segments, Segment{f.kind, f.source, t})
		}
	}
	j.calls.sort()
	for n := range j.calls.all {
		to := &j.calls.all[n]
		to.arguments.settleArguments(p, cumulative)
		c.ToolCalls = append(c.ToolCalls, record.ToolCall{ID: to.id.all(), Name: to.name.all(), Arguments: to.arguments.all()})
	}
	c.Refusal = j.refusal.all()
	c.TokenIDs = j.tokenIDs(p)
	c.Finish, c.HasFinish, c.Open = jsonscan.Text{Raw: j.reason}, j.hasReason, j.open && !j.hasReason
}

// isTwin reports whether a field before this one holds the same thinking.
func (j *joiner) isTwin(n int) bool {
	for i := range j.fields[:n] {
		if f, g := &j.fields[i], &j.fields[n]; f.kind == Reasoning && g.kind == Reasoning && bytes.Equal(f.text, g.text) {
			return true
		}
	}
	return false
}
