package reasoning

// kimiK3 frames everything: <|open|>think<|sep|>…<|close|>think<|sep|>, then a
// response or tools in the same way. The template opens the thought. A response
// or tools that begin end it, too; a text that nothing but the end of a
// response closes is an answer that went into the thought's place.
//
// Source: smg's kimi_k3 parser and SGLang's.
var kimiK3 = &Family{
	Name: "kimi_k3", Format: XTML, Opener: ByTemplate,
	Open: "<|open|>think<|sep|>", Close: "<|close|>think<|sep|>",
	AnswerOpen: []string{"<|open|>response<|sep|>"}, AnswerClose: []string{"<|close|>response<|sep|>"},
	Tools: []string{"<|open|>tools<|sep|>"}, Switches: thinking, Blocks: true, KeepHistory: true,
	Models: []string{"kimi-k3"}, Signs: []string{"<|open|>response<|sep|>", "<|open|>tools<|sep|>"},
}

// The marks of blocks, in order.
const (
	openThink = iota
	openResponse
	openTools
	closeThink
	closeResponse
	closeTools
	closeMessage
)

var xtmlTokens = tokens{"<|", []string{
	"<|open|>think<|sep|>", "<|open|>response<|sep|>", "<|open|>tools<|sep|>",
	"<|close|>think<|sep|>", "<|close|>response<|sep|>", "<|close|>tools<|sep|>", "<|close|>message<|sep|>",
}}

// xtml takes one block after the other.
func (s *splitter) xtml() {
	start, end, which := xtmlTokens.next(s.text, 0)
	in := openResponse
	if s.opened(start, which) {
		in = openThink
	}
	for at := 0; ; start, end, which = xtmlTokens.next(s.text, at) {
		if which < 0 {
			end = start
			start = xtmlTokens.partial(s.text, at)
		}
		if in == openThink {
			s.thoughtOf(at, start, which >= 0)
		} else {
			s.out.add(Answer, at, start)
		}
		if which == openTools {
			end = closing(s.text, end)
			s.out.add(Tool, start, end)
		} else {
			s.out.add(Marker, start, end)
		}
		if at, in = end, which; which < 0 {
			return
		}
	}
}

// opened reports whether the text begins inside a thought, whose first mark
// stands at start.
func (s *splitter) opened(start, which int) bool {
	blank := s.text.SkipSpace(0) >= start
	switch {
	case s.start == StartInThought:
		return which != openThink || !blank
	case s.start == StartInAnswer:
		return false
	case which < 0:
		return s.unmarked()
	case which == closeThink:
		return true
	}
	return !blank && s.PromptOpen == Yes && (which == openResponse || which == openTools)
}

// closing is where the tools end whose first mark ends at from.
func closing(t Text, from int) int {
	for {
		_, end, which := xtmlTokens.next(t, from)
		if which == closeTools || which < 0 {
			return end
		}
		from = end
	}
}
