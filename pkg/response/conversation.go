package response

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// Conversations whose last message is the assistant's:
//
//	{"id","messages":[{"role":"user","content":…},{"role":"assistant","content":…}]}
//	{"id","conversations":[{"from":"human","value":…},{"from":"gpt","value":…}]}

// roles are the role of each speaker of ShareGPT.
var roles = [...][2]string{
	{"human", "user"}, {"user", "user"}, {"system", "system"}, {"tool", "tool"}, {"observation", "tool"},
	{"gpt", "assistant"}, {"assistant", "assistant"}, {"chatgpt", "assistant"}, {"model", "assistant"}, {"bing", "assistant"}, {"bard", "assistant"},
}

// roleOf is the role of a message's author, "" when it is none we know.
func roleOf(m jsonscan.Value) string {
	who := m.Get("role").Text()
	if who.Len() == 0 {
		who = m.Get("from").Text()
	}
	for _, r := range roles {
		if who.Equal(r[0]) {
			return r[1]
		}
	}
	return ""
}

func conversation(v jsonscan.Value) jsonscan.Value {
	for _, key := range [...]string{"messages", "conversations", "conversation"} {
		if c := v.Get(key); c.Kind() == jsonscan.Array {
			return c
		}
	}
	return jsonscan.Value{}
}

// lastMessage is an array's last element.
func lastMessage(v jsonscan.Value) (last jsonscan.Value) {
	for _, m := range v.Elements() {
		last = m
	}
	return last
}

func isConversation(v jsonscan.Value) bool {
	return roleOf(lastMessage(conversation(v))) == "assistant"
}

func readConversation(p *Parser, v jsonscan.Value) {
	p.envelope(v)
	p.rec.Shape = "conversation"
	p.head(v)
	c := conversation(v)
	last := lastMessage(c)
	choice := p.choice(0)
	p.message(last, choice)
	choice.add(Content, "value", p.textOf(last.Get("value"), "value"))
	choice.finishIfTold(v.Get("finish_reason"))
	p.rec.Messages = p.before(systemOf(v), c, last)
}

// before is the conversation without its last message, each with a role and a
// content, behind the system prompt that stands beside it (LLaMA-Factory).
func (p *Parser) before(system, c, last jsonscan.Value) []byte {
	p.messages = append(p.messages[:0], '[')
	if system.Exists() {
		p.messages = appendMessage(p.messages, "system", system)
	}
	for _, m := range c.Elements() {
		if m == last {
			break
		}
		if len(p.messages) > 1 {
			p.messages = append(p.messages, ',')
		}
		role, value := roleOf(m), m.Get("value")
		if m.Get("role").Exists() || role == "" || !value.Exists() {
			p.messages = append(p.messages, m.Raw()...)
			continue
		}
		p.messages = append(append(append(p.messages, `{"role":"`...), role...), `","content":`...)
		p.messages = append(append(p.messages, value.Raw()...), '}')
	}
	p.messages = append(p.messages, ']')
	return p.messages
}
