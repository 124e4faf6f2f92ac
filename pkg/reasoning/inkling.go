package reasoning

// inkling writes blocks that name their type and share one end:
//
//	<|message_model|><|content_thinking|>…<|end_message|>
//
// The prompt ends with the first <|message_model|>. A tool's name stands before
// the type of its block.
//
// Source: smg's inkling parser.
var inkling = &Family{
	Name: "inkling", Format: Typed, Open: "<|content_thinking|>", Close: "<|end_message|>",
	Signs:  []string{"<|message_model|>", "<|content_text|>"},
	Models: []string{"inkling"}, Blocks: true,
}

// The tokens that typed tells apart, in order.
const (
	blockThinking = iota
	blockCall
)

var typedTokens = tokens{"<|", []string{
	"<|content_thinking|>", "<|content_invoke_tool_json|>", "<|content_text|>",
	"<|message_model|>", "<|end_message|>", "<|content_model_end_sampling|>",
}}

// typed takes one block after the other.
func (s *splitter) typed() {
	start, end, which := typedTokens.next(s.text, 0)
	in := -1
	if s.PromptOpen == Yes && start > 0 && (which >= 0 || s.goesOn()) {
		in = blockThinking
	}
	for at := 0; ; start, end, which = typedTokens.next(s.text, at) {
		switch {
		case in == blockThinking:
			s.thoughtOf(at, start, which >= 0)
		case which == blockCall:
			_, end, _ = typedTokens.next(s.text, end)
			s.out.add(Marker, at, start) // the name, which the call has, too
			s.out.add(Tool, start, end)
			at, in = end, which
			continue
		default:
			s.out.add(Answer, at, start)
		}
		s.out.add(Marker, start, end)
		if at, in = end, which; which < 0 {
			return
		}
	}
}
