package reasoning

import (
	"slices"
	"strings"
)

// Tri is a fact that may be unknown.
type Tri int8

const (
	Unknown Tri = iota
	Yes
	No
)

func tri(b bool) Tri {
	if b {
		return Yes
	}
	return No
}

// Facts are what is known about an answer besides its text.
type Facts struct {
	Model    string // as the response names it, else the request; "" unknown
	Thinking Tri    // switched on or off by the request, by the family's own switches
	Finish   string // finish reason; "" when the server gave none
	// PromptOpen: the rendered prompt is known to end inside a thought, or not to.
	PromptOpen Tri
	Parser     *Family // whose parser the server was started with, nil for none or unknown; for [Detect]
}

// Cut reports whether a finish reason, in whatever case, says that a limit of tokens
// ended the text: OpenAI's and most servers' "length", Anthropic's and Bedrock's
// "max_tokens" and "model_context_window_exceeded", Gemini's and Cohere's
// "MAX_TOKENS", Mistral's "model_length", Responses' "max_output_tokens" and
// "incomplete". For a stream that broke off the caller says "length".
func Cut(finish string) bool {
	return slices.ContainsFunc(cuts[:], func(reason string) bool {
		return len(reason) == len(finish) && strings.EqualFold(reason, finish)
	})
}

var cuts = [...]string{
	"length", "max_tokens", "model_context_window_exceeded", "model_length", "max_output_tokens", "max_completion_tokens", "incomplete",
}
