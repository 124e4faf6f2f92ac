package reasoning

// gptOSS writes harmony: messages of the form
//
//	<|start|>assistant<|channel|>analysis<|message|>…<|end|>
//
// The prompt ends with the first <|start|>assistant. The channel analysis is
// the thought, final the answer, commentary a remark to the user; a message
// with a recipient, in either part of its header, is a call. <|return|> ends
// the last message, <|call|> a call, and <|start|> or <|channel|> the message
// they stand in. A server that erases special tokens leaves the words:
// analysis…assistantfinal…
//
// Source: openai/harmony and the parsers of SGLang, vLLM, llama.cpp and Ollama.
var gptOSS = &Family{
	Name: "gpt_oss", Aliases: []string{"openai_gptoss", "harmony"}, Format: Harmony,
	Open: "<|channel|>analysis<|message|>", Close: "<|end|>",
	Signs:  []string{"<|channel|>", "<|start|>assistant"},
	Models: []string{"gpt-oss"}, Blocks: true,
}

// The tokens that build messages, in order.
const (
	tokenStart = iota
	tokenChannel
	tokenMessage
	tokenEnd
	tokenReturn
	tokenCall
)

var harmonyTokens = tokens{"<|", []string{"<|start|>", "<|channel|>", "<|message|>", "<|end|>", "<|return|>", "<|call|>"}}

// channel is what a message is.
type channel uint8

const (
	noChannel channel = iota
	analysis
	commentary
	final
	unknownChannel
)

// conversation is a text of messages.
type conversation struct {
	*splitter
	recipients search
	spaces     search
}

// harmony takes one message after the other.
func (s *splitter) harmony() {
	if s.erased() {
		return
	}
	c := conversation{splitter: s}
	for at := c.resumed(); at < s.text.Len(); {
		at = c.message(at)
	}
}

// resumed takes the rest of a thought that the prompt is known to have begun.
func (c *conversation) resumed() (next int) {
	if c.PromptOpen != Yes || c.begins(0) {
		return 0
	}
	end, next, which := c.body(0)
	if which < 0 && !c.goesOn() {
		return 0
	}
	c.thoughtOf(0, end, which >= 0)
	c.out.add(Marker, end, next)
	return next
}

// message takes the message that begins at from and returns where the next one does.
func (c *conversation) message(from int) (next int) {
	h, ok := c.header(from)
	if !ok {
		return c.bare(from)
	}
	end, next, which := c.body(h.end)
	if h.channel == unknownChannel && !h.call {
		c.out.flag(FlagUnknownChannel)
	}
	if h.other {
		c.out.flag(FlagOtherRole)
	}
	switch {
	case h.call:
		c.out.add(Tool, from, next)
		return next
	case h.channel == analysis && !h.other:
		c.out.add(Marker, from, h.end)
		c.thoughtOf(h.end, end, which >= 0)
	case c.rules.Channels == ChannelsKnown && (h.channel == unknownChannel || h.channel == commentary && which < tokenEnd):
		c.out.flag(FlagTextDropped)
		c.out.add(Marker, from, end)
	default:
		c.out.add(Marker, from, h.end)
		c.out.add(Answer, h.end, end)
	}
	c.out.add(Marker, end, next)
	return next
}

// body is where the message ends whose text begins at from, where the next one
// begins, and the token between them: -1 at the end of the text.
func (c *conversation) body(from int) (end, next, which int) {
	end, next, which = c.token(from)
	for which == tokenMessage {
		end, next, which = c.token(next)
	}
	if which == tokenStart || which == tokenChannel {
		next = end
	}
	return end, next, which
}

// token is the next token in a text at or after from. One that the text writes
// about, alone or with the rest of its header between two marks, is text.
func (c *conversation) token(from int) (start, end, which int) {
	for {
		start, end, which = harmonyTokens.next(c.text, from)
		if which < 0 || c.rules.Quoted == QuotedMarks {
			return start, end, which
		}
		if from = c.headerEnd(end, which); !enclosed(c.text, start, from) && !marked(c.text, start, from) {
			return start, end, which
		}
	}
}

