package extractor

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// recall is a call that a second reading has found; of a stream all pieces that
// have an index or an id in common, which may be several calls.
type recall struct {
	index, id  string // "" for none
	name       string
	text, last []byte // of the arguments, as in reread
}

// call takes a call in, or a piece of one.
func (s *rereading) call(index, id, name, arguments jsonscan.Value) {
	g := recall{index: string(index.Raw()), id: string(record.TextOf(id).Raw), name: string(name.Text().Raw)}
	n := len(s.calls)
	if s.stream {
		n = s.callOf(g)
	}
	if n == len(s.calls) {
		s.calls = append(s.calls, g)
	}
	if t := record.TextOf(arguments); t.Len() > 0 {
		s.calls[n].text = append(s.calls[n].text, t.Raw...)
		s.calls[n].last = t.Raw
	}
}

// callOf is where the call is that a piece of a stream belongs to, their number
// for a new one.
func (s *rereading) callOf(g recall) int {
	n := -1
	switch {
	case g.index != "":
		n = slices.IndexFunc(s.calls, func(c recall) bool { return c.index == g.index })
	case g.id != "":
		n = slices.IndexFunc(s.calls, func(c recall) bool { return c.id == g.id })
	case g.name == "":
		n = len(s.calls) - 1
	}
	if n < 0 {
		return len(s.calls)
	}
	return n
}

// callsOf reads a list of calls, or one, which may be empty.
func (s *rereading) callsOf(v jsonscan.Value) {
	if f := firstOf(v.Get("function"), v); firstOf(f.Get("name"), argumentsOf(f)).Exists() {
		s.openAI(v, v.Get("index"))
	}
	for _, e := range v.Elements() {
		s.openAI(e, e.Get("index"))
	}
}

// openAI reads {"id","function":{"name","arguments"}} or {"id","name","arguments"}.
func (s *rereading) openAI(v, index jsonscan.Value) {
	f := firstOf(v.Get("function"), v)
	s.call(index, v.Get("id"), f.Get("name"), argumentsOf(f))
}

// argumentsOf are the arguments of a call, LangChain's args, Cohere's parameters.
func argumentsOf(f jsonscan.Value) jsonscan.Value {
	return firstOf(f.Get("arguments"), f.Get("args"), f.Get("parameters"))
}

// firstOf is the first value that is neither null nor an empty string.
func firstOf(values ...jsonscan.Value) jsonscan.Value {
	for _, v := range values {
		if record.TextOf(v).Len() > 0 {
			return v
		}
	}
	return jsonscan.Value{}
}

// noArguments gives a call that ended without arguments the empty object, as
// bodies have it.
func (s *rereading) noArguments(index jsonscan.Value) {
	n := s.callOf(recall{index: string(index.Raw())})
	if n < len(s.calls) && s.calls[n].text == nil {
		s.calls[n].text = []byte("{}")
	}
}

// sameCalls checks that calls are those that stand in the answer: of a body one by
// one, of a stream their arguments, one after the other in the order of the indexes.
func (s *rereading) sameCalls(calls []record.ToolCall) error {
	if !s.stream {
		return s.sameBodyCalls(calls)
	}
	if !slices.ContainsFunc(s.calls, func(g recall) bool { return g.index == "" }) {
		slices.SortStableFunc(s.calls, func(a, b recall) int {
			return compareIndexes(a.index, b.index)
		})
	}
	var rest []byte
	for _, c := range calls {
		rest = append(rest, c.Arguments.Raw...)
	}
	for _, g := range s.calls {
		text := g.text
		if s.cumulative && !bytes.HasPrefix(rest, text) {
			text = g.last
		}
		if !bytes.HasPrefix(rest, text) {
			return errNotTheCalls
		}
		rest = rest[len(text):]
	}
	if len(rest) > 0 || len(calls) < len(s.calls) {
		return errNotTheCalls
	}
	return nil
}

var errNotTheCalls = errors.New("the tool calls are not those that stand in the answer")

func (s *rereading) sameBodyCalls(calls []record.ToolCall) error {
	if len(calls) != len(s.calls) {
		return fmt.Errorf("%d tool calls stand in the answer, %d in the sample", len(s.calls), len(calls))
	}
	for i, c := range calls {
		g := &s.calls[i]
		if g.id != string(c.ID.Raw) || g.name != string(c.Name.Raw) || !bytes.Equal(g.text, c.Arguments.Raw) {
			return errNotTheCalls
		}
	}
	return nil
}

// compareIndexes orders whole numbers from 0 on, as they are written.
func compareIndexes(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return bytes.Compare([]byte(a), []byte(b))
}
