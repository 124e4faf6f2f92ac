package extractor

import (
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// choice makes a sample of one of a record's answers.
func (x *Extractor) choice(r *response.Record, c *response.Choice) {
	s := x.sample()
	s.ID, s.Sample, s.Turn, s.Choice = r.ID, r.Sample, r.Turn, c.Index
	s.Messages, s.Meta = r.Messages, r.Meta
	s.ToolCalls, s.FinishReason, s.Model, s.Usage = c.ToolCalls, c.Finish, r.Model, r.Usage
	s.Extract.Rules = x.rules.Name
	x.segments = x.segments[:0]
	kind, served := bestOf(c.Segments)
	if served {
		x.take(s, r, c, kind)
	} else {
		x.splitContent(s, r, c)
		x.readCalls(s, r, c)
	}
	if s.Status == string(reasoning.Suspect) && len(c.ToolCalls) > 0 {
		s.Status = string(reasoning.Present) // the server took the call out that ended the thought
		flag(s, reasoning.FlagEndedByTool)
	}
	if !x.splitOnly {
		x.keep(record.SegmentRefusal, c.Refusal)
	}
	x.fill(s)
	x.flags(s, r, c)
	x.tokens(s, c)
}

// fill makes the texts of a sample of its segments.
func (x *Extractor) fill(s *record.Sample) {
	thought := record.SegmentReasoning
	if s.Status == string(reasoning.Summary) {
		thought = record.SegmentSummary
	}
	s.Reasoning = x.join(x.texts(thought))
	s.Content = x.join(x.texts(record.SegmentContent, record.SegmentRefusal))
	if x.trim {
		s.Reasoning, s.Content = s.Reasoning.TrimSpace(), s.Content.TrimSpace()
	}
	if !x.segmented {
		s.Segments = nil
		return
	}
	if s.Segments = append(s.Segments, x.segments...); s.Segments == nil {
		s.Segments = []record.Segment{} // the key is there
	}
}

// uncounted marks the answers of a record whose server counted tokens of thinking
// while there is none in any: its markers were erased, or it was dropped. The
// white space of an empty block has at most as many tokens as characters.
func (x *Extractor) uncounted(r *response.Record) {
	n := int64(0)
	for i := range x.samples {
		s := &x.samples[i]
		if s.Status != string(reasoning.Absent) && s.Status != string(reasoning.Missing) {
			return
		}
		n += int64(s.Reasoning.Len())
	}
	if r.Usage.Reasoning <= n {
		return
	}
	for i := range x.samples {
		s := &x.samples[i]
		s.Status = string(reasoning.Missing)
		flag(s, FlagTokensWithoutThought)
		x.tokens(s, &r.Choices[i])
	}
}

// flags tells what else is to be known of an answer.
func (x *Extractor) flags(s *record.Sample, r *response.Record, c *response.Choice) {
	for _, f := range [...]struct {
		name string
		set  bool
	}{{FlagCallInThought, x.drafted(r)}, {FlagRefusal, c.Refusal.Len() > 0}, {FlagSimulated, r.Simulated}, {FlagNullFinish, c.Open},
		{FlagHiddenRequest, s.Status == string(reasoning.Missing) && hides(r.Request)},
		{FlagFilledRequest, s.Status == string(reasoning.Missing) && fills(r.Request)}} {
		if f.set {
			flag(s, f.name)
		}
	}
	for _, f := range r.Flags {
		flag(s, f)
	}
}
