package prompt

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// Field is one member of a request body: a key and its value as raw JSON.
type Field struct {
	Key   string
	Value []byte
}

// ErrWrongAPI means that what is asked has a form the API cannot take: no
// prompt of the file fits, so it is a mistake in the command, not in a line.
var ErrWrongAPI = errors.New("the API does not take what is asked")

// Builder makes request bodies. It may be used by several goroutines.
type Builder struct {
	API     API
	Model   string  // always used when given; else a prompt's own, else Default
	Default string  // model of prompts that name none: the server's
	System  string  // system message for prompts without one
	Fields  []Field // of the flags, in order
	Seed    *int64  // of sample 0
	Stream  bool

	TokenIDs bool // ask for the ids of the tokens; the Responses API has none
}

// neverFromData are the fields that a prompt cannot set: how an answer travels
// and how many come is the run's business.
var neverFromData = map[string]bool{"stream": true, "stream_options": true, "n": true}

// Body is the request body of one sample of p in a lane with fields of its own,
// and the API it goes to. Each sample after the first has a seed of its own: that
// of the request, whoever set it, or one made of the request, plus the sample's
// number.
func (b *Builder) Body(p *Prompt, lane []Field, sample int) ([]byte, API, error) {
	api := b.API
	if p.API != "" {
		api = p.API
	}
	r := request{api: api}
	if err := b.ask(&r, p); err != nil {
		return nil, api, err
	}
	r.setAll(b.Fields)
	if b.Seed != nil {
		r.set("seed", strconv.AppendInt(nil, *b.Seed, 10))
	}
	r.setAll(lane)
	if p.Tools != nil {
		r.setTools(p.Tools)
	}
	b.fromData(&r, p.Body)
	b.fromData(&r, p.Params)
	b.delivery(&r)
	if sample > 0 {
		r.deriveSeed(sample)
	}
	return r.append(nil), api, nil
}

// delivery sets how the answer travels.
func (b *Builder) delivery(r *request) {
	if b.TokenIDs && (r.api == Chat || r.api == Completions) { // /generate always sends them
		r.set("return_token_ids", []byte("true"))
	}
	if !b.Stream {
		return
	}
	r.set("stream", []byte("true"))
	if r.api == Chat || r.api == Completions { // the others send usage anyway
		r.set("stream_options", []byte(`{"include_usage":true}`))
	}
}

// ask sets the model and what is asked.
func (b *Builder) ask(r *request, p *Prompt) error {
	if model := b.model(p); model != "" && r.api != Generate {
		r.set("model", jsonscan.AppendString(nil, model))
	}
	switch a := &p.Asked; r.api {
	case Chat:
		if a.InputIDs != nil {
			return fmt.Errorf("%w: chat takes messages or text, not token ids; --api generate takes them", ErrWrongAPI)
		}
		if a.Items != nil {
			return fmt.Errorf("%w: chat takes messages, not items; --api responses takes them", ErrWrongAPI)
		}
		r.set("messages", b.messages(a))
	case Responses:
		if a.InputIDs != nil {
			return fmt.Errorf("%w: responses takes messages or text, not token ids; --api generate takes them", ErrWrongAPI)
		}
		r.set("input", b.input(a))
	case Completions, Generate:
		key := "prompt"
		if r.api == Generate {
			key = "text"
		}
		switch {
		case a.HasText:
			r.set(key, a.Text.AppendQuoted(nil))
		case a.InputIDs != nil && r.api == Generate:
			r.set("input_ids", a.InputIDs)
		case a.InputIDs != nil:
			r.set(key, a.InputIDs)
		default:
			return fmt.Errorf("%w: %s takes prompt text or token ids, not messages; --api chat takes them", ErrWrongAPI, r.api)
		}
	}
	return nil
}

func (b *Builder) model(p *Prompt) string {
	if b.Model != "" {
		return b.Model
	}
	for _, v := range []jsonscan.Value{p.Params, p.Body} {
		if m := v.Get("model").Text(); len(m.Raw) > 0 {
			return m.String()
		}
	}
	return b.Default
}

// messages is the raw array of messages, the system message first.
func (b *Builder) messages(a *Asked) []byte {
	if a.HasText {
		all := [][]byte{message("user", a.Text)}
		if b.System != "" {
			all = append([][]byte{message("system", jsonscan.Quote(b.System))}, all...)
		}
		return array(all)
	}
	if b.System == "" || startsWithSystem(a.Messages) {
		return a.Messages
	}
	out := append([]byte{'['}, message("system", jsonscan.Quote(b.System))...)
	return append(append(out, ','), a.Messages[1:]...)
}

// Turn is the request of a later turn of a script: that of its first turn, as Body
// made it, with the messages of the turn after the given answers. The error says
// why the conversation cannot go on, see [Script.Messages].
func (b *Builder) Turn(first []byte, api API, s *Script, answers []Answer) ([]byte, error) {
	messages, err := s.Messages(answers)
	if err != nil {
		return nil, err
	}
	var d jsonscan.Doc
	if err := d.Scan(first); err != nil {
		return nil, err
	}
	a := Asked{Messages: messages}
	if messages = b.messages(&a); api == Responses {
		messages = b.input(&a)
	}
	old := d.Root().Get(askedKey(api))
	return slices.Concat(first[:old.Offset()], messages, first[old.Offset()+len(old.Raw()):]), nil
}

func startsWithSystem(messages []byte) bool {
	var d jsonscan.Doc
	if d.Scan(messages) != nil {
		return false
	}
	role := d.Root().Index(0).Get("role").Text()
	return role.Equal("system") || role.Equal("developer")
}

// Several reports whether a prompt asks for several answers at once (n), of which a
// body asks one.
func (p *Prompt) Several() bool {
	for _, fields := range []jsonscan.Value{p.Params, p.Body} {
		for _, n := range []jsonscan.Value{fields.Get("n"), fields.Get("sampling_params", "n")} {
			if n, ok := n.Int(); ok && n > 1 {
				return true
			}
		}
	}
	return false
}

// fromData sets the fields that a prompt brings.
func (b *Builder) fromData(r *request, fields jsonscan.Value) {
	for key, value := range fields.Members() {
		name := key.String()
		switch {
		case neverFromData[name], name == "model", name == askedKey(r.api), name == "input_ids":
		case name == "sampling_params" && r.api == Generate:
			b.fromData(r, value)
		case name == "tools":
			r.setTools(value.Raw())
		default:
			r.set(name, value.Raw())
		}
	}
}

// askedKey is the field that holds what is asked.
func askedKey(a API) string {
	switch a {
	case Completions:
		return "prompt"
	case Generate:
		return "text"
	case Responses:
		return "input"
	}
	return "messages"
}
