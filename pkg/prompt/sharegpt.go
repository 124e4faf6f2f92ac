package prompt

import (
	"fmt"
	"strconv"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// shareGPTRoles are the senders of ShareGPT files and the roles they stand for.
// function_call and observation are LLaMA-Factory's: a call as JSON text, or a
// list of them, and what the tool answered.
var shareGPTRoles = map[string]string{
	"human": "user", "user": "user",
	"gpt": "assistant", "chatgpt": "assistant", "assistant": "assistant", "model": "assistant", "bing": "assistant", "bard": "assistant",
	"system": "system", "developer": "developer",
	"function_call": "call", "observation": "tool", "tool": "tool",
}

// conversations reads ShareGPT's {"from","value"} turns, or {"role","content"}.
func conversations(r *Reader, line, value jsonscan.Value, p *Prompt) error {
	if value.Index(0).Get("role").Exists() {
		return messages(r, line, value, p)
	}
	var asked shareGPT
	for i, m := range value.Elements() {
		from := m.Get("from").Text().String()
		role, ok := shareGPTRoles[from]
		if !ok {
			return fmt.Errorf("turn %d is from %.40q, which has no role in a chat request", i+1, from)
		}
		if m.Get("value").Kind() != jsonscan.String {
			return fmt.Errorf("turn %d has no value", i+1)
		}
		if err := asked.turn(role, m.Get("value").Text()); err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
	}
	return asked.ask(r.Turns, nil, p)
}

// shareGPT is a conversation whose calls have no ids of their own.
type shareGPT struct {
	conversation
	calls    int   // so far
	unsolved []int // those without a result
}

func (s *shareGPT) turn(role string, value jsonscan.Text) error {
	switch role {
	case "call":
		return s.call(value)
	case "tool":
		return s.result(value)
	}
	s.add(jsonscan.Quote(role), message(role, value))
	return nil
}

// call adds the calls that a text holds as JSON.
func (s *shareGPT) call(value jsonscan.Text) error {
	var d jsonscan.Doc
	if err := d.Scan(value.AppendTo(nil)); err != nil {
		return fmt.Errorf("the call is no JSON: %w", err)
	}
	calls, ok := record.ReadToolCalls(d.Root(), nil)
	if !ok || len(calls) == 0 {
		return fmt.Errorf("%.80q is no call", value.String())
	}
	for i := range calls {
		calls[i].ID = callID(s.calls)
		s.unsolved = append(s.unsolved, s.calls)
		s.calls++
	}
	b := record.AppendToolCalls([]byte(`{"role":"assistant","content":"","tool_calls":`), calls)
	s.add(jsonscan.Quote("assistant"), append(b, '}'))
	return nil
}

// result adds what the first call without a result came to.
func (s *shareGPT) result(value jsonscan.Text) error {
	if len(s.unsolved) == 0 {
		return fmt.Errorf("an observation has no call before it")
	}
	content := value.AppendQuoted(nil)
	s.add(jsonscan.Quote("tool"), toolMessage(callID(s.unsolved[0]), content))
	s.unsolved = s.unsolved[1:]
	return nil
}

func callID(n int) jsonscan.Text { return jsonscan.Quote("call_" + strconv.Itoa(n)) }
