package response

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// answer reads one of a body's or chunk's choices.
func (p *Parser) answer(c jsonscan.Value, to sink) {
	m := c.Get("delta")
	if m.Kind() != jsonscan.Object {
		m = c.Get("message")
	}
	if m.Kind() == jsonscan.Object {
		p.message(m, to)
	}
	to.add(Content, "text", p.textOf(c.Get("text"), "text"))
	p.tokenIDs(c, to)
	reason := c.Get("finish_reason")
	if !reason.Exists() && c.Get("stop_reason").Kind() == jsonscan.String { // Inspect, evalscope
		reason = c.Get("stop_reason")
	}
	to.finish(reason)
}

// message reads a chat message, or a delta of one, which has the same fields.
func (p *Parser) message(m jsonscan.Value, to sink) {
	p.reasoning(m, to)
	p.content(m.Get("content"), to)
	if t := p.textOf(m.Get("refusal"), "refusal"); t.Len() > 0 {
		to.refuse(t)
	}
	p.calls(m.Get("tool_calls"), to)
	p.calls(m.Get("function_call"), to)
}

// calls reads tool calls: a list, or one (TGI, Cohere, the old function_call).
func (p *Parser) calls(v jsonscan.Value, to sink) {
	switch k := v.Kind(); {
	case k == jsonscan.Array:
		for _, e := range v.Elements() {
			c, ok := record.ReadToolCall(e)
			p.call(callIndex(e.Get("index")), c, ok, to)
		}
	case k <= jsonscan.Null, k == jsonscan.String && v.Text().Len() == 0:
	default:
		if c, ok := record.ReadToolCall(v); !ok || c.Name.Len()+c.Arguments.Len() > 0 { // Snowflake writes an empty one
			p.call(callIndex(v.Get("index")), c, ok, to)
		}
	}
}

// call keeps a call, or what stands in its place.
func (p *Parser) call(index int, c record.ToolCall, ok bool, to sink) {
	if !ok {
		p.flag(FlagMalformedCalls)
		p.complain("tool_calls holds what is no call")
		index = ofItsOwn
	}
	to.call(index, c)
}

// callIndex is the index of a call, noIndex for what cannot be one.
func callIndex(v jsonscan.Value) int { return max(integer(v, noIndex), noIndex) }

// reasoningFields hold thinking as text: SGLang, DeepSeek and older vLLM; newer
// vLLM and OpenRouter; Ollama; GitHub Copilot.
var reasoningFields = [...]string{"reasoning_content", "reasoning", "thinking", "reasoning_text"}

// reasoning takes the first source of thinking that is not empty. Servers
// repeat one text in several fields, so it is taken once.
func (p *Parser) reasoning(m jsonscan.Value, to sink) {
	var taken jsonscan.Text
	details := m.Get("reasoning_details")
	for _, field := range reasoningFields {
		t := p.flatten(m.Get(field), field)
		switch {
		case t.Len() == 0:
		case taken.Len() == 0:
			taken = t
			to.add(kindOf(details), field, t)
		case string(t.Raw) != string(taken.Raw):
			p.flag(FlagTwoReasonings)
		}
	}
	p.details(details, to, taken.Len() > 0)
	if taken.Len() == 0 && details.Kind() != jsonscan.Array {
		p.listed(details, "reasoning_details")
		for _, b := range p.listed(m.Get("thinking_blocks"), "thinking_blocks").Elements() {
			p.part(b, &thinkingBlocks, to)
		}
	}
}

// listed is a list that a field holds. What else stands there is told, as by textOf.
func (p *Parser) listed(v jsonscan.Value, field string) jsonscan.Value {
	if k := v.Kind(); k > jsonscan.Null && k != jsonscan.Array && p.rec.Shape != "flat" {
		p.flag(FlagUnknownPart)
		p.complain(fmt.Sprintf("%s holds no list but %s", field, k))
	}
	return v
}

// kindOf is what the text is that OpenRouter flattens into one field beside
// its details: a summary when they hold nothing else.
func kindOf(details jsonscan.Value) SegmentKind {
	kind := Reasoning
	for _, d := range details.Elements() {
		switch t := d.Get("type").Text(); {
		case t.Equal("reasoning.text"):
			return Reasoning
		case t.Equal("reasoning.summary"):
			kind = Summary
		}
	}
	return kind
}

// details reads OpenRouter's reasoning_details; flattened says that the
// texts were taken from another field already.
func (p *Parser) details(details jsonscan.Value, to sink, flattened bool) {
	for _, d := range details.Elements() {
		if data := d.Get("data").Text(); data.Len() > 0 {
			to.add(Encrypted, "reasoning_details[].data", data)
		}
		if flattened {
			continue
		}
		to.add(Reasoning, "reasoning_details[].text", d.Get("text").Text())
		to.add(Summary, "reasoning_details[].summary", d.Get("summary").Text())
	}
}

// parts names the fields of a list's parts, so that a source is never put together.
type parts struct{ item, text, thinking, reasoning, data, signature string }

var (
	contentParts = parts{
		"content[]", "content[].text", "content[].thinking", "content[].reasoning", "content[].data", "content[].signature",
	}
	thinkingBlocks = parts{
		"thinking_blocks[]", "thinking_blocks[].text", "thinking_blocks[].thinking", "thinking_blocks[].reasoning",
		"thinking_blocks[].data", "thinking_blocks[].signature",
	}
)

