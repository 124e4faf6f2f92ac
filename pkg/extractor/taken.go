package extractor

import (
	"slices"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// take takes the thinking that the server told apart itself, kind being the best
// of it. Its content is not split again: only closing markers at the very
// beginning go, others are told of. A message of a run is split when it begins
// with an opening marker.
func (x *Extractor) take(s *record.Sample, r *response.Record, c *response.Choice, kind response.SegmentKind) {
	s.Extract.Family = "none"
	if x.family != nil {
		s.Extract.Family = x.family.Name
	}
	f := x.familyOf(x.model)
	names := served
	if kind == response.Plan {
		names[response.Plan] = record.SegmentReasoning
	}
	if kind == response.Summary && x.wholeThought(r) {
		names[response.Summary] = record.SegmentReasoning
		flag(s, FlagThoughtInSummary)
	}
	worst := reasoning.Present
	for _, g := range c.Segments {
		if g.Kind == kind {
			s.Extract.Source = with(s.Extract.Source, g.Source)
		}
		switch {
		case g.Kind != response.Content:
			x.keep(names[g.Kind], g.Text)
		case x.unsplit(r, f, g.Text):
			worst = worse(worst, x.splitText(s, r, g.Text, ""))
		default:
			x.answer(s, f, g.Text)
		}
	}
	x.checkTaken(s, f, kind)
	x.readCalls(s, r, c)
	x.cutThought(s, r, c)
	if names[kind] == record.SegmentReasoning {
		kind = response.Reasoning
	}
	switch status := x.statusOf(kind, s, c); status {
	case reasoning.Present:
		s.Status = string(worst)
	case reasoning.Missing:
		s.Status = string(x.blankBlock(s, r, f))
	default:
		s.Status = string(status)
	}
}

// checkTaken tells of markers that stayed, and of what is in no text of the sample.
func (x *Extractor) checkTaken(s *record.Sample, f *reasoning.Family, kind response.SegmentKind) {
	x.checkAnswer(s, f)
	if kind < response.Summary && x.has(record.SegmentSummary) {
		flag(s, FlagSummaryLeftOut)
	}
	if x.has(record.SegmentPlan) {
		flag(s, FlagPlanLeftOut)
	}
	if x.holds(record.SegmentReasoning, f.Close) {
		flag(s, reasoning.FlagCloserInThought)
	}
}

// blankBlock is the status of an answer whose thinking the server found empty.
func (x *Extractor) blankBlock(s *record.Sample, r *response.Record, f *reasoning.Family) reasoning.Status {
	k := x.asked(r, f)
	if k.why != "" {
		flag(s, k.why)
	}
	flag(s, reasoning.FlagEmptyBlock)
	if k.thinking == reasoning.No {
		return reasoning.Absent
	}
	return reasoning.Missing
}

// unsplit reports whether a message of a run was left whole although others of
// it were split: a server's parser may miss a thought that was cut.
func (x *Extractor) unsplit(r *response.Record, f *reasoning.Family, t jsonscan.Text) bool {
	if !oneByOne(r) || !x.auto && x.family == nil {
		return false
	}
	_, end := leading(t, f.Open)
	return end >= 0
}

// with is a list of sources with one more: thinking may come from several fields.
func with(sources, source string) string {
	switch {
	case sources == "":
		return source
	case slices.Contains(strings.Split(sources, "+"), source):
		return sources
	}
	return sources + "+" + source
}

// served are what the parts that a server told apart are called in a sample.
var served = [...]string{
	response.Reasoning: record.SegmentReasoning,
	response.Plan:      record.SegmentPlan,
	response.Summary:   record.SegmentSummary,
	response.Encrypted: record.SegmentEncrypted,
}

// wholeThought reports whether what stands as a summary is the thinking itself:
// the Responses API has a place for summaries only, at first, and servers of open
// models put the thinking there (NeMo Gym, Ollama). Nobody sums up for them.
func (x *Extractor) wholeThought(r *response.Record) bool {
	f, _ := reasoning.Detect(reasoning.Facts{Model: x.model}, reasoning.Plain(""))
	return f != nil && (r.Shape == "responses" || r.Shape == "responses stream")
}

// answer takes a text of the answer. Closing markers with which the first one
// begins ended the thought that the server took: they are in neither.
func (x *Extractor) answer(s *record.Sample, f *reasoning.Family, t jsonscan.Text) {
	if !x.has(record.SegmentContent) && (x.auto || x.family != nil) {
		for at, end := leading(t, f.Close); end >= 0; at, end = leading(t, f.Close) {
			x.keep(record.SegmentContent, t.Slice(0, at))
			x.keep(record.SegmentMarker, t.Slice(at, end))
			t = t.Slice(end, t.Len())
			flag(s, reasoning.FlagRepeatedCloser)
		}
	}
	x.keep(record.SegmentContent, t)
}

// leading is where a marker stands that only white space precedes; end is -1 when none does.
func leading(t jsonscan.Text, marker string) (at, end int) {
	if marker == "" {
		return 0, -1
	}
	at = t.SkipSpace(0)
	return at, t.Match(marker, at)
}

// bestOf is the best of what a server says of the thinking: the thoughts
// themselves, a plan, a summary, or something that only it can read.
func bestOf(segments []response.Segment) (kind response.SegmentKind, found bool) {
	for _, g := range segments {
		if g.Kind != response.Content && (!found || g.Kind < kind) {
			kind, found = g.Kind, true
		}
	}
	return kind, found
}

func (x *Extractor) statusOf(kind response.SegmentKind, s *record.Sample, c *response.Choice) reasoning.Status {
	switch {
	case kind == response.Summary:
		return reasoning.Summary
	case kind == response.Encrypted:
		return reasoning.Encrypted
	case x.blank(record.SegmentReasoning):
		return reasoning.Missing
	case reasoning.Cut(finishOf(c)) && x.blank(record.SegmentContent) && !x.has(record.SegmentToolCall) && len(s.ToolCalls) == 0:
		return reasoning.Truncated
	}
	return reasoning.Present
}

// checkAnswer tells of markers in an answer that was not split.
func (x *Extractor) checkAnswer(s *record.Sample, f *reasoning.Family) {
	if x.holds(record.SegmentContent, f.Open) || x.holds(record.SegmentContent, f.Close) {
		flag(s, reasoning.FlagMarkerInContent)
	}
}

// familyOf is whose markers to look for in what the server split.
func (x *Extractor) familyOf(model string) *reasoning.Family {
	if x.family != nil {
		return x.family
	}
	if f, _ := reasoning.Detect(reasoning.Facts{Model: model, Parser: x.server.family}, reasoning.Plain("")); f != nil {
		return f
	}
	return x.usual
}
