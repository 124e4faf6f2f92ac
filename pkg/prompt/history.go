package prompt

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// History says what of an answer goes into the history of the turns after it.
type History struct {
	Reasoning string // Keep, Drop, or "" for what is usual for the model's family
	Key       string // of a message's thought, InContent, or "" for the server's own
}

// Values of [History]. With Drop, the thoughts of turns that the user's last
// message stands behind are left out; between a call and its result they stay:
// servers refuse a history without them (DeepSeek V4, Kimi K2.5).
const (
	Keep      = "keep"
	Drop      = "drop"
	InContent = "content" // between the family's markers, before the content
)

// Answer makes an entry of the history of a sample. Calls get ids where the model
// gave none. The error says why nothing can follow the answer: it was cut.
func (h *History) Answer(s *record.Sample) (Answer, error) {
	if reasoning.Cut(s.FinishReason.String()) || s.Status == string(reasoning.Truncated) {
		return Answer{}, errors.New("the answer before is cut by the token limit")
	}
	calls, err := callsOf(s)
	if err != nil {
		return Answer{}, err
	}
	family := FamilyOf(s)
	bare := h.message(s, calls, nil, "")
	whole := bare
	if s.Reasoning.Len() > 0 && s.Status != string(reasoning.Summary) {
		whole = h.message(s, calls, family, h.key(s))
	}
	if keep := h.Reasoning == Keep || h.Reasoning == "" && family.KeepHistory; keep {
		bare = whole
	}
	return Answer{Message: whole, Later: bare}, nil
}

// FamilyOf is the family of a sample's model; any other, when it is not known.
func FamilyOf(s *record.Sample) *reasoning.Family {
	if f, _ := reasoning.Lookup(s.Extract.Family); f != nil {
		return f
	}
	if f, _ := reasoning.Detect(reasoning.Facts{Model: s.Model.String()}, reasoning.Plain("")); f != nil {
		return f
	}
	return reasoning.Custom("<think>", "</think>")
}

// key is where a thought goes: into the field it came in, or where servers that
// left it in the text take it.
func (h *History) key(s *record.Sample) string {
	switch {
	case h.Key != "":
		return h.Key
	case s.Extract.Source == "reasoning":
		return "reasoning"
	}
	return "reasoning_content"
}

// message is a chat message with the thought under a key, "" for without.
func (h *History) message(s *record.Sample, calls []record.ToolCall, f *reasoning.Family, key string) []byte {
	content := s.Content
	if s.Extract.Source == "content" { // what parts thought and answer belongs to neither
		content = content.Slice(content.SkipSpace(0), content.Len())
	}
	b := []byte(`{"role":"assistant","content":"`)
	if key == InContent {
		b = append(append(b, jsonscan.Quote(f.Open).Raw...), s.Reasoning.Raw...)
		b = append(append(b, jsonscan.Quote(f.Close).Raw...), s.Content.Raw...)
	} else {
		b = append(b, content.Raw...)
	}
	b = append(b, '"')
	if key != "" && key != InContent {
		b = append(jsonscan.AppendString(append(b, ','), key), ':')
		b = s.Reasoning.AppendQuoted(b)
	}
	if len(calls) > 0 {
		b = record.AppendToolCalls(append(b, `,"tool_calls":`...), calls)
	}
	return append(b, '}')
}

// callsOf are the calls of a sample, each with an id and arguments that a
// template can read.
func callsOf(s *record.Sample) ([]record.ToolCall, error) {
	calls := slices.Clone(s.ToolCalls)
	for i := range calls {
		c := &calls[i]
		if c.ID.Len() == 0 {
			c.ID = jsonscan.Quote("call_" + strconv.Itoa(s.Turn) + "_" + strconv.Itoa(i))
		}
		var d jsonscan.Doc
		if d.Scan(c.Arguments.AppendTo(nil)) != nil || d.Root().Kind() != jsonscan.Object {
			return nil, fmt.Errorf("the model calls %.80q with arguments that are no JSON object", c.Name.String())
		}
	}
	return calls, nil
}
