package response

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Cut is what there is of an answer that the token limit cut and that can be gone
// on with, with the parts before it; ok is false for every other. Calls cannot:
// what the server took for one is not the text that the model wrote.
func (r *Record) Cut() (p record.Part, ok bool) {
	if r.Failure != nil || len(r.Choices) != 1 {
		return p, false
	}
	c := &r.Choices[0]
	if !lengthEnded(c.Finish) || len(c.ToolCalls) > 0 || c.Refusal.Len() > 0 {
		return p, false
	}
	p.Tokens = r.Continues.Tokens + max(r.Usage.Completion, 0)
	for _, g := range r.joined(c) {
		switch g.Kind {
		case Reasoning:
			p.Reasoning = join(p.Reasoning, g.Text)
		case Content:
			p.Content = join(p.Content, g.Text)
		default:
			return p, false
		}
	}
	return p, p.Reasoning.Len()+p.Content.Len() > 0
}

// Join puts the parts before it in front of each answer of a record that goes on
// from them.
func (r *Record) Join() {
	if r.Continues.ID == "" {
		return
	}
	for i := range r.Choices {
		r.Choices[i].Segments = r.joined(&r.Choices[i])
		r.Choices[i].TokenIDs, r.Choices[i].PromptTokenIDs = nil, nil // of a part alone
	}
	r.Usage = usageOfAll(r.Usage, r.Continues.Tokens)
	r.Flags = addOnce(r.Flags, FlagContinued)
}

// usageOfAll is the usage of a request that went on from a number of tokens: they were
// made, and stood in its prompt.
func usageOfAll(u record.Usage, before int64) record.Usage {
	if u.Completion >= 0 {
		u.Completion += before
	}
	switch {
	case u.Prompt >= before:
		u.Prompt -= before
	case u.Total >= 0: // the server does not count what it goes on from
		u.Total += before
	}
	return u
}

// joined are the segments of an answer behind those of the parts before. Once the
// answer had begun there is no more thinking, whatever a server says that sees
// the rest alone.
func (r *Record) joined(c *Choice) []Segment {
	before := r.Continues
	if before.ID == "" {
		return c.Segments
	}
	var all []Segment
	if before.Reasoning.Len() > 0 {
		all = append(all, Segment{Reasoning, sourceOf(c, Reasoning, "reasoning_content"), before.Reasoning})
	}
	if before.Content.Len() > 0 {
		all = append(all, Segment{Content, sourceOf(c, Content, "content"), before.Content})
	}
	for _, g := range c.Segments {
		if g.Kind == Reasoning && before.Reasoning.Len() > 0 && before.Content.Len() > 0 {
			g.Kind = Content
		}
		all = append(all, g)
	}
	return all
}

// sourceOf is the field that texts of a kind come from.
func sourceOf(c *Choice, kind SegmentKind, usual string) string {
	for _, g := range c.Segments {
		if g.Kind == kind {
			return g.Source
		}
	}
	return usual
}

func join(a, b jsonscan.Text) jsonscan.Text {
	if a.Len() == 0 {
		return b
	}
	return jsonscan.Text{Raw: append(append([]byte(nil), a.Raw...), b.Raw...), Flags: a.Flags | b.Flags}
}

// lengthEnded reports whether a finish reason is one of the token limit's.
func lengthEnded(finish jsonscan.Text) bool {
	for _, reason := range [...]string{"length", "max_tokens", "model_length", "max_output_tokens"} {
		if finish.Equal(reason) {
			return true
		}
	}
	return false
}
