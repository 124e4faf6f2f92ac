package simulator

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// completionBody is a text completion: never split.
func (p *reply) completionBody() []byte {
	dst := p.head("text_completion")
	for i, a := range p.answers {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = p.textChoice(dst, a, a.raw(), a.finish)
	}
	return p.end(dst)
}

func (p *reply) textChoice(dst []byte, a *answer, text, finish string) []byte {
	dst = jsonscan.AppendString(fmt.Appendf(dst, `{"index":%d,"text":`, a.index), text)
	dst = append(dst, `,"logprobs":null,"finish_reason":`...)
	dst = appendText(dst, finish, finish == "")
	if p.server.config.Engine == "vllm" {
		dst = append(dst, `,"stop_reason":null`...)
	} else {
		matched := "null"
		if finish != "" {
			matched = a.matched()
		}
		dst = append(dst, `,"matched_stop":`+matched...)
	}
	if p.request.ReturnTokenIDs && finish != "" {
		dst = appendIDs(append(dst, `,"prompt_token_ids":`...), pieces(p.request.prompt))
		dst = a.ids(append(dst, `,"token_ids":`...))
	}
	return append(dst, '}')
}

// completionEvents are chunks: the tokens, the finish, the usage.
func (p *reply) completionEvents(yield func(int, []byte) bool) {
	step := 0
	chunk := func(a *answer, text, finish string) bool {
		dst := p.textChoice(p.head("text_completion"), a, text, finish)
		return yield(step, event(append(dst, `],"usage":null}`...)))
	}
	for _, a := range p.answers {
		for at := 0; at < len(a.tokens); at++ {
			if !chunk(a, a.tokens[at].text, "") {
				return
			}
			step++
		}
		if !chunk(a, "", a.finish) {
			return
		}
	}
	if p.request.StreamOptions.IncludeUsage && !yield(step, p.usageChunk("text_completion")) {
		return
	}
	yield(step, done)
}

// generateBody is SGLang's own shape: an object, or a list of n.
func (p *reply) generateBody() []byte {
	if len(p.answers) == 1 {
		return p.generated(p.answers[0], len(p.answers[0].tokens))
	}
	dst := []byte("[")
	for i, a := range p.answers {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, p.generated(a, len(a.tokens))...)
	}
	return append(dst, ']')
}

// generated is an answer of which n tokens are written.
func (p *reply) generated(a *answer, n int) []byte {
	part := answer{tokens: a.tokens[:n], close: a.close}
	dst := jsonscan.AppendString([]byte(`{"text":`), part.raw())
	dst = part.ids(append(dst, `,"output_ids":`...))
	dst = jsonscan.AppendString(append(dst, `,"meta_info":{"id":`...), p.id())
	finish := "null"
	if n == len(a.tokens) {
		finish = a.nativeFinish()
	}
	return fmt.Appendf(dst, `,"finish_reason":%s,"prompt_tokens":%d,"completion_tokens":%d,"cached_tokens":0,`+
		`"weight_version":"default","simulator":true,"e2e_latency":%g}}`,
		finish, p.prompt, n, p.server.config.Latency.Seconds())
}

// nativeFinish is the finish reason as /generate has it.
func (a *answer) nativeFinish() string {
	switch a.finish {
	case "length":
		return fmt.Sprintf(`{"type":"length","length":%d}`, len(a.tokens))
	case "abort":
		return `{"type":"abort","message":"Aborted by AbortReq."}`
	}
	return `{"type":"stop","matched":163586}`
}

// generateEvents repeat the whole text each time, as SGLang does by default.
func (p *reply) generateEvents(yield func(int, []byte) bool) {
	step := 0
	for _, a := range p.answers {
		for n := 1; n <= len(a.tokens); n++ {
			if !yield(step, event(p.generated(a, n))) {
				return
			}
			step++
		}
		if a.finish == "abort" && !yield(step, event(p.generated(a, len(a.tokens)))) {
			return
		}
	}
	yield(step, done)
}
