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
	if why := badTokenIDs(s); why != "" {
		return hit{detail: why}
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

// badTokenIDs compares the archived ids with what the server counted and with the
// text. The last token may be left out of either. Several choices are counted
// together, which looks like half of the ids or fewer.
func badTokenIDs(s *record.Sample) string {
	if s.TokenIDs == nil {
		return ""
	}
	n, ok := countIDs(s.TokenIDs)
	asked, askedOK := countIDs(s.PromptTokenIDs)
	const markup = 64 // see tokenMismatch
	switch u := s.Usage; {
	case !ok || !askedOK:
		return "token ids are not all whole numbers"
	case u.Completion >= 0 && (n > u.Completion+1 || n < u.Completion-1 && 2*n > u.Completion):
		return fmt.Sprintf("%d token ids, but %d completion tokens are counted", n, u.Completion)
	case s.PromptTokenIDs != nil && asked > 0 && u.Prompt >= 0 && asked != u.Prompt:
		return fmt.Sprintf("%d token ids of the prompt, but %d prompt tokens are counted", asked, u.Prompt)
	case n > int64(length(s)+length(s)/8+markup):
		return fmt.Sprintf("%d token ids for %d bytes of text", n, length(s))
	case n == 0 && length(s) > 0:
		return fmt.Sprintf("no token ids for %d bytes of text", length(s))
	case int64(s.AnswerTokenIndex) > n:
		return fmt.Sprintf("the answer begins at token %d of %d", s.AnswerTokenIndex, n)
	}
	return ""
}

// countIDs counts the elements of a raw JSON array, all of which must be whole
// numbers from 0 on; 0 for none.
func countIDs(raw []byte) (n int64, ok bool) {
	if raw == nil {
		return 0, true
	}
	digits := false
	for i, c := range raw {
		switch {
		case '0' <= c && c <= '9':
			if !digits {
				n++
			}
			digits = true
			continue
		case c == ',' || c == ' ' || c == '\n' || c == '\t' || c == '\r':
		case c == '[' && i == 0 || c == ']' && i == len(raw)-1:
		default:
			return n, false
		}
		digits = false
	}
	return n, true
}

// addsUp allows for servers that count thinking apart from the completion.
func addsUp(u record.Usage) bool {
	sum := u.Prompt + u.Completion
	return u.Total == sum || u.Reasoning > 0 && u.Total == sum+u.Reasoning
}

// hidesThinking reports whether tokens were spent on text that is not there.
func hidesThinking(s *record.Sample) bool {
	return s.Usage.Reasoning > 0 && IsBlank(s.Reasoning) ||
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
