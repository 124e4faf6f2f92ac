package prompt

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// The Responses API has items where chat has messages:
//
//	{"role":"user","content":"…"}
//	{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"…"}]}
//	{"role":"assistant","content":"…"}
//	{"type":"function_call","call_id":"…","name":"…","arguments":"{}"}
//	{"type":"function_call_output","call_id":"…","output":"…"}
//
// and {"type":"function","name":…} where chat has {"type":"function","function":{"name":…}}.

// input is the raw value of that key: text as it stands, or items.
func (b *Builder) input(a *Asked) []byte {
	switch {
	case a.Items != nil:
		return a.Items
	case a.HasText && b.System == "":
		return a.Text.AppendQuoted(nil)
	}
	var d jsonscan.Doc
	if d.Scan(b.messages(a)) != nil {
		return b.messages(a)
	}
	var items [][]byte
	for _, m := range d.Root().Elements() {
		items = appendItems(items, m)
	}
	return array(items)
}

// appendItems appends what one chat message is.
func appendItems(items [][]byte, m jsonscan.Value) [][]byte {
	role, content := m.Get("role").Text(), m.Get("content")
	if role.Equal("tool") {
		b := m.Get("tool_call_id").Text().AppendQuoted([]byte(`{"type":"function_call_output","call_id":`))
		b = append(append(b, `,"output":`...), orEmpty(content.Raw())...)
		return append(items, append(b, '}'))
	}
	if !role.Equal("assistant") {
		return append(items, item(role, "input_text", content))
	}
	for _, key := range [...]string{"reasoning_content", "reasoning"} {
		if t := m.Get(key).Text(); t.Len() > 0 {
			b := t.AppendQuoted([]byte(`{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":`))
			items = append(items, append(b, "}]}"...))
			break
		}
	}
	if content.Text().Len() > 0 || content.Len() > 0 {
		items = append(items, item(role, "output_text", content))
	}
	calls, _ := record.ReadToolCalls(m.Get("tool_calls"), nil)
	for _, c := range calls {
		b := c.ID.AppendQuoted([]byte(`{"type":"function_call","call_id":`))
		b = c.Name.AppendQuoted(append(b, `,"name":`...))
		b = c.Arguments.AppendQuoted(append(b, `,"arguments":`...))
		items = append(items, append(b, '}'))
	}
	return items
}

// item is a message's item; its parts of text are of a kind.
func item(role jsonscan.Text, kind string, content jsonscan.Value) []byte {
	b := role.AppendQuoted([]byte(`{"role":`))
	b = append(b, `,"content":`...)
	if content.Kind() != jsonscan.Array {
		return append(append(b, orEmpty(content.Raw())...), '}')
	}
	var parts [][]byte
	for _, part := range content.Elements() {
		raw := part.Raw()
		if part.Get("type").Text().Equal("text") {
			raw = part.Get("text").Text().AppendQuoted([]byte(`{"type":"` + kind + `","text":`))
			raw = append(raw, '}')
		}
		parts = append(parts, raw)
	}
	return append(append(b, array(parts)...), '}')
}

// items reads the input of a Responses request.
func items(r *Reader, line, value jsonscan.Value, p *Prompt) error {
	switch {
	case value.Kind() == jsonscan.String:
		return field(r, line, value, p)
	case value.Kind() != jsonscan.Array || value.Len() == 0:
		return errors.New("body has no input")
	case r.Turns != AllTurns && r.Turns != OneTurn:
		p.Asked.Items = value.Raw()
		return nil
	}
	var asked conversation
	for i, v := range value.Elements() {
		role, raw, err := messageOf(v)
		if err != nil {
			return fmt.Errorf("item %d: %w", i+1, err)
		}
		if raw != nil {
			asked.add(role, raw)
		}
	}
	return asked.ask(r.Turns, nil, p)
}

// messageOf is the chat message of an item, nil for a thought, which is not asked.
func messageOf(v jsonscan.Value) (role jsonscan.Text, raw []byte, err error) {
	switch kind := v.Get("type").Text(); {
	case kind.Equal("reasoning"):
		return role, nil, nil
	case kind.Equal("function_call"):
		c, _ := record.ReadToolCall(v)
		c.ID = v.Get("call_id").Text()
		b := record.AppendToolCalls([]byte(`{"role":"assistant","content":"","tool_calls":`), []record.ToolCall{c})
		return jsonscan.Quote("assistant"), append(b, '}'), nil
	case kind.Equal("function_call_output"):
		return jsonscan.Quote("tool"), toolMessage(v.Get("call_id").Text(), v.Get("output").Raw()), nil
	case v.Get("role").Kind() == jsonscan.String:
		return v.Get("role").Text(), v.Raw(), nil
	}
	return role, nil, fmt.Errorf("%.40q has no role in a conversation", v.Get("type").Text().String())
}

// setTools sets the tools, each in the form of the API.
func (r *request) setTools(tools []byte) {
	var d jsonscan.Doc
	if r.api != Responses || d.Scan(tools) != nil {
		r.set("tools", tools)
		return
	}
	var flat [][]byte
	for _, t := range d.Root().Elements() {
		raw := t.Raw()
		if f := t.Get("function"); f.Get("name").Exists() {
			raw = append([]byte(`{"type":"function",`), bytes.TrimLeft(f.Raw(), "{ \t")...)
		}
		flat = append(flat, raw)
	}
	r.set("tools", array(flat))
}
