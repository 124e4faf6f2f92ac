package check

import (
	"fmt"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// erasedMarker finds thinking that took place and is not where it belongs,
// where empty reasoning is not itself a finding: servers that strip special
// tokens erase the markers of some families and leave the thought in the answer.
// What an answer sounds like is never more than a hint.
func erasedMarker(c *Checker, s *record.Sample) hit {
	switch {
	case has(s, reasoning.FlagErasedMarkers):
		return hit{detail: "the markers were erased, words of channel names told thought and answer apart"}
	case c.emptyIsFound(s) || !IsBlank(s.Reasoning):
		return hit{}
	case isSealed(s):
		return hit{}
	}
	if why := lostThought(s); why != "" {
		return hit{detail: why, mark: startOf(s)}
	}
	return hit{}
}

// isSealed reports whether the server keeps the thinking to itself.
func isSealed(s *record.Sample) bool {
	return s.Status == string(reasoning.Summary) || s.Status == string(reasoning.Encrypted)
}

// lostThought says what tells of thinking that is not in the reasoning, "" for
// nothing.
func lostThought(s *record.Sample) string {
	if s.Usage.Reasoning > 0 {
		return fmt.Sprintf("%d reasoning tokens are counted and there is no reasoning", s.Usage.Reasoning)
	}
	if n := thoughtlike(s.Content); n > 0 {
		return fmt.Sprintf("content begins like a thought: %q", s.Content.TrimSpace().Slice(0, n).String())
	}
	return ""
}

// startOf marks what an answer begins with in place of a thought.
func startOf(s *record.Sample) mark {
	answer := s.Content.TrimSpace()
	if answer.Len() == 0 {
		return mark{}
	}
	return mark{part: "content", text: answer.Raw, end: thoughtlike(answer)}
}

// thoughtStarts are beginnings of thoughts that no answer to a user has: they
// speak of the user, or to oneself. Collected from thoughts of DeepSeek-R1,
// Qwen3, gpt-oss, Kimi, GLM, Nemotron, Gemma and MiniMax.
var thoughtStarts = [...]string{
	"Okay, so ", "Ok, so ", "Okay, let", "Okay, the user", "Okay, I need to", "Alright, so ", "Alright, let", "Alright, the user",
	"Hmm, ", "Hmm. ", "Hmm... ", "Hm, ", "Wait, ",
	"The user ", "User asks", "User wants", "We need to ", "We have to ", "We are asked", "We are given", "I need to figure out",
	"Let me figure out", "First, I need to figure out", "Got it, ", "So, the user", "So the user",
	"Thinking Process:", "Here's a thinking process", "Here's my thinking process",
	"嗯，", "好的，用户", "用户", "首先，用户", "好，我", "我们需要", "我们被问",
}

// thoughtlike is how much of a text's beginning, after white space, is that of
// a thought, in bytes of Raw; 0 for none.
func thoughtlike(t jsonscan.Text) int {
	t = t.TrimSpace()
	for _, start := range thoughtStarts {
		if end := t.Match(start, 0); end > 0 {
			return end
		}
	}
	return 0
}

// channelName is the name of the channel with which a thought begins when a
// server took the markers around it for special tokens and left what stood
// between them: Gemma 4's <|channel>thought, and harmony's.
func channelName(thought jsonscan.Text) int {
	for _, name := range [...]string{"thought\n", "analysis\n"} {
		if end := thought.Match(name, 0); end > 0 {
			return end
		}
	}
	return 0
}

// leftovers tells of markers that extract took out of the way and of names that
// stand without theirs.
func leftovers(s *record.Sample) hit {
	if end := channelName(s.Reasoning); end > 0 {
		name := strings.TrimSpace(s.Reasoning.Slice(0, end).String())
		return hit{detail: fmt.Sprintf("reasoning begins with the channel name %q", name), mark: mark{part: "reasoning", text: s.Reasoning.Raw, end: end}}
	}
	if has(s, reasoning.FlagRepeatedCloser) {
		return hit{detail: "a closing marker too many was cut out before the content", soft: true}
	}
	return hit{}
}
