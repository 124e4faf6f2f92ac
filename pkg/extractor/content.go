package extractor

import (
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// splitContent splits a content that the server left whole. The texts of an
// agent's run were generated one by one and are split one by one.
func (x *Extractor) splitContent(s *record.Sample, r *response.Record, c *response.Choice) {
	x.contents = x.contents[:0]
	for _, g := range c.Segments {
		x.contents = append(x.contents, g.Text)
	}
	if len(x.contents) < 2 || !slices.Contains(r.Flags, response.FlagSeveralTurns) {
		x.contents = append(x.contents[:0], x.join(x.contents))
	}
	for i, t := range x.contents {
		finish := ""
		if i == len(x.contents)-1 {
			finish = finishOf(c)
		}
		if status := x.splitText(s, r, t, finish); i == 0 || rank(status) > rank(reasoning.Status(s.Status)) {
			s.Status = string(status)
		}
	}
	if len(x.thoughts) > 0 {
		s.Extract.Source = c.Segments[0].Source
	}
}

// splitText splits one text and keeps its pieces.
func (x *Extractor) splitText(s *record.Sample, r *response.Record, t jsonscan.Text, finish string) reasoning.Status {
	x.text = t
	facts := reasoning.Facts{Model: x.model, Finish: finish}
	f := x.choose(s, facts)
	facts.Thinking, facts.PromptOpen = asked(r, f, x.model)
	x.rules.Split(f, facts, &x.text, &x.split)
	if x.split.Status == reasoning.Missing && softOff(r.Messages, f) {
		facts.Thinking = reasoning.No
		x.rules.Split(f, facts, &x.text, &x.split)
	}
	for _, g := range x.split.Segments {
		switch piece := t.Slice(g.Start, g.End); g.Kind {
		case reasoning.Thinking:
			x.thoughts = append(x.thoughts, piece)
		case reasoning.Answer:
			x.answers = append(x.answers, piece)
		}
	}
	for _, name := range x.split.Flags {
		flag(s, name)
	}
	if f == nil {
		x.checkAnswer(s, x.familyOf(x.model))
	}
	return x.split.Status
}

// choose is the family that splits x.text, nil for none; it is told in s.
func (x *Extractor) choose(s *record.Sample, facts reasoning.Facts) *reasoning.Family {
	f := x.family
	if x.auto {
		var why string
		f, why = reasoning.Detect(facts, &x.text)
		flag(s, autoFlag(why))
	}
	if f != nil {
		s.Extract.Family = f.Name
	} else if s.Extract.Family == "" {
		s.Extract.Family = "none"
	}
	return f
}

// join is the text of several pieces, in order.
func (x *Extractor) join(pieces []jsonscan.Text) jsonscan.Text {
	switch len(pieces) {
	case 0:
		return jsonscan.Text{}
	case 1:
		return pieces[0]
	}
	at := len(x.joined)
	var whole jsonscan.Text
	for _, p := range pieces {
		x.joined = append(x.joined, p.Raw...)
		whole.Flags |= p.Flags
	}
	whole.Raw = x.joined[at:len(x.joined):len(x.joined)]
	return whole
}

// finishOf is a finish reason as reasoning wants to know it: "length" for every
// spelling of the token limit, "" for none.
func finishOf(c *response.Choice) string {
	for _, reason := range [...]string{"length", "max_tokens", "MAX_TOKENS", "model_length", "max_output_tokens"} {
		if c.Finish.Equal(reason) {
			return "length"
		}
	}
	if c.HasFinish {
		return "stop"
	}
	return ""
}

// rank orders the status of several texts by what the whole answer is.
func rank(s reasoning.Status) int {
	return slices.Index([]reasoning.Status{reasoning.Absent, reasoning.Missing, reasoning.Present, reasoning.Suspect, reasoning.Truncated}, s)
}
