package prompt

import (
	"errors"
	"fmt"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Script is a recorded conversation whose assistant's turns are asked anew, one
// after the other: what stands before each of them is replayed, what the
// assistant said is left out. It refers to the bytes of the prompt's line, and to
// nothing else of it.
type Script struct {
	cues []cue
}

// cue is what was said before one of the assistant's turns.
type cue struct {
	results  []toolResult // of the calls of the turn before
	lacking  string       // a call of the turn before whose result was not recorded, "" for none
	messages [][]byte     // of all others, raw
	user     bool         // the user says something
}

// toolResult is what a tool was recorded to answer.
type toolResult struct {
	name    string
	content []byte // raw JSON
}

// Answer is one of the assistant's turns as it goes into the history of those
// after it: two raw chat messages, often the same.
type Answer struct {
	Message []byte // for the turns up to the next message of the user
	Later   []byte // for those after it; templates leave old thoughts out
}

// Len is the number of the assistant's turns.
func (s *Script) Len() int { return len(s.cues) }

// AppendKey appends what tells the script from others.
func (s *Script) AppendKey(dst []byte) []byte {
	for i := range s.cues {
		c := &s.cues[i]
		dst = append(dst, '\n')
		for _, m := range c.messages {
			dst = append(dst, m...)
		}
		for _, r := range c.results {
			dst = append(append(append(dst, '\n'), r.name...), r.content...)
		}
	}
	return dst
}

// Messages is the raw array of messages of the turn after the given answers,
// which may be any number below Len. Recorded results of tools stand behind the
// calls of the last answer, matched by name and, of one tool, by order; the error
// says what cannot be matched.
func (s *Script) Messages(answers []Answer) ([]byte, error) {
	lastUser := len(answers)
	for lastUser > 0 && !s.cues[lastUser].user {
		lastUser--
	}
	var all [][]byte
	for i := range s.cues[:len(answers)+1] {
		if i > 0 {
			message := answers[i-1].Message
			if i <= lastUser {
				message = answers[i-1].Later
			}
			results, err := s.cues[i].replay(answers[i-1].Message)
			if err != nil {
				return nil, err
			}
			all = append(append(all, message), results...)
		}
		all = append(all, s.cues[i].messages...)
	}
	return array(all), nil
}

// replay answers the calls of a message with the recorded results.
func (c *cue) replay(answer []byte) (messages [][]byte, err error) {
	var d jsonscan.Doc
	if err := d.Scan(answer); err != nil {
		return nil, err
	}
	calls, _ := record.ReadToolCalls(d.Root().Get("tool_calls"), nil)
	left := slices.Clone(c.results)
	for _, call := range calls {
		name := call.Name.String()
		n := slices.IndexFunc(left, func(r toolResult) bool { return r.name == name })
		if n < 0 {
			return nil, fmt.Errorf("the model calls %.80q, of which no result is recorded here", name)
		}
		messages = append(messages, toolMessage(call.ID, left[n].content))
		left = slices.Delete(left, n, n+1)
	}
	switch {
	case len(left) > 0:
		return nil, fmt.Errorf("the model does not call %.80q, whose result is recorded here", left[0].name)
	case c.lacking != "":
		return nil, fmt.Errorf("the result of %.80q is not recorded", c.lacking)
	}
	return messages, nil
}

func toolMessage(id jsonscan.Text, content []byte) []byte {
	b := id.AppendQuoted([]byte(`{"role":"tool","tool_call_id":`))
	b = append(append(b, `,"content":`...), orEmpty(content)...)
	return append(b, '}')
}

// orEmpty is a raw value, "" where there is none.
func orEmpty(raw []byte) []byte {
	if raw == nil {
		return []byte(`""`)
	}
	return raw
}

// newScript makes a script of raw chat messages. The assistant speaks at every
// break, the number of messages before it, and after the last message, whether or
// not that was recorded.
func newScript(messages [][]byte, breaks []int) (*Script, error) {
	var d jsonscan.Doc
	if err := d.Scan(array(messages)); err != nil {
		return nil, err
	}
	var s scripter
	for i, m := range d.Root().Elements() {
		for len(breaks) > 0 && breaks[0] <= i {
			s.turn()
			breaks = breaks[1:]
		}
		if err := s.add(m); err != nil {
			return nil, fmt.Errorf("message %d: %w", i+1, err)
		}
	}
	s.turn()
	if len(s.script.cues) == 0 {
		return nil, errNothingAsked
	}
	return &s.script, nil
}

// scripter makes a script of messages in order.
type scripter struct {
	script Script
	now    cue
	begun  bool     // the user has spoken: what came before is no turn
	spoken bool     // the assistant's turn at hand has begun
	calls  []called // of that turn, those without a result
}

// called is a recorded call.
type called struct{ id, name string }

// add takes the next message in OpenAI's form.
func (s *scripter) add(m jsonscan.Value) error {
	role := m.Get("role").Text()
	user := role.Equal("user")
	s.begun = s.begun || user
	switch {
	case s.begun && role.Equal("assistant"):
		s.assistant(m)
	case s.begun && (role.Equal("tool") || role.Equal("function")):
		return s.result(m)
	default:
		s.rest()
		s.now.user = s.now.user || user
		s.now.messages = append(s.now.messages, m.Raw())
	}
	return nil
}

// assistant passes over what the assistant said; several messages in a row are
// one turn.
func (s *scripter) assistant(m jsonscan.Value) {
	if !s.spoken {
		s.ask()
	}
	s.spoken = true
	calls, _ := record.ReadToolCalls(m.Get("tool_calls"), nil)
	if f := m.Get("function_call"); f.Kind() == jsonscan.Object {
		calls = append(calls, record.ToolCall{Name: f.Get("name").Text()})
	}
	for _, c := range calls {
		s.calls = append(s.calls, called{c.ID.String(), c.Name.String()})
	}
}

// result takes what a tool answered: to the call that it names, else to the first
// of its tool, else to the first.
func (s *scripter) result(m jsonscan.Value) error {
	id, name := m.Get("tool_call_id").Text().String(), m.Get("name").Text().String()
	n := slices.IndexFunc(s.calls, func(c called) bool { return id != "" && c.id == id })
	if n < 0 && name != "" {
		n = slices.IndexFunc(s.calls, func(c called) bool { return c.name == name })
	}
	if n < 0 && id == "" && name == "" && len(s.calls) > 0 {
		n = 0
	}
	if n < 0 {
		return errors.New("the result of a tool has no call before it")
	}
	s.spoken = false
	s.now.results = append(s.now.results, toolResult{s.calls[n].name, m.Get("content").Raw()})
	s.calls = slices.Delete(s.calls, n, n+1)
	return nil
}

// rest ends the results of a turn's calls: those still to come are lacking.
func (s *scripter) rest() {
	if len(s.calls) > 0 {
		s.now.lacking = s.calls[0].name
	}
	s.spoken, s.calls = false, nil
}

// ask ends what is said before a turn of the assistant.
func (s *scripter) ask() {
	s.rest()
	s.script.cues = append(s.script.cues, s.now)
	s.now = cue{}
}

// turn says that the assistant speaks here, although nobody recorded it.
func (s *scripter) turn() {
	if s.begun && len(s.now.messages)+len(s.now.results) > 0 {
		s.ask()
	}
}
