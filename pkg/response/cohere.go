package response

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Cohere's chat API, version 2:
//
//	{"id":…,"message":{"role":"assistant","content":[{"type":"thinking","thinking":…},{"type":"text","text":…}],
//	 "tool_plan":…,"tool_calls":[…]},"finish_reason":"COMPLETE","usage":{"tokens":{"input_tokens":…}}}
//
// tool_plan is "a chain-of-thought style reflection and plan" (Cohere's reference);
// models that reason think before it.

func isCohere(v jsonscan.Value) bool {
	return v.Get("message").Kind() == jsonscan.Object && v.Get("finish_reason").Kind() == jsonscan.String
}

func readCohere(p *Parser, v jsonscan.Value) {
	c := p.choice(0)
	m := v.Get("message")
	c.add(Plan, "tool_plan", m.Get("tool_plan").Text())
	p.message(m, c)
	c.finish(v.Get("finish_reason"))
	p.usage(v.Get("usage", "tokens"))
}

var cohereEvents = [...]string{
	"content-delta", "content-start", "content-end", "tool-plan-delta", "tool-call-start", "tool-call-delta",
	"tool-call-end", "citation-start", "citation-end", "message-start", "message-end",
}

func isCohereEvent(v jsonscan.Value) bool { return oneOf(v.Get("type").Text(), cohereEvents[:]) }

func foldCohere(p *Parser, v jsonscan.Value) {
	j, delta := p.joiner(0), v.Get("delta")
	m := delta.Get("message")
	j.add(Plan, "tool_plan", m.Get("tool_plan").Text())
	if c := m.Get("content"); c.Kind() == jsonscan.Object {
		j.add(Reasoning, "content[].thinking", c.Get("thinking").Text())
		j.add(Content, "content[].text", c.Get("text").Text())
	}
	if c := m.Get("tool_calls"); c.Kind() == jsonscan.Object {
		call, ok := record.ReadToolCall(c)
		p.call(callIndex(v.Get("index")), call, ok, j)
	}
	if v.Get("type").Text().Equal("message-end") {
		j.finish(delta.Get("finish_reason"))
		p.usage(delta.Get("usage", "tokens"))
		p.stream.done = true
	}
}
