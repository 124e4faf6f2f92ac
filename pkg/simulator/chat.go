package simulator

import (
	"cmp"
	"fmt"
)

// chatBody is a chat completion.
func (p *reply) chatBody() []byte {
	dst := p.head("chat.completion")
	for i, a := range p.answers {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = p.message(fmt.Appendf(dst, `{"index":%d,"message":`, a.index), a)
		dst = fmt.Appendf(dst, `,"logprobs":null,"finish_reason":%q,`, a.finish)
		dst = p.choiceEnd(dst, a)
	}
	return p.end(dst)
}

// message writes the message object.
func (p *reply) message(dst []byte, a *answer) []byte {
	text, thought := a.raw(), ""
	if p.parsed() {
		text, thought = a.text(content), a.text(thinking)
		if len(a.calls) == 0 {
			text = a.text(content, toolCall)
		}
	}
	calls := p.calls(a)
	dst = append(dst, `{"role":"assistant","content":`...)
	dst = appendText(dst, text, text == "")
	if p.server.config.Engine == "vllm" {
		if calls == "null" {
			calls = "[]"
		}
		dst = append(dst, `,"refusal":null,"annotations":null,"audio":null,"function_call":null,"tool_calls":`+calls+`,"reasoning":`...)
		return append(appendText(dst, thought, thought == ""), '}')
	}
	dst = append(dst, `,"reasoning_content":`...)
	dst = appendText(dst, thought, thought == "")
	return append(dst, `,"tool_calls":`+calls+`}`...)
}

// calls are the tool calls of a message, "null" when the server parses none.
func (p *reply) calls(a *answer) string {
	if !p.parsed() || len(a.calls) == 0 {
		return "null"
	}
	dst := []byte("[")
	for i := range a.calls {
		c := &a.calls[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = fmt.Appendf(dst, `{"id":%s,"index":%d,"type":"function","function":{"name":%s,"arguments":%s}}`,
			quoted(c.id), i, quoted(c.name), quoted(c.json()))
	}
	return string(append(dst, ']'))
}

// choiceEnd writes what only one engine has in a choice.
func (p *reply) choiceEnd(dst []byte, a *answer) []byte {
	if p.server.config.Engine == "vllm" {
		dst = append(dst, `"stop_reason":null`...)
	} else {
		dst = append(dst, `"matched_stop":`+a.matched()...)
		if p.request.ReturnTokenIDs {
			dst = appendIDs(append(dst, `,"prompt_token_ids":`...), pieces(p.request.prompt))
		}
	}
	if p.request.ReturnTokenIDs {
		dst = a.ids(append(dst, `,"token_ids":`...))
	}
	return append(dst, '}')
}

// chatEvents are chunks: the role, the tokens, the finish, the usage. Choices
// come in turn, token by token.
func (p *reply) chatEvents(yield func(int, []byte) bool) {
	step := 0
	for _, a := range p.answers {
		if !yield(0, p.chunk(a, `"role":"assistant",`+p.fields(`""`, "", ""), "null", nil)) {
			return
		}
	}
	for at, more := 0, true; more; at++ {
		more = false
		for _, a := range p.answers {
			if at >= len(a.tokens) {
				continue
			}
			more = true
			if delta := p.delta(a, a.tokens[at]); !p.passesOver(delta) && !yield(step, p.chunk(a, delta, "null", a.tokens[at:at+1])) {
				return
			}
			step++
		}
	}
	for _, a := range p.answers {
		if !yield(step, p.chunk(a, "", quoted(a.finish), a.tokens[:0])) {
			return
		}
	}
	if p.request.StreamOptions.IncludeUsage && !yield(step, p.usageChunk("chat.completion.chunk")) {
		return
	}
	yield(step, done)
}

// delta is what a token adds to the message, "" for a marker that the server's
// parser takes away.
func (p *reply) delta(a *answer, t token) string {
	text := quoted(t.text)
	switch {
	case !p.parsed():
		return p.fields(text, "", "")
	case t.kind == marker:
		return ""
	case t.kind == thinking:
		return p.fields("null", text, "")
	case t.kind == toolCall && len(a.calls) > 0:
		return p.fields("null", "", p.calls(a))
	}
	return p.fields(text, "", "")
}

// fields are the members of a delta. SGLang writes all of them, vLLM those that
// hold something.
func (p *reply) fields(content, thought, calls string) string {
	s := `"content":` + content
	if p.server.config.Engine == "sglang" {
		return s + `,"reasoning_content":` + cmp.Or(thought, "null") + `,"tool_calls":` + cmp.Or(calls, "null")
	}
	switch {
	case thought != "":
		return `"reasoning":` + thought
	case calls != "":
		return `"tool_calls":` + calls
	}
	return s
}

// passesOver reports whether a delta without text makes no chunk. vLLM sends one
// where somebody wants its token ids.
func (p *reply) passesOver(delta string) bool { return delta == "" && !p.streamsIDs() }

// streamsIDs: SGLang has them in bodies only.
func (p *reply) streamsIDs() bool {
	return p.request.ReturnTokenIDs && p.server.config.Engine == "vllm"
}

// chunk is an event with a delta and its tokens; those of the prompt come with the
// first, which has none.
func (p *reply) chunk(a *answer, delta, finish string, tokens []token) []byte {
	dst := p.head("chat.completion.chunk")
	dst = fmt.Appendf(dst, `{"index":%d,"delta":{%s},"logprobs":null,"finish_reason":%s`, a.index, delta, finish)
	if p.server.config.Engine == "sglang" {
		matched := "null"
		if finish != "null" {
			matched = a.matched()
		}
		dst = append(dst, `,"matched_stop":`+matched...)
	}
	if p.streamsIDs() && tokens != nil {
		part := answer{tokens: tokens, close: a.close}
		dst = part.ids(append(dst, `,"token_ids":`...))
	}
	dst = append(dst, "}]"...)
	if p.streamsIDs() && tokens == nil {
		dst = appendIDs(append(dst, `,"prompt_token_ids":`...), pieces(p.request.prompt))
	}
	return event(append(dst, `,"usage":null}`...))
}

func (p *reply) usageChunk(object string) []byte {
	dst := append(p.head(object), `],"usage":`...)
	return event(append(append(dst, p.usage()...), '}'))
}
