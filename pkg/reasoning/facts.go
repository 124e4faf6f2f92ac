package reasoning

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

// Cut reports whether a finish reason says that the token limit ended the text:
// OpenAI's and most servers' "length", Anthropic's "max_tokens", Gemini's
// "MAX_TOKENS", Mistral's "model_length", Responses' "max_output_tokens". For a
// stream that broke off the caller says "length".
func Cut(finish string) bool {
	switch finish {
	case "length", "max_tokens", "MAX_TOKENS", "model_length", "max_output_tokens":
		return true
	}
	return false
}
