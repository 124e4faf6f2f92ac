package extractor

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// taken takes the thinking that the server told apart itself, and reports
// whether there was any. Its content is not split again: only closing markers
// at the very beginning go, others are told of.
func (x *Extractor) taken(s *record.Sample, c *response.Choice) bool {
	kind, found := kindOf(c.Segments)
	if !found {
		return false
	}
	s.Extract.Family = "none"
	if x.family != nil {
		s.Extract.Family = x.family.Name
	}
	f := x.familyOf(x.model)
	for _, g := range c.Segments {
		switch {
		case g.Kind == response.Content:
			x.answer(s, f, g.Text)
			continue
		case g.Kind == response.Summary && kind != g.Kind:
			flag(s, FlagSummaryLeftOut)
		case g.Kind == kind && kind != response.Encrypted:
			x.thoughts = append(x.thoughts, g.Text)
		}
		if g.Kind == kind && s.Extract.Source == "" {
			s.Extract.Source = g.Source
		}
	}
	s.Status = string(x.statusOf(kind, c))
	x.checkAnswer(s, f)
	if holds(x.thoughts, f.Close) {
		flag(s, FlagCloserInThought)
	}
	return true
}

// answer takes a text of the answer. Closing markers with which the first one
// begins ended the thought that the server took: they are in neither.
func (x *Extractor) answer(s *record.Sample, f *reasoning.Family, t jsonscan.Text) {
	if len(x.answers) == 0 && (x.auto || x.family != nil) {
		for at, end := leading(t, f.Close); end >= 0; at, end = leading(t, f.Close) {
			x.answers = append(x.answers, t.Slice(0, at))
			t = t.Slice(end, t.Len())
			flag(s, reasoning.FlagRepeatedCloser)
		}
	}
	x.answers = append(x.answers, t)
}

// leading is where a marker stands that only white space precedes; end is -1 when none does.
func leading(t jsonscan.Text, marker string) (at, end int) {
	at = t.SkipSpace(0)
	return at, t.Match(marker, at)
}

// kindOf is the best of what a server says of the thinking: the thoughts
// themselves, a summary, or something that only it can read.
func kindOf(segments []response.Segment) (kind response.SegmentKind, found bool) {
	for _, g := range segments {
		if g.Kind != response.Content && (!found || g.Kind < kind) {
			kind, found = g.Kind, true
		}
	}
	return kind, found
}

func (x *Extractor) statusOf(kind response.SegmentKind, c *response.Choice) reasoning.Status {
	switch {
	case kind == response.Summary:
		return reasoning.Summary
	case kind == response.Encrypted:
		return reasoning.Encrypted
	case blank(x.thoughts):
		return reasoning.Missing
	case reasoning.Cut(finishOf(c)) && blank(x.answers) && len(c.ToolCalls) == 0:
		return reasoning.Truncated
	}
	return reasoning.Present
}

// blank reports whether texts hold nothing but white space.
func blank(texts []jsonscan.Text) bool {
	for _, t := range texts {
		if t.SkipSpace(0) < t.Len() {
			return false
		}
	}
	return true
}

// checkAnswer tells of markers in an answer that was not split.
func (x *Extractor) checkAnswer(s *record.Sample, f *reasoning.Family) {
	if holds(x.answers, f.Open) || holds(x.answers, f.Close) {
		flag(s, reasoning.FlagMarkerInContent)
	}
}

// familyOf is whose markers to look for in what the server split.
func (x *Extractor) familyOf(model string) *reasoning.Family {
	if x.family != nil {
		return x.family
	}
	if f, _ := reasoning.Detect(reasoning.Facts{Model: model}, reasoning.Plain("")); f != nil {
		return f
	}
	return x.usual
}

// holds reports whether a marker stands in one of texts.
func holds(texts []jsonscan.Text, marker string) bool {
	if marker == "" {
		return false
	}
	for _, t := range texts {
		if at, _ := t.Find(marker, 0); at >= 0 {
			return true
		}
	}
	return false
}