// headerEnd is where the header ends whose token which ends at end, when it is short.
func (c *conversation) headerEnd(end, which int) int {
	const longest = len("commentary to=functions.a_name_of_a_function <|constrain|>json")
	for which == tokenStart || which == tokenChannel {
		start, after, next := harmonyTokens.next(c.text, end)
		if next < 0 || start-end > longest {
			break
		}
		end, which = after, next
	}
	return end
}

// marked reports whether two of the marks of code and speech stand right around
// what begins at start and ends at end.
func marked(t Text, start, end int) bool {
	return opens(t, Pair{"`", "`"}, start) && t.Match("`", end) >= 0 || opens(t, Pair{`"`, `"`}, start) && t.Match(`"`, end) >= 0
}

// bare takes text without a header, and tokens where no message is.
func (c *conversation) bare(from int) (next int) {
	start, end, which := c.token(from)
	kind := Answer
	if c.text.SkipSpace(from) < start && (from > 0 || which >= 0) {
		c.out.flag(FlagBrokenHeader)
		if c.rules.Channels == ChannelsKnown {
			c.out.flag(FlagTextDropped)
			kind = Marker
		}
	}
	c.out.add(kind, from, start)
	if which == tokenStart || which == tokenChannel {
		return start
	}
	c.out.add(Marker, start, end)
	return end
}

// header is what the header of a message says, and where it ends.
type header struct {
	end     int
	channel channel
	call    bool // it names a recipient
	other   bool // it names another role than the assistant
}

// header reads the header at from. One without its last token ends where the
// words stop to be a header's.
func (c *conversation) header(from int) (h header, ok bool) {
	if !c.begins(from) {
		return h, false
	}
	for at, before := from, -1; ; {
		start, end, which := harmonyTokens.next(c.text, at)
		words := c.words(at, start, before, &h)
		switch {
		case which == tokenMessage:
			h.end = end
			return h, true
		case words < start, which != tokenChannel && (which != tokenStart || at > from):
			c.out.flag(FlagBrokenHeader)
			h.end = words
			return h, true
		}
		at, before = end, which
	}
}

// begins reports whether a header begins at from: at a token, or at the
// beginning of the text, whose prompt has the first token of it.
func (c *conversation) begins(from int) bool {
	start, _, which := harmonyTokens.next(c.text, from)
	if start == from {
		return tokenStart <= which && which <= tokenMessage
	}
	var h header
	return from == 0 && (which == tokenChannel || which == tokenMessage) && c.words(from, start, -1, &h) == start
}

// words reads what stands from from to to, between two tokens of a header, and
// returns where it stops to be a header's: to when all of it is.
func (c *conversation) words(from, to, before int, h *header) int {
	at := c.text.SkipSpace(from)
	if at >= to {
		return to
	}
	name, end := c.name(at)
	if before == tokenStart && name == unknownChannel {
		return c.role(at, to, h)
	}
	if before == tokenChannel || before < 0 && name != unknownChannel {
		h.channel = name
	}
	h.call = h.call || c.recipient(from, to)
	if at = c.text.SkipSpace(end); at >= to || matchAny(c.text, []string{"to=", "<|constrain|>"}, at) >= 0 {
		return to
	}
	return end
}

// role reads a role other than the assistant's, which is one word: the message is
// somebody else's, whom the model speaks for.
func (c *conversation) role(at, to int, h *header) int {
	space, end := c.spaces.first(c.text, " ", nil, at)
	if space < 0 || space > to {
		space, end = to, to
	}
	h.other = true
	if end = c.text.SkipSpace(end); end < to && match(c.text, "to=", end) < 0 {
		return space
	}
	return to
}

// name is the channel that is named at offset at, and where its name ends.
func (c *conversation) name(at int) (channel, int) {
	for i, name := range [...]string{"assistant", "analysis", "commentary", "final"} {
		if end := c.text.Match(name, at); end >= 0 {
			return channel(i), end
		}
	}
	return unknownChannel, at
}

// recipient reports whether a header's words from from to to address a tool. A
// message to the assistant is none's call.
func (c *conversation) recipient(from, to int) bool {
	for {
		start, end := c.recipients.first(c.text, "to=", nil, from)
		if start < 0 || start >= to {
			return false
		}
		if c.text.Match("assistant", end) < 0 {
			return true
		}
		from = end
	}
}
