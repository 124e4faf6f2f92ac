package check

import (
	"bytes"
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// leastCopy is how many characters the shorter of two texts must have before
// it says anything that it stands in the other: "42" may well be both.
const leastCopy = 64

// copiedText finds a server or script that gave one text twice: the same as
// thinking and as answer, the answer still behind the thinking that it ended,
// or the thinking still before the answer. A model that drafts its whole answer
// at the very end of the thought looks like the second.
func copiedText(c *Checker, s *record.Sample) hit {
	thought, answer := s.Reasoning.TrimSpace(), s.Content.TrimSpace()
	least := c.policy.leastCopy()
	if !atLeast(thought, least) || !atLeast(answer, least) {
		return hit{}
	}
	// Both came out of one text, so that they are spelled in one way.
	switch {
	case bytes.Equal(thought.Raw, answer.Raw):
		return hit{detail: "reasoning and content are the same " + size(answer), mark: markAll("content", answer)}
	case bytes.HasPrefix(answer.Raw, thought.Raw):
		return hit{detail: "content begins with all of the reasoning, " + size(thought), mark: mark{part: "content", text: answer.Raw, end: thought.Len()}}
	case bytes.HasSuffix(thought.Raw, answer.Raw):
		return hit{detail: "reasoning ends with all of the content, " + size(answer),
			mark: mark{part: "reasoning", text: thought.Raw, start: thought.Len() - answer.Len(), end: thought.Len()}}
	}
	return hit{}
}

// markAll marks a whole text.
func markAll(part string, t jsonscan.Text) mark {
	return mark{part: part, text: t.Raw, end: t.Len()}
}

// atLeast reports whether a text has n characters.
func atLeast(t jsonscan.Text, n int) bool {
	if t.Len() < n {
		return false
	}
	for range characters(t) {
		if n--; n <= 0 {
			return true
		}
	}
	return n <= 0
}

// runes is the number of characters of a piece of JSON text.
func runes(raw []byte) (n int) {
	for range characters(jsonscan.Text{Raw: raw, Flags: anyFlags}) {
		n++
	}
	return n
}

func size(t jsonscan.Text) string { return fmt.Sprintf("%d characters", runes(t.Raw)) }
