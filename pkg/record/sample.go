package record

import (
	"cmp"
	"fmt"
	"slices"
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

	// PromptTokenIDs and TokenIDs are raw JSON arrays of what went in and came out.
	// Where the latter is nil, nobody archived any, and a sample has no such keys.
	PromptTokenIDs, TokenIDs []byte
	AnswerTokenIndex         int // of the first token of TokenIDs behind the thinking, -1 unknown

	Meta []byte // raw JSON object; nil is {}
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
	SegmentPlan      = "plan"      // what was said before calls, beside the thinking
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
	if s.TokenIDs != nil {
		dst = appendRaw(append(dst, `,"prompt_token_ids":`...), s.PromptTokenIDs, "[]")
		dst = append(append(dst, `,"token_ids":`...), s.TokenIDs...)
		dst = appendInt(append(dst, `,"answer_token_index":`...), int64(s.AnswerTokenIndex))
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

// Read fills s from a line that IsSample accepts. Slices of s are reused. The
// error names a count that is none; it is 0 in s.
func (s *Sample) Read(v jsonscan.Value) error {
	sample, err := Count(v, "sample")
	turn, errTurn := Count(v, "turn")
	choice, errChoice := Count(v, "choice")
	extract, flags := v.Get("extract"), s.Extract.Flags[:0]
	for _, f := range extract.Get("flags").Elements() {
		flags = append(flags, f.Text().String())
	}
	calls, ok := ReadToolCalls(v.Get("tool_calls"), s.ToolCalls[:0])
	if !ok && !slices.Contains(flags, FlagMalformedCalls) {
		flags = append(flags, FlagMalformedCalls)
	}
	*s = Sample{
		ID:           IDOf(v.Get("id")),
		Sample:       sample,
		Turn:         turn,
		Choice:       choice,
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

		PromptTokenIDs: v.Get("prompt_token_ids").Raw(), TokenIDs: v.Get("token_ids").Raw(), AnswerTokenIndex: readIndex(v.Get("answer_token_index")),

		Meta: v.Get("meta").Raw(),
	}
	return cmp.Or(err, errTurn, errChoice)
}

// Count is the whole number from 0 on that v holds under key, 0 for null and
// nothing. The error names the key of anything else.
func Count(v jsonscan.Value, key string) (int, error) {
	v = v.Get(key)
	if k := v.Kind(); k == jsonscan.None || k == jsonscan.Null {
		return 0, nil
	}
	if n, ok := v.Int(); ok && n >= 0 {
		return int(n), nil
	}
	return 0, fmt.Errorf("%q is %.40s, want a whole number from 0 on", key, v.Raw())
}

func readIndex(v jsonscan.Value) int {
	if n, ok := v.Int(); ok {
		return int(n)
	}
	return -1
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

// FlagMalformedCalls is the flag of a sample with a value that is no call where
// calls belong.
const FlagMalformedCalls = "malformed-tool-calls"

// ReadToolCalls appends the calls of a list, or the one that stands in its place;
// none for null, "" and nothing. ok is false when one of them is no call.
func ReadToolCalls(v jsonscan.Value, calls []ToolCall) (_ []ToolCall, ok bool) {
	k := v.Kind()
	if k <= jsonscan.Null || k == jsonscan.String && v.Text().Len() == 0 {
		return calls, true
	}
	if k != jsonscan.Array {
		call, ok := ReadToolCall(v)
		return append(calls, call), ok
	}
	ok = true
	for _, e := range v.Elements() {
		call, isCall := ReadToolCall(e)
		calls, ok = append(calls, call), ok && isCall
	}
	return calls, ok
}

// ReadToolCall reads a call in the OpenAI form {"id","function":{"name","arguments"}}
// or flat {"id","name","arguments"}; LangChain says args, Cohere and Llama 3 say
// parameters. ok is false for what is no call, such as a
// text: it becomes the arguments, as it stands, of a call without a name.
func ReadToolCall(v jsonscan.Value) (call ToolCall, ok bool) {
	f := v.Get("function")
	if f.Kind() <= jsonscan.Null {
		f = v
	}
	name := f.Get("name")
	if f.Kind() != jsonscan.Object || name.Kind() > jsonscan.Null && name.Kind() != jsonscan.String {
		return ToolCall{Arguments: TextOf(v)}, false
	}
	call = ToolCall{ID: TextOf(v.Get("id")), Name: name.Text(), Arguments: TextOf(f.Get("arguments"))}
	for _, key := range [...]string{"args", "parameters"} {
		if call.Arguments.Len() == 0 {
			call.Arguments = TextOf(f.Get(key))
		}
	}
	return call, true
}

// TextOf is a string, or the JSON text of any other value; empty for null and
// nothing. Servers give arguments as a text or as the object itself.
func TextOf(v jsonscan.Value) jsonscan.Text {
	if k := v.Kind(); k <= jsonscan.Null || k == jsonscan.String {
		return v.Text()
	}
	return jsonscan.Quote(string(v.Raw()))
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
