package record

import (
	"strconv"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// Sample is one answer, its thinking split off: contract §5. Texts and raw
// values refer to the line they came from.
type Sample struct {
	ID     ID
	Sample int
	Turn   int
	Choice int

	Messages     []byte // raw JSON array of what was asked; nil is []
	Reasoning    jsonscan.Text
	Content      jsonscan.Text
	ToolCalls    []ToolCall
	FinishReason jsonscan.Text
	Model        jsonscan.Text
	Usage        Usage
	Status       string // reasoning_status
	Extract      Extract
	Segments     []Segment // the parts of the answer in order; nil when nobody asked for them
	Meta         []byte    // raw JSON object; nil is {}
}

// Segment is a part of an answer as it came.
type Segment struct {
	Kind string // of the Segment constants
	Text jsonscan.Text
}

// The kinds of segments.
const (
	SegmentReasoning = "reasoning" // in Sample.Reasoning
	SegmentContent   = "content"   // in Sample.Content
	SegmentRefusal   = "refusal"   // in Sample.Content, too: the server keeps it in a field of its own
	SegmentToolCall  = "tool_call" // markup of calls
	SegmentMarker    = "marker"    // markup around the others
	SegmentSummary   = "summary"   // in Sample.Reasoning when there is no thinking but this
	SegmentEncrypted = "encrypted" // thinking that only the server can read
)

// ToolCall is one call, its arguments a JSON text as the model wrote it.
type ToolCall struct {
	ID, Name, Arguments jsonscan.Text
}

// Usage counts tokens as the server did; -1 where it did not say.
type Usage struct {
	Prompt, Completion, Reasoning, Total int64
}

// noUsage is the usage of a server that said nothing.
var noUsage = Usage{-1, -1, -1, -1}

// UnknownUsage is the usage of a server that did not count.
func UnknownUsage() Usage { return noUsage }

// Extract says how a sample was made.
type Extract struct {
	Family string   // "kimi_k2", "none"
	Rules  string   // "faithful/1"
	Source string   // the field the thinking came from: "content", "reasoning_content"
	Flags  []string // what had to be decided
}

// AppendJSON appends the sample as one JSON object, without a newline. Every
// key is always there with the same type.
func (s *Sample) AppendJSON(dst []byte) []byte {
	dst = s.ID.AppendJSON(append(dst, `{"id":`...))
	dst = appendInt(append(dst, `,"sample":`...), int64(s.Sample))
	dst = appendInt(append(dst, `,"turn":`...), int64(s.Turn))
	dst = appendInt(append(dst, `,"choice":`...), int64(s.Choice))
	dst = appendRaw(append(dst, `,"messages":`...), s.Messages, "[]")
	dst = s.Reasoning.AppendQuoted(append(dst, `,"reasoning":`...))
	dst = s.Content.AppendQuoted(append(dst, `,"content":`...))
	dst = AppendToolCalls(append(dst, `,"tool_calls":`...), s.ToolCalls)
	dst = s.FinishReason.AppendQuoted(append(dst, `,"finish_reason":`...))
	dst = s.Model.AppendQuoted(append(dst, `,"model":`...))
	dst = s.Usage.AppendJSON(append(dst, `,"usage":`...))
	dst = jsonscan.AppendString(append(dst, `,"reasoning_status":`...), s.Status)
	dst = s.Extract.appendJSON(append(dst, `,"extract":`...))
	if s.Segments != nil {
		dst = AppendSegments(append(dst, `,"segments":`...), s.Segments)
	}
	dst = appendRaw(append(dst, `,"meta":`...), s.Meta, "{}")
	return append(dst, '}')
}

// AppendToolCalls appends calls as the JSON array of the OpenAI form.
func AppendToolCalls(dst []byte, calls []ToolCall) []byte {
	dst = append(dst, '[')
	for i, c := range calls {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = c.ID.AppendQuoted(append(dst, `{"id":`...))
		dst = c.Name.AppendQuoted(append(dst, `,"type":"function","function":{"name":`...))
		dst = c.Arguments.AppendQuoted(append(dst, `,"arguments":`...))
		dst = append(dst, "}}"...)
	}
	return append(dst, ']')
}

// AppendJSON appends the counts as a JSON object.
func (u Usage) AppendJSON(dst []byte) []byte {
	dst = appendInt(append(dst, `{"prompt_tokens":`...), u.Prompt)
	dst = appendInt(append(dst, `,"completion_tokens":`...), u.Completion)
	dst = appendInt(append(dst, `,"reasoning_tokens":`...), u.Reasoning)
	dst = appendInt(append(dst, `,"total_tokens":`...), u.Total)
	return append(dst, '}')
}

func (e Extract) appendJSON(dst []byte) []byte {
	dst = jsonscan.AppendString(append(dst, `{"family":`...), e.Family)
	dst = jsonscan.AppendString(append(dst, `,"rules":`...), e.Rules)
	dst = jsonscan.AppendString(append(dst, `,"source":`...), e.Source)
	dst = append(dst, `,"flags":[`...)
	for i, f := range e.Flags {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonscan.AppendString(dst, f)
	}
	return append(dst, "]}"...)
}

// AppendSegments appends segments as a JSON array.
func AppendSegments(dst []byte, segments []Segment) []byte {
	dst = append(dst, '[')
	for i, g := range segments {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonscan.AppendString(append(dst, `{"kind":`...), g.Kind)
		dst = g.Text.AppendQuoted(append(dst, `,"text":`...))
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

func appendInt(dst []byte, n int64) []byte { return strconv.AppendInt(dst, n, 10) }

func appendRaw(dst, raw []byte, none string) []byte {
	if raw == nil {
		return append(dst, none...)
	}
	return append(dst, raw...)
}

// IsSample reports whether a line is a sample already: an object with the keys
// that only a sample has, of their types.
func IsSample(v jsonscan.Value) bool {
	return v.Get("reasoning_status").Kind() == jsonscan.String &&
		v.Get("extract").Kind() == jsonscan.Object &&
		v.Get("reasoning").Kind() == jsonscan.String &&
		v.Get("content").Kind() == jsonscan.String
}

// Read fills s from a line that IsSample accepts. Slices of s are reused.
func (s *Sample) Read(v jsonscan.Value) {
	calls, flags := s.ToolCalls[:0], s.Extract.Flags[:0]
	for _, c := range v.Get("tool_calls").Elements() {
		calls = append(calls, ReadToolCall(c))
	}
	extract := v.Get("extract")
	for _, f := range extract.Get("flags").Elements() {
		flags = append(flags, f.Text().String())
	}
	*s = Sample{
		ID:           IDOf(v.Get("id")),
		Sample:       readInt(v.Get("sample"), 0),
		Turn:         readInt(v.Get("turn"), 0),
		Choice:       readInt(v.Get("choice"), 0),
		Messages:     v.Get("messages").Raw(),
		Reasoning:    v.Get("reasoning").Text(),
		Content:      v.Get("content").Text(),
		ToolCalls:    calls,
		FinishReason: v.Get("finish_reason").Text(),
		Model:        v.Get("model").Text(),
		Usage:        readUsage(v.Get("usage")),
		Status:       v.Get("reasoning_status").Text().String(),
		Extract: Extract{
			Family: extract.Get("family").Text().String(),
			Rules:  extract.Get("rules").Text().String(),
			Source: extract.Get("source").Text().String(),
			Flags:  flags,
		},
		Segments: readSegments(v.Get("segments")),
		Meta:     v.Get("meta").Raw(),
	}
}

// readSegments is nil for a sample without.
func readSegments(v jsonscan.Value) (segments []Segment) {
	if v.Kind() == jsonscan.Array {
		segments = []Segment{}
	}
	for _, g := range v.Elements() {
		segments = append(segments, Segment{g.Get("kind").Text().String(), g.Get("text").Text()})
	}
	return segments
}

// ReadToolCall reads a call in the OpenAI form {"id","function":{"name","arguments"}}
// or flat {"id","name","arguments"}. Arguments given as an object become the
// text of that object.
func ReadToolCall(v jsonscan.Value) ToolCall {
	f := v.Get("function")
	if f.Kind() != jsonscan.Object {
		f = v
	}
	args := f.Get("arguments")
	call := ToolCall{ID: v.Get("id").Text(), Name: f.Get("name").Text(), Arguments: args.Text()}
	if k := args.Kind(); k == jsonscan.Object || k == jsonscan.Array {
		call.Arguments = jsonscan.Quote(string(args.Raw()))
	}
	return call
}

func readInt(v jsonscan.Value, none int) int {
	if n, ok := v.Int(); ok {
		return int(n)
	}
	return none
}

func readUsage(v jsonscan.Value) Usage {
	u := noUsage
	for _, f := range []struct {
		key string
		to  *int64
	}{
		{"prompt_tokens", &u.Prompt}, {"completion_tokens", &u.Completion},
		{"reasoning_tokens", &u.Reasoning}, {"total_tokens", &u.Total},
	} {
		if n, ok := v.Get(f.key).Int(); ok {
			*f.to = n
		}
	}
	return u
}
