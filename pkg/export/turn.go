package export

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// turn is one message of a conversation.
type turn struct {
	role                            string
	content, thinking, name, callID jsonscan.Text
	calls                           []record.ToolCall
	answer                          bool // the sample's own
	unclosed                        bool // it ended in its thought
}

// conversationOf is what was asked and the answer, its last turn. The error names
// what a turn does not hold: nothing is left out in silence.
func conversationOf(s *record.Sample) ([]turn, error) {
	var d jsonscan.Doc
	if len(s.Messages) == 0 || d.Scan(s.Messages) != nil || d.Root().Index(0).Kind() == jsonscan.None {
		return nil, errors.New("what was asked is not known")
	}
	turns := make([]turn, 0, d.Root().Len()+1)
	for i, m := range d.Root().Elements() {
		t, err := turnOf(m)
		if err != nil {
			return nil, fmt.Errorf("message %d %w", i+1, err)
		}
		turns = append(turns, t)
	}
	return append(turns, turn{role: "assistant", content: s.Content, thinking: s.Reasoning, calls: s.ToolCalls, answer: true, unclosed: isUnclosed(s)}), nil
}

// isUnclosed reports whether an answer ended in its thought.
func isUnclosed(s *record.Sample) bool {
	cut := s.Status == string(reasoning.Truncated) || s.Status == string(reasoning.Suspect)
	return cut && s.Content.Len() == 0 && len(s.ToolCalls) == 0
}

func turnOf(m jsonscan.Value) (t turn, err error) {
	if m.Kind() != jsonscan.Object {
		return t, errors.New("is no object")
	}
	for key, v := range m.Members() {
		if !isEmpty(v) {
			err = t.take(key.String(), v)
		}
		if err != nil {
			return t, err
		}
	}
	switch {
	case t.role == "":
		return t, errors.New("has no role")
	case t.role != "assistant" && (t.thinking.Len() > 0 || len(t.calls) > 0), t.role != "tool" && t.callID.Len() > 0:
		return t, fmt.Errorf("is from %q, which has no thinking, calls or results", t.role)
	}
	return t, nil
}

// isEmpty reports whether a value tells nothing.
func isEmpty(v jsonscan.Value) bool {
	switch v.Kind() {
	case jsonscan.String:
		return v.Text().Len() == 0
	case jsonscan.Array, jsonscan.Object:
		return v.Len() == 0
	}
	return v.Kind() <= jsonscan.False
}

// take keeps the value of a key.
func (t *turn) take(key string, v jsonscan.Value) (err error) {
	ok := v.Kind() == jsonscan.String
	switch key {
	case "role":
		t.role = v.Text().String()
	case "content":
		t.content, ok = contentOf(v)
	case "reasoning_content", "reasoning", "thinking":
		if t.thinking.Len() > 0 && !bytes.Equal(t.thinking.Raw, v.Text().Raw) {
			return errors.New("has two thoughts")
		}
		t.thinking = v.Text()
	case "name":
		t.name = v.Text()
	case "tool_call_id":
		t.callID = v.Text()
	case "tool_calls":
		t.calls, ok = record.ReadToolCalls(v, nil)
	default:
		if key != "type" || !v.Text().Equal("message") { // what an item of the Responses API is
			return fmt.Errorf("has the key %.40q, which has no place", key)
		}
	}
	if !ok {
		return fmt.Errorf("has a %s that is no single text", key)
	}
	return nil
}

// contentOf is a text, or the only part of one. Several parts become one text as
// each chat template likes it, and pictures none.
func contentOf(v jsonscan.Value) (t jsonscan.Text, ok bool) {
	if part := v.Index(0); v.Kind() == jsonscan.Array && v.Len() == 1 && part.Len() == 2 && isText(part.Get("type").Text()) {
		v = part.Get("text")
	}
	return v.Text(), v.Kind() == jsonscan.String
}

// isText reports whether a part is text, in the chat or the Responses API.
func isText(kind jsonscan.Text) bool {
	return kind.Equal("text") || kind.Equal("input_text") || kind.Equal("output_text")
}

