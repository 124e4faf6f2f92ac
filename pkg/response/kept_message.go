package response

import "github.com/thinkpipe/thinkpipe/pkg/jsonscan"

// Logs of clients and of gateways (LangFuse, Helicone, LiteLLM) keep what was asked
// beside what came, and in the place of a body often the message alone:
//
//	{"id","input":{"messages":[…]},"output":{"role":"assistant","content":…,"reasoning_content":…}}
//	{"id","request":{…},"response":{"message":{"role":"assistant","content":…}}}
//
// With a finish reason beside the message it is a body like Cohere's.

// isMessage reports whether v is what an assistant said: by its role, or, without
// one, by thinking beside a content.
func isMessage(v jsonscan.Value) bool {
	content := v.Get("content").Kind()
	says, thinks := content == jsonscan.String || content == jsonscan.Array, false
	for _, f := range reasoningFields {
		thinks = thinks || v.Get(f).Exists()
	}
	if role := v.Get("role"); role.Exists() {
		return role.Text().Equal("assistant") && (says || thinks || v.Get("tool_calls").Len() > 0)
	}
	return says && thinks
}

// messageIn is the message that stands in the place of a body, None for another thing.
func messageIn(body jsonscan.Value) jsonscan.Value {
	switch m := body.Get("message"); {
	case isMessage(body):
		return body
	case m.Get("role").Exists() && isMessage(m):
		return m
	}
	return jsonscan.Value{}
}

func (p *Parser) keptMessage(line, message jsonscan.Value) {
	p.rec.Shape = "message"
	p.head(line)
	p.head(message)
	c := p.choice(0)
	p.message(message, c)
	c.finishIfTold(line.Get("finish_reason"))
}
