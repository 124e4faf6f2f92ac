package extractor

import (
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
	"github.com/thinkpipe/thinkpipe/pkg/toolcall"
)

// readCalls takes the calls out of the answer that stand there as markup. Markup
// beside calls that the server read already is kept apart and not read again.
func (x *Extractor) readCalls(s *record.Sample, r *response.Record, c *response.Choice) {
	if !x.readsCalls() {
		return
	}
	x.parsed = x.parsed[:0]
	for _, g := range x.segments {
		switch g.Kind {
		case record.SegmentContent:
			x.part(s, c, g, x.calls.Parse(g.Text, r.Request.Get("tools")))
		case record.SegmentToolCall:
			x.part(s, c, g, x.calls.ParseMarkup(g.Text, r.Request.Get("tools")))
		default:
			x.parsed = append(x.parsed, g)
		}
	}
	x.segments, x.parsed = x.parsed, x.segments
}

// drafted reports whether a thought holds the markup of a whole call. It may be a draft,
// or a call that the model did not end its thought for. Nobody looks for any where
// the request is known to tell no tools.
func (x *Extractor) drafted(r *response.Record) bool {
	tools := r.Request.Get("tools")
	if !x.readsCalls() || r.Request.Exists() && tools.Len() == 0 {
		return false
	}
	return slices.ContainsFunc(x.segments, func(g record.Segment) bool {
		return g.Kind == record.SegmentReasoning && len(x.calls.Parse(g.Text, tools).Calls) > 0
	})
}

// readsCalls reports whether markup is read at all: --family none says that the
// server did everything.
func (x *Extractor) readsCalls() bool { return !x.splitOnly && (x.auto || x.family != nil) }

// part takes over what was found in a segment.
func (x *Extractor) part(s *record.Sample, c *response.Choice, g record.Segment, found *toolcall.Result) {
	for _, p := range found.Pieces {
		kind := g.Kind
		if p.Kind != toolcall.Text {
			kind = record.SegmentToolCall
		}
		x.parsed = append(x.parsed, record.Segment{Kind: kind, Text: g.Text.Slice(p.Start, p.End)})
	}
	for _, name := range found.Flags {
		flag(s, name)
	}
	switch {
	case len(found.Calls) == 0:
	case len(c.ToolCalls) > 0:
		flag(s, toolcall.FlagUnparsed)
	default:
		s.ToolCalls = append(s.ToolCalls[:len(s.ToolCalls):len(s.ToolCalls)], found.Calls...)
	}
}

// cutThought takes the calls that end a thought which the server split off, when
// there is neither an answer nor a call beside it: the model went from the
// thought to its calls without closing it, and the server did not see that.
// Markup with text after it stays: it may be a draft.
func (x *Extractor) cutThought(s *record.Sample, r *response.Record, c *response.Choice) {
	n := len(x.segments) - 1
	for n >= 0 && x.segments[n].Kind != record.SegmentReasoning {
		n--
	}
	if !x.readsCalls() || n < 0 || len(s.ToolCalls) > 0 || !x.blank(record.SegmentContent) {
		return
	}
	g := x.segments[n]
	found := x.calls.Parse(g.Text, r.Request.Get("tools"))
	last := len(found.Pieces) - 1
	if p := found.Pieces[last]; p.Kind == toolcall.Text && g.Text.SkipSpace(p.Start) == p.End {
		last--
	}
	if last < 0 || found.Pieces[last].Kind == toolcall.Text {
		return
	}
	start := found.Pieces[last].Start
	x.parsed = append(x.parsed[:0], x.segments[:n]...)
	if start > 0 {
		x.parsed = append(x.parsed, record.Segment{Kind: g.Kind, Text: g.Text.Slice(0, start)})
	}
	g = record.Segment{Kind: record.SegmentContent, Text: g.Text.Slice(start, g.Text.Len())}
	x.part(s, c, g, x.calls.Parse(g.Text, r.Request.Get("tools")))
	x.parsed = append(x.parsed, x.segments[n+1:]...)
	x.segments, x.parsed = x.parsed, x.segments
	flag(s, reasoning.FlagEndedByTool)
}
