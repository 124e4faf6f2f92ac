package simulator

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// request is the union of what the endpoints take.
type request struct {
	Model         string
	Messages      []message
	Input         json.RawMessage // of /v1/responses: string or list of items
	Prompt        json.RawMessage // string, list of strings, or list of ids
	Text          json.RawMessage // of /generate, the same
	InputIDs      json.RawMessage `json:"input_ids"`
	Stream        bool
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	MaxTokens           *int     `json:"max_tokens"`
	MaxCompletionTokens *int     `json:"max_completion_tokens"`
	MaxOutputTokens     *int     `json:"max_output_tokens"`
	SamplingParams      sampling `json:"sampling_params"`
	N                   int
	Seed                json.RawMessage
	Tools               []tool
	ToolChoice          json.RawMessage `json:"tool_choice"`
	Template            map[string]any  `json:"chat_template_kwargs"`
	SeparateReasoning   *bool           `json:"separate_reasoning"`
	ReturnTokenIDs      bool            `json:"return_token_ids"`
	Continue            bool            `json:"continue_final_message"`
	RID                 string

	kind     endpoint // who was asked
	hash     uint64   // of the whole body
	prompt   string   // the text of all that is asked, without markup
	question string   // the last of it
	prefix   string   // of the answer, that it goes on from
}

type sampling struct {
	MaxNewTokens *int `json:"max_new_tokens"`
	N            int
	Seed         json.RawMessage `json:"sampling_seed"`
}

type message struct {
	Role      string
	Content   json.RawMessage
	ToolCalls []json.RawMessage `json:"tool_calls"`
}

type tool struct {
	Function function
	function // as /v1/responses has it
}

type function struct {
	Name       string
	Parameters struct {
		Properties map[string]struct {
			Type any
			Enum []any
		}
		Required []string
	}
}

// definition is that of the tool's function.
func (t *tool) definition() *function {
	if t.Name != "" {
		return &t.function
	}
	return &t.Function
}

// endpoint is one of those that generate.
type endpoint uint8

const (
	chat endpoint = iota
	completion
	generate
	responses
)

// parse reads a request's body.
func parse(kind endpoint, body []byte, seed uint64) (*request, error) {
	r := &request{kind: kind}
	if err := json.Unmarshal(body, r); err != nil {
		return nil, fmt.Errorf("the body cannot be read: %w", err)
	}
	r.hash = hash(seed, withoutName(string(body), r.RID))
	if r.N = max(r.N, r.SamplingParams.N, 1); r.N > 128 {
		return nil, errors.New("n must be at most 128")
	}
	if n := r.limit(); n != nil && *n < 1 {
		return nil, fmt.Errorf("max_tokens must be at least 1, got %d.", *n)
	}
	var err error
	if kind == responses {
		err = r.readInput()
	}
	if err != nil {
		return nil, err
	}
	r.takePrefix()
	switch kind {
	case chat, responses:
		r.prompt, r.question, err = conversation(r.Messages)
	case completion:
		r.prompt, err = input(r.Prompt)
	case generate:
		if r.Text == nil {
			r.Text = r.InputIDs
		}
		r.prompt, err = input(r.Text)
	}
	if !r.converses() {
		r.question = r.prompt
	}
	return r, err
}

// converses reports whether messages are asked, not a text.
func (r *request) converses() bool { return r.kind == chat || r.kind == responses }

// withoutName is a body without its rid, which names one sending of a request: sent
// again under another name it is the same request.
func withoutName(body, rid string) string {
	if rid == "" {
		return body
	}
	return strings.Replace(body, `"rid":`+quoted(rid)+`,`, "", 1)
}

// limit is the number of tokens asked for, nil for none.
func (r *request) limit() *int {
	for _, n := range []*int{r.MaxCompletionTokens, r.MaxTokens, r.MaxOutputTokens, r.SamplingParams.MaxNewTokens} {
		if n != nil {
			return n
		}
	}
	return nil
}

// maxTokens is where the answer is cut; the engines' own defaults where nothing
// is asked for. Chat goes on as long as there is room.
func (r *request) maxTokens(room int) int {
	if n := r.limit(); n != nil {
		return *n
	}
	switch r.kind {
	case completion:
		return 16
	case generate:
		return 128
	}
	return max(room, 1)
}

func conversation(messages []message) (all, last string, err error) {
	if len(messages) == 0 {
		return "", "", errors.New("Messages cannot be empty.")
	}
	var texts []string
	for _, m := range messages {
		switch m.Role {
		case "user", "system", "developer", "assistant", "tool":
		default:
			return "", "", fmt.Errorf("unknown role %q in messages", m.Role)
		}
		last = contentText(m.Content)
		texts = append(texts, last)
	}
	return strings.Join(texts, "\n"), last, nil
}

// contentText is the text of a message: a string or a list of parts.
func contentText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct{ Text string }
	json.Unmarshal(raw, &parts)
	var texts []string
	for _, p := range parts {
		texts = append(texts, p.Text)
	}
	return strings.Join(texts, "\n")
}

// input is a prompt: text, or ids, which stand for themselves as words.
func input(raw json.RawMessage) (string, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil && raw != nil {
		return s, nil
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil && len(list) == 1 {
		return list[0], nil
	}
	var ids []json.Number
	if json.Unmarshal(raw, &ids) == nil && len(ids) > 0 {
		var b strings.Builder
		for _, id := range ids {
			b.WriteString(string(id) + " ")
		}
		return b.String(), nil
	}
	return "", errors.New("Either text, input_ids or a prompt of one string should be provided.")
}

// thinkingOff reports whether the request switches thinking off.
func (r *request) thinkingOff() bool {
	return r.Template["thinking"] == false || r.Template["enable_thinking"] == false
}

// identity is what decides the answer: not how it is delivered, nor its length.
func (r *request) identity(seed uint64) uint64 {
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(m.Role + "\x00" + string(m.Content) + "\x00")
	}
	b.WriteString(r.prompt + "\x00" + string(r.Seed) + string(r.SamplingParams.Seed))
	return hash(seed, b.String())
}

// hash of a text under a seed; the same in every process.
func hash(seed uint64, text string) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	for ; seed > 0; seed >>= 8 {
		h = (h ^ seed&0xff) * prime
	}
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * prime
	}
	return h
}