// content reads a message's content: a string, null, or a list of parts.
func (p *Parser) content(v jsonscan.Value, to sink) {
	if v.Kind() != jsonscan.Array {
		to.add(Content, "content", p.textOf(v, "content"))
		return
	}
	for _, e := range v.Elements() {
		p.part(e, &contentParts, to)
	}
}

// textOf is the text that a field holds. What else stands there is told, but in a
// flat record, which may mean something else by the name and carries it.
func (p *Parser) textOf(v jsonscan.Value, field string) jsonscan.Text {
	if k := v.Kind(); k > jsonscan.Null && k != jsonscan.String && p.rec.Shape != "flat" {
		p.flag(FlagUnknownPart)
		p.complain(fmt.Sprintf("%s holds what is no text but %s", field, k))
	}
	return v.Text()
}

// part reads one part of a content list: {"type":"text","text":…},
// {"type":"thinking","thinking":…} of Mistral and Anthropic,
// {"type":"reasoning","reasoning":…} and their like; a string is text.
func (p *Parser) part(v jsonscan.Value, source *parts, to sink) {
	if v.Kind() == jsonscan.String {
		to.add(Content, source.item, v.Text())
		return
	}
	switch kind := v.Get("type").Text(); {
	case kind.Equal("thinking"):
		t := p.firstOf(v, "thinking", "text")
		to.add(Reasoning, source.thinking, t)
		if t.Len() == 0 { // Anthropic may leave nothing but a proof of it
			to.add(Encrypted, source.signature, v.Get("signature").Text())
		}
	case kind.Equal("reasoning"), kind.Equal("reasoning_text"), kind.Equal("reasoning_content"), kind.Equal("thought"):
		to.add(Reasoning, source.reasoning, p.firstOf(v, "reasoning", "text", "value", "content"))
	case kind.Equal("redacted_thinking"):
		to.add(Encrypted, source.data, v.Get("data").Text())
	case kind.Equal("refusal"):
		to.refuse(v.Get("refusal").Text())
	case kind.Equal("tool_call"):
		p.callPart(v, to)
	case kind.Equal("tool_use"):
		to.call(noIndex, toolUse(v))
	case v.Get("text").Kind() == jsonscan.String:
		to.add(Content, source.text, v.Get("text").Text())
	case kind.Equal("text"):
		if text := v.Get("text"); text.Kind() == jsonscan.Object { // of OpenAI's Assistants
			v = text
		}
		to.add(Content, source.text, p.firstOf(v, "value", "content"))
	default:
		p.flag(FlagUnknownPart)
	}
}

// callPart reads a call among the parts: LLaMA-Factory has it as JSON in a
// string, {"type":"tool_call","value":"{…}"}, LangChain beside the type.
func (p *Parser) callPart(v jsonscan.Value, to sink) {
	text := v.Get("value")
	if text.Kind() != jsonscan.String {
		c, ok := record.ReadToolCall(v)
		p.call(noIndex, c, ok, to)
		return
	}
	p.scratch = text.Text().AppendTo(p.scratch[:0])
	if p.arguments.Scan(p.scratch) != nil {
		p.call(noIndex, record.ToolCall{Arguments: text.Text()}, false, to)
		return
	}
	c, ok := record.ReadToolCall(p.arguments.Root())
	p.call(noIndex, record.ToolCall{ID: p.keep(c.ID), Name: p.keep(c.Name), Arguments: p.keep(c.Arguments)}, ok, to)
}

// toolUse reads Anthropic's {"type":"tool_use","id","name","input":{…}}.
func toolUse(v jsonscan.Value) record.ToolCall {
	return record.ToolCall{ID: v.Get("id").Text(), Name: v.Get("name").Text(), Arguments: record.TextOf(v.Get("input"))}
}

// firstOf is the text of the first of a part's fields that has one; a part without
// any of them is told.
func (p *Parser) firstOf(v jsonscan.Value, fields ...string) jsonscan.Text {
	found := false
	for _, f := range fields {
		of := v.Get(f)
		if t := p.flatten(of, f); t.Len() > 0 {
			return t
		}
		found = found || of.Exists()
	}
	if !found {
		p.flag(FlagUnknownPart)
	}
	return jsonscan.Text{}
}

// flatten is the text of a string, or of a list of strings, of {"text":…} and of
// {"thinking":…}, put together.
func (p *Parser) flatten(v jsonscan.Value, field string) jsonscan.Text {
	if v.Kind() != jsonscan.Array {
		return p.textOf(v, field)
	}
	var whole jsonscan.Text
	at := len(p.text)
	for _, e := range v.Elements() {
		if e.Kind() == jsonscan.Object {
			if inner := e.Get("text"); inner.Exists() {
				e = inner
			} else {
				e = e.Get("thinking")
			}
		}
		if e.Kind() != jsonscan.String {
			p.flag(FlagUnknownPart)
		}
		t := e.Text()
		whole.Flags |= t.Flags
		p.text = append(p.text, t.Raw...)
	}
	whole.Raw = p.text[at:len(p.text):len(p.text)]
	return whole
}
