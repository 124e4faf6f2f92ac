package toolcall

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

const kimi3Sep = "<|sep|>"

// kimi3 reads the calls of Kimi K3, after <|open|>tools<|sep|>:
//
//	<|open|>call tool="NAME" index="1"<|sep|>
//	<|open|>argument key="KEY" type="string"<|sep|>VALUE<|close|>argument<|sep|>
//	<|close|>call<|sep|>
//
// on one line, or all arguments as <|open|>json type="object"<|sep|>{…}<|close|>json<|sep|>.
func kimi3(p *Parser, c *cursor) bool {
	known := len(p.Calls)
	for c.space(); c.take(`<|open|>call tool="`); c.space() {
		name, ok := c.until(`"`)
		var id jsonscan.Text
		if c.take(` index="`) {
			id, _ = c.until(`"`)
		}
		if !ok || name.Len() == 0 || !c.take(kimi3Sep) {
			return false
		}
		arguments, ok := p.kimi3Arguments(c, name)
		if !ok || !c.take("<|close|>call<|sep|>") {
			return false
		}
		p.Calls = append(p.Calls, record.ToolCall{ID: id, Name: name, Arguments: arguments})
	}
	return len(p.Calls) > known
}

func (p *Parser) kimi3Arguments(c *cursor, name jsonscan.Text) (jsonscan.Text, bool) {
	if c.take(`<|open|>json type="object"<|sep|>`) {
		v, ok := p.object(c)
		return v, ok && c.take("<|close|>json<|sep|>")
	}
	call := p.begin(name)
	for c.space(); c.take(`<|open|>argument key="`); c.space() {
		key, ok := c.until(`" type="`)
		kind, also := c.until(`"`)
		if !ok || !also || !c.take(kimi3Sep) {
			return key, false
		}
		value, ok := c.until("<|close|>argument<|sep|>")
		if !ok {
			return key, false
		}
		call.typed(key, value, kind.String())
	}
	return call.object(), true
}
