package check

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// tokenMismatch asks only what no tokenizer can explain. More tokens than bytes
// mean that text was lost on the way, such as thinking that a server dropped;
// a hundred bytes a token that the counts are another answer's.
func tokenMismatch(c *Checker, s *record.Sample) hit {
	u := s.Usage
	if u.Total >= 0 && u.Prompt >= 0 && u.Completion >= 0 && !addsUp(u) {
		return hit{detail: fmt.Sprintf("%d prompt and %d completion tokens, but %d in total", u.Prompt, u.Completion, u.Total)}
	}
	if u.Completion < 0 || hidesThinking(s) {
		return hit{}
	}
	const (
		most   = 128 // bytes a token: tokenizers hold runs of that many spaces
		markup = 64  // tokens that leave no text: markers, names, delimiters
	)
	n := int64(length(s))
	switch {
	case u.Completion > n+n/8+markup:
		return hit{detail: fmt.Sprintf("%d completion tokens for %d bytes of text", u.Completion, n)}
	case n > u.Completion*most+markup:
		return hit{detail: fmt.Sprintf("%d bytes of text from %d completion tokens", n, u.Completion)}
	}
	return hit{}
}

// addsUp allows for servers that count thinking apart from the completion.
func addsUp(u record.Usage) bool {
	sum := u.Prompt + u.Completion
	return u.Total == sum || u.Reasoning > 0 && u.Total == sum+u.Reasoning
}

// hidesThinking reports whether tokens were spent on text that is not there.
func hidesThinking(s *record.Sample) bool {
	return s.Usage.Reasoning > 0 && isBlank(s.Reasoning) ||
		s.Status == string(reasoning.Summary) || s.Status == string(reasoning.Encrypted)
}

// length is the bytes of text of an answer, escaped: a bound that costs nothing.
func length(s *record.Sample) int {
	n := s.Reasoning.Len() + s.Content.Len()
	for _, c := range s.ToolCalls {
		n += c.Name.Len() + c.Arguments.Len()
	}
	return n
}
