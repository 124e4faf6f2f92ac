package response

import "github.com/thinkpipe/thinkpipe/pkg/jsonscan"

// Ollama's own API, /api/chat and /api/generate; a stream is a line each of the
// same, the last with done true:
//
//	{"model":…,"message":{"role":"assistant","thinking":…,"content":…},"done":true,"done_reason":"stop"}
//	{"model":…,"response":…,"thinking":…,"done":true,"done_reason":"stop"}

func isOllama(v jsonscan.Value) bool {
	_, told := v.Get("done").Bool()
	return told && (v.Get("message").Kind() == jsonscan.Object || v.Get("response").Kind() == jsonscan.String)
}

func readOllama(p *Parser, v jsonscan.Value) {
	if done, _ := v.Get("done").Bool(); !done {
		p.fail(codeStreamCut, "one line of a stream that was not done")
	}
	p.ollama(v, p.choice(0))
}

func foldOllama(p *Parser, v jsonscan.Value) {
	p.ollama(v, p.joiner(0))
	p.stream.done, _ = v.Get("done").Bool()
}

func (p *Parser) ollama(v jsonscan.Value, to sink) {
	p.head(v)
	if m := v.Get("message"); m.Kind() == jsonscan.Object {
		p.message(m, to)
	} else {
		to.add(Reasoning, "thinking", v.Get("thinking").Text())
		to.add(Content, "response", v.Get("response").Text())
	}
	if done, _ := v.Get("done").Bool(); done {
		to.finish(v.Get("done_reason"))
		p.usage(v)
	}
}
