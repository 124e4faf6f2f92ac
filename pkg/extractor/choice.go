package extractor

import (
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// choice makes a sample of one of a record's answers.
func (x *Extractor) choice(r *response.Record, c *response.Choice) {
	s := x.sample()
	s.ID, s.Sample, s.Turn, s.Choice = r.ID, r.Sample, r.Turn, c.Index
	s.Messages, s.Meta = r.Messages, r.Meta.Raw()
	s.ToolCalls, s.FinishReason, s.Model, s.Usage = c.ToolCalls, c.Finish, r.Model, r.Usage
	s.Extract.Rules = x.rules.Name
	x.thoughts, x.answers = x.thoughts[:0], x.answers[:0]
	if !x.taken(s, c) {
		x.splitContent(s, r, c)
	}
	if s.Status == string(reasoning.Suspect) && len(c.ToolCalls) > 0 {
		s.Status = string(reasoning.Present) // the server took the call out that ended the thought
		flag(s, reasoning.FlagEndedByTool)
	}
	s.Reasoning, s.Content = x.join(x.thoughts), x.join(x.answers)
	if x.trim {
		s.Reasoning, s.Content = s.Reasoning.TrimSpace(), s.Content.TrimSpace()
	}
	for _, f := range [...]struct {
		name string
		set  bool
	}{{FlagRefusal, c.Refusal.Len() > 0}, {FlagSimulated, r.Simulated}, {FlagNullFinish, c.Open}} {
		if f.set {
			flag(s, f.name)
		}
	}
	if s.Status == string(reasoning.Absent) && r.Usage.Reasoning > 0 {
		s.Status = string(reasoning.Missing)
		flag(s, FlagTokensWithoutThought)
	}
	for _, f := range r.Flags {
		flag(s, f)
	}
}
