package check

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// emptyReasoning is the founding accident: an archive without its thinking.
// A server's summary is not what the model was sampled from and counts as none.
// An answer that is there was not kept from its thinking by what ended it.
func emptyReasoning(c *Checker, s *record.Sample) hit {
	if c.policy.Require != Reasoning || c.explained && (isBlank(s.Content) || isUnclosed(s)) {
		return hit{}
	}
	switch {
	case s.Status == string(reasoning.Summary):
		return hit{detail: "the server gave only a summary of the thinking"}
	case s.Status == string(reasoning.Encrypted):
		return hit{detail: "the server gave the thinking encrypted"}
	case isBlank(s.Reasoning):
		return hit{detail: "reasoning is " + blankness(s.Reasoning)}
	}
	return hit{}
}

// isUnclosed reports whether the thought did not end, so that it may have been
// taken for the answer (--unclosed content).
func isUnclosed(s *record.Sample) bool {
	return s.Status == string(reasoning.Suspect) || s.Status == string(reasoning.Truncated)
}

func unexpectedReasoning(c *Checker, s *record.Sample) hit {
	if c.policy.Require != NoReasoning || isBlank(s.Reasoning) {
		return hit{}
	}
	return hit{detail: "reasoning of " + size(s.Reasoning)}
}

// emptyContent takes a tool call for an answer.
func emptyContent(c *Checker, s *record.Sample) hit {
	if c.explained || len(s.ToolCalls) > 0 || !isBlank(s.Content) {
		return hit{}
	}
	return hit{detail: "content is " + blankness(s.Content) + " beside reasoning of " + size(s.Reasoning)}
}

func blankness(t jsonscan.Text) string {
	if t.Len() == 0 {
		return "empty"
	}
	return "blank"
}

func size(t jsonscan.Text) string { return fmt.Sprintf("%d bytes", len(t.AppendTo(nil))) }

func suspectSplit(_ *Checker, s *record.Sample) hit {
	if s.Status != string(reasoning.Suspect) {
		return hit{}
	}
	return hit{detail: "no closing marker, finish reason " + quoted(s.FinishReason)}
}

func tooShort(_ *Checker, s *record.Sample) hit {
	for _, p := range texts(s) {
		if !isBlank(p.text) && !hasWord(p.text) {
			return hit{detail: p.name + " is " + quoted(p.text)}
		}
	}
	return hit{}
}

// twoStreams tells of what was passed over behind the end of an event stream,
// such as another answer.
func twoStreams(_ *Checker, s *record.Sample) hit {
	if !has(s, response.FlagAfterEnd) {
		return hit{}
	}
	return hit{detail: "something stands behind the end of the stream"}
}

func missingID(_ *Checker, s *record.Sample) hit {
	if !s.ID.IsZero() {
		return hit{}
	}
	return hit{detail: "no id"}
}

func simulated(_ *Checker, s *record.Sample) hit {
	if !has(s, extractor.FlagSimulated) {
		return hit{}
	}
	return hit{detail: "model " + quoted(s.Model)}
}

// quoted is a text for a finding's detail, its beginning when it is long.
func quoted(t jsonscan.Text) string {
	const most = 80
	s := t.String()
	if len(s) > most {
		s = s[:most] + "…"
	}
	return fmt.Sprintf("%q", s)
}
