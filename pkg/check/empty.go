package check

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// emptyReasoning is the founding accident: an archive without its thinking.
// A server's summary is not what the model was sampled from and counts as none.
// An answer that is there was not kept from its thinking by what ended it.
func emptyReasoning(c *Checker, a *Answer) hit {
	if c.policy.Require != Reasoning || c.explained && (isBlank(a.Sample.Content) || isUnclosed(a.Sample)) {
		return hit{}
	}
	switch s := a.Sample; {
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

func unexpectedReasoning(c *Checker, a *Answer) hit {
	if c.policy.Require != NoReasoning || isBlank(a.Sample.Reasoning) {
		return hit{}
	}
	return hit{detail: "reasoning of " + size(a.Sample.Reasoning)}
}

// emptyContent takes a tool call for an answer.
func emptyContent(c *Checker, a *Answer) hit {
	s := a.Sample
	if c.explained || len(s.ToolCalls) > 0 || !isBlank(s.Content) {
		return hit{}
	}
	return hit{detail: "content is " + blankness(s.Content) + " beside reasoning of " + size(s.Reasoning)}
}

func isBlank(t jsonscan.Text) bool { return t.SkipSpace(0) == t.Len() }

func blankness(t jsonscan.Text) string {
	if t.Len() == 0 {
		return "empty"
	}
	return "white space only"
}

func size(t jsonscan.Text) string { return fmt.Sprintf("%d bytes", len(t.AppendTo(nil))) }

func suspectSplit(_ *Checker, a *Answer) hit {
	if a.Sample.Status != string(reasoning.Suspect) {
		return hit{}
	}
	return hit{detail: "no closing marker, finish reason " + quoted(a.Sample.FinishReason)}
}

// tooShort takes every character beyond ASCII for a letter.
func tooShort(_ *Checker, a *Answer) hit {
	for _, p := range texts(a.Sample) {
		if !isBlank(p.text) && !hasWord(p.text) {
			return hit{detail: p.name + " is " + quoted(p.text)}
		}
	}
	return hit{}
}

// hasWord reports whether there is a letter or digit among the first bytes,
// the letters of escapes aside.
func hasWord(t jsonscan.Text) bool {
	const enough = 256 // a longer text is no placeholder, whatever it holds
	for i := 0; i < min(t.Len(), enough); i++ {
		switch c := t.Raw[i]; {
		case c == '\\':
			if i++; t.Raw[i] == 'u' {
				return true
			}
		case c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z':
			return true
		}
	}
	return t.Len() > enough
}

func missingID(_ *Checker, a *Answer) hit {
	if !a.Sample.ID.IsZero() {
		return hit{}
	}
	return hit{detail: "no id"}
}

func simulated(_ *Checker, a *Answer) hit {
	if !a.Simulated && !a.has(flagSimulated) {
		return hit{}
	}
	return hit{detail: "model " + quoted(a.Sample.Model)}
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
