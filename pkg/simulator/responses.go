package simulator

import (
	"encoding/json"
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// The Responses API: items where chat has messages, and for a stream events with
// names of their own. With a parser the thinking is an item, else it is left in
// the text, as in chat.

// item is one item of the input.
type item struct {
	message
	Type      string
	CallID    string          `json:"call_id"`
	Name      string          // of a function_call
	Arguments string          // the same
	Output    json.RawMessage // of a function_call_output
}

// readInput makes messages of the input, a text or items.
func (r *request) readInput() error {
	var text string
	if json.Unmarshal(r.Input, &text) == nil && r.Input != nil {
		r.Messages = []message{{Role: "user", Content: r.Input}}
		return nil
	}
	var items []item
	if err := json.Unmarshal(r.Input, &items); err != nil {
		return fmt.Errorf("input should be a valid string or list: %w", err)
	}
	for _, i := range items {
		switch i.Type {
		case "", "message":
			r.Messages = append(r.Messages, i.message)
		case "function_call":
			call, _ := json.Marshal(i.Name + i.Arguments)
			r.Messages = append(r.Messages, message{Role: "assistant", ToolCalls: []json.RawMessage{call}})
		case "function_call_output":
			r.Messages = append(r.Messages, message{Role: "tool", Content: i.Output})
		case "reasoning":
		default:
			return fmt.Errorf("unknown item type %q in input", i.Type)
		}
	}
	return nil
}

// responsesBody is a response.
func (p *reply) responsesBody() []byte { return p.response(p.answers[0], p.finalStatus()) }

func (p *reply) finalStatus() string {
	switch p.answers[0].finish {
	case "length", "abort":
		return "incomplete"
	}
	return "completed"
}

// response is the object; without its output while it is in progress.
func (p *reply) response(a *answer, status string) []byte {
	dst := jsonscan.AppendString([]byte(`{"id":`), p.id())
	dst = fmt.Appendf(dst, `,"object":"response","created_at":%d,"status":%q,"error":null,"incomplete_details":`, created, status)
	if status == "incomplete" {
		dst = append(dst, `{"reason":"max_output_tokens"}`...)
	} else {
		dst = append(dst, "null"...)
	}
	dst = jsonscan.AppendString(append(dst, `,"model":`...), p.model())
	dst = append(dst, `,"metadata":{"simulator":"`+fingerprint+`"},"output":[`...)
	if status == "in_progress" {
		return append(dst, `],"usage":null}`...)
	}
	for i, part := range p.parts(a) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, part.item...)
	}
	written := len(a.tokens)
	return fmt.Appendf(dst, `],"usage":{"input_tokens":%d,"output_tokens":%d,"output_tokens_details":{"reasoning_tokens":%d},"total_tokens":%d}}`,
		p.prompt, written, a.count(thinking), p.prompt+written)
}

// part is an item of the output, and how its text comes in a stream.
type part struct {
	item   []byte
	event  string // of its deltas, "" for what has none
	tokens []token
}

// parts are the items of an answer.
func (p *reply) parts(a *answer) (parts []part) {
	text := []kind{thinking, marker, content, toolCall}
	if p.parsed() {
		if t := a.text(thinking); t != "" {
			item := jsonscan.AppendString([]byte(`{"type":"reasoning","id":"rs_0","summary":[],"content":[{"type":"reasoning_text","text":`), t)
			parts = append(parts, part{append(item, `}],"encrypted_content":null,"status":null}`...), "response.reasoning_text.delta", a.of(thinking)})
		}
		text = []kind{content}
		if len(a.calls) == 0 {
			text = append(text, toolCall)
		}
	}
	if t := a.text(text...); t != "" {
		item := jsonscan.AppendString([]byte(`{"type":"message","id":"msg_0","role":"assistant","status":"completed","content":[{"type":"output_text","text":`), t)
		parts = append(parts, part{append(item, `,"annotations":[]}]}`...), "response.output_text.delta", a.of(text...)})
	}
	if !p.parsed() {
		return parts
	}
	for _, c := range a.calls {
		parts = append(parts, part{item: fmt.Appendf(nil, `{"type":"function_call","id":"fc_0","call_id":%s,"name":%s,"arguments":%s,"status":"completed"}`,
			quoted(c.id), quoted(c.name), quoted(c.json()))})
	}
	return parts
}

// of are the tokens of some kinds.
func (a *answer) of(kinds ...kind) (tokens []token) {
	for _, t := range a.tokens {
		for _, k := range kinds {
			if t.kind == k {
				tokens = append(tokens, t)
			}
		}
	}
	return tokens
}

// responsesEvents are the beginning, the items with their deltas, and the whole
// response at the end.
func (p *reply) responsesEvents(yield func(int, []byte) bool) {
	a, step, number := p.answers[0], 0, 0
	send := func(name, members string) bool {
		number++
		return yield(step, fmt.Appendf(nil, "event: %s\ndata: {\"type\":%q,\"sequence_number\":%d,%s}\n\n", name, name, number-1, members))
	}
	if !send("response.created", `"response":`+string(p.response(a, "in_progress"))) {
		return
	}
	for i, part := range p.parts(a) {
		place := fmt.Sprintf(`"output_index":%d`, i)
		if !send("response.output_item.added", place+`,"item":`+string(part.item)) {
			return
		}
		for _, t := range part.tokens {
			if !send(part.event, place+`,"content_index":0,"delta":`+quoted(t.text)) {
				return
			}
			step++
		}
		if !send("response.output_item.done", place+`,"item":`+string(part.item)) {
			return
		}
	}
	send("response."+p.finalStatus(), `"response":`+string(p.responsesBody()))
}
