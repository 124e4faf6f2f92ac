package check

import (
	"fmt"
	"strings"

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
	if !c.emptyIsFound(s) {
		return hit{}
	}
	switch {
	case s.Status == string(reasoning.Summary):
		return hit{detail: "the server gave only a summary of the thinking"}
	case s.Status == string(reasoning.Encrypted):
		return hit{detail: "the server gave the thinking encrypted"}
	case IsBlank(s.Reasoning):
		return hit{detail: strings.TrimSuffix("reasoning is "+blankness(s.Reasoning)+", "+lostThought(s), ", "), mark: startOf(s)}
	}
	return hit{}
}

// emptyIsFound reports whether empty reasoning would be a finding of its own.
func (c *Checker) emptyIsFound(s *record.Sample) bool {
	return c.policy.Require == Reasoning && !c.excused && !(c.explained && (IsBlank(s.Content) || isUnclosed(s)))
}

// isUnclosed reports whether the thought did not end, so that it may have been
// taken for the answer (--unclosed content).
func isUnclosed(s *record.Sample) bool {
	return s.Status == string(reasoning.Suspect) || s.Status == string(reasoning.Truncated)
}

func unexpectedReasoning(c *Checker, s *record.Sample) hit {
	if c.policy.Require != NoReasoning || IsBlank(s.Reasoning) {
		return hit{}
	}
	return hit{detail: "reasoning of " + size(s.Reasoning), mark: markAll("reasoning", s.Reasoning)}
}

// emptyContent takes a tool call for an answer.
func emptyContent(c *Checker, s *record.Sample) hit {
	if c.explained || len(s.ToolCalls) > 0 || !IsBlank(s.Content) {
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

func suspectSplit(_ *Checker, s *record.Sample) hit {
	if s.Status != string(reasoning.Suspect) {
		return hit{}
	}
	return hit{detail: "no closing marker, finish reason " + quoted(s.FinishReason)}
}

// tooShort leaves what is empty to other rules.
func tooShort(c *Checker, s *record.Sample) hit {
	least := [...]int{c.policy.Params.ShortReasoning, c.policy.Params.ShortContent}
	for i, p := range texts(s) {
		switch {
		case IsBlank(p.text):
		case !hasWord(p.text):
			return hit{detail: p.name + " is " + quoted(p.text), mark: markAll(p.name, p.text)}
		case !atLeast(p.text, least[i]):
			return hit{detail: fmt.Sprintf("%s has %s, %d are asked for", p.name, size(p.text), least[i]), mark: markAll(p.name, p.text)}
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

// textAfterFinish tells of an answer that the server went on with after it had
// said that it was at its end: such as the whole text sent once more.
func textAfterFinish(_ *Checker, s *record.Sample) hit {
	if !has(s, response.FlagTextAfterFinish) {
		return hit{}
	}
	return hit{detail: "text follows the finish reason " + quoted(s.FinishReason)}
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
		return fmt.Sprintf("%q…", cut(s, most))
	}
	return fmt.Sprintf("%q", s)
}
