package prompt

import (
	"errors"
	"slices"
	"strconv"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Continue is the request that goes on from a part of an answer, with n tokens at
// most: the request of the answer, and behind it what the model wrote so far. A
// text prompt gets it at its end; chat has it as the assistant's message, which
// vLLM and SGLang go on with (continue_final_message). The error says why a request
// cannot be gone on with.
func Continue(body []byte, api API, p *record.Part, n int64) ([]byte, error) {
	var d jsonscan.Doc
	if err := d.Scan(body); err != nil {
		return nil, err
	}
	old := d.Root().Get(askedKey(api))
	var asked []byte
	switch {
	case api == Chat && old.Kind() == jsonscan.Array:
		raw := old.Raw()
		message := message("assistant", written(d.Root(), p))
		asked = append(append(slices.Clone(raw[:len(raw)-1]), ','), message...)
		asked = append(asked, ']')
	case api != Responses && old.Kind() == jsonscan.String:
		raw := old.Raw()
		asked = append(slices.Concat(raw[:len(raw)-1], p.Content.Raw), '"')
	default:
		return nil, errors.New("what was asked cannot be gone on with")
	}
	r := requestOf(d.Root(), api)
	r.fields = set(r.fields, askedKey(api), asked)
	if api == Chat {
		r.fields = set(r.fields, "continue_final_message", []byte("true"))
		r.fields = set(r.fields, "add_generation_prompt", []byte("false"))
	}
	limit := strconv.AppendInt(nil, n, 10)
	if len(limitsOf(body)) == 0 {
		r.set("max_tokens", limit)
	}
	return withLimits(r.append(nil), limit), nil
}

// requestOf is a request that was made before.
func requestOf(body jsonscan.Value, api API) *request {
	r := &request{api: api}
	for key, v := range body.Members() {
		if api == Generate && key.Equal("sampling_params") {
			for key, v := range v.Members() {
				r.sampling = append(r.sampling, Field{key.String(), v.Raw()})
			}
			continue
		}
		r.fields = append(r.fields, Field{key.String(), v.Raw()})
	}
	return r
}

// withLimits is a body with another number in place of all limits that it has.
func withLimits(body, limit []byte) (out []byte) {
	from := 0
	for _, v := range limitsOf(body) {
		out = append(append(out, body[from:v.Offset()]...), limit...)
		from = v.Offset() + len(v.Raw())
	}
	return append(out, body[from:]...)
}

// written is what the model wrote, as it wrote it: with the family's markers where
// a server took them out, and with the opening one where the template writes it,
// which here it does not.
func written(body jsonscan.Value, p *record.Part) jsonscan.Text {
	model := body.Get("model").Text().String()
	family, _ := reasoning.Detect(reasoning.Facts{Model: model}, reasoning.Plain(""))
	thinks := family != nil && family.Prefills(model) && extractor.Switched(body, family) != reasoning.No
	if family == nil {
		family = reasoning.Custom("<think>", "</think>")
	}
	open, closer := jsonscan.Quote(family.Open), jsonscan.Quote(family.Close)
	var t jsonscan.Text
	add := func(more ...jsonscan.Text) {
		for _, m := range more {
			t.Raw, t.Flags = append(t.Raw, m.Raw...), t.Flags|m.Flags
		}
	}
	at, _ := p.Content.Find(family.Open, 0)
	switch {
	case p.Reasoning.Len() > 0 && p.Content.Len() > 0:
		add(open, p.Reasoning, closer, p.Content)
	case p.Reasoning.Len() > 0:
		add(open, p.Reasoning)
	case thinks && at < 0:
		add(open, p.Content)
	default:
		add(p.Content)
	}
	return t
}