// onlyRoles refuses roles that a reader would drop or take for others.
func onlyRoles(turns []turn, roles ...string) error {
	for i, t := range turns {
		if !slices.Contains(roles, t.role) {
			return fmt.Errorf("message %d is from %.40q, which has no place", i+1, t.role)
		}
	}
	return nil
}

// onlyObjects refuses calls whose arguments are no JSON object: readers put {} in
// their place, or fail.
func onlyObjects(turns []turn) error {
	var d jsonscan.Doc
	for i, t := range turns {
		for _, c := range t.calls {
			if d.Scan(c.Arguments.AppendTo(nil)) != nil || d.Root().Kind() != jsonscan.Object {
				return fmt.Errorf("message %d calls %.40q with arguments that are no JSON object", i+1, c.Name.String())
			}
		}
	}
	return nil
}

// nameResults gives each result the name of its call, for forms that have no ids:
// the order tells whose it is, so another one is refused.
func nameResults(turns []turn) error {
	var open []record.ToolCall
	for i := range turns {
		t := &turns[i]
		if t.role != "tool" {
			open = t.calls
			continue
		}
		if len(open) == 0 || t.callID.Len() > 0 && open[0].ID.Len() > 0 && t.callID.String() != open[0].ID.String() {
			return fmt.Errorf("message %d is the result of another call than the next", i+1)
		}
		t.name, open = open[0].Name, open[1:]
	}
	return nil
}

// keys are how a form writes a message.
type keys struct {
	thinking string
	objects  bool // arguments are objects, not JSON in a string
}

// appendTurns appends chat messages as a JSON array.
func appendTurns(dst []byte, turns []turn, k keys) []byte {
	dst = append(dst, '[')
	for i := range turns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = turns[i].append(dst, k)
	}
	return append(dst, ']')
}

// append appends a chat message. Keys are there when they hold something, but for
// the content, and the thinking of an answer.
func (t *turn) append(dst []byte, k keys) []byte {
	dst = jsonscan.AppendString(append(dst, `{"role":`...), t.role)
	dst = t.content.AppendQuoted(append(dst, `,"content":`...))
	if t.answer || t.thinking.Len() > 0 {
		dst = append(jsonscan.AppendString(append(dst, ','), k.thinking), ':')
		dst = t.thinking.AppendQuoted(dst)
	}
	switch {
	case len(t.calls) == 0:
	case k.objects:
		dst = appendObjects(append(dst, `,"tool_calls":`...), t.calls)
	default:
		dst = record.AppendToolCalls(append(dst, `,"tool_calls":`...), t.calls)
	}
	if t.callID.Len() > 0 {
		dst = t.callID.AppendQuoted(append(dst, `,"tool_call_id":`...))
	}
	if t.name.Len() > 0 {
		dst = t.name.AppendQuoted(append(dst, `,"name":`...))
	}
	return append(dst, '}')
}

// appendObjects appends calls whose arguments are objects.
func appendObjects(dst []byte, calls []record.ToolCall) []byte {
	dst = append(dst, '[')
	for i, c := range calls {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = c.ID.AppendQuoted(append(dst, `{"id":`...))
		dst = c.Name.AppendQuoted(append(dst, `,"type":"function","function":{"name":`...))
		dst = append(appendArguments(append(dst, `,"arguments":`...), c), "}}"...)
	}
	return append(dst, ']')
}

// appendArguments appends the arguments as the model wrote them, on one line: in
// JSON, line ends are white space.
func appendArguments(dst []byte, c record.ToolCall) []byte {
	start := len(dst)
	dst = c.Arguments.AppendTo(dst)
	for i, b := range dst[start:] {
		if b == '\n' || b == '\r' {
			dst[start+i] = ' '
		}
	}
	return dst
}

func appendID(dst []byte, s *record.Sample) []byte {
	return jsonscan.AppendString(append(dst, `{"id":`...), s.ID.String())
}
