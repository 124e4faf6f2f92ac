package toolcall

import (
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// gemmaQuote stands around strings.
const gemmaQuote = `<|"|>`

// gemma reads a call of Gemma 4, whose arguments are JSON but for strings and keys:
//
//	call:NAME{k:<|"|>text<|"|>,n:3,b:true,a:[…]}
func gemma(p *Parser, c *cursor) bool {
	if !c.take("call:") {
		return false
	}
	from := c.at
	for c.at < c.Len() && isNameByte(c.Raw[c.at]) {
		c.at++
	}
	name := c.Slice(from, c.at)
	object, ok := gemmaJSON(strings.TrimSpace(c.gemmaBody().String()))
	if !ok || name.Len() == 0 {
		return false
	}
	p.Calls = append(p.Calls, record.ToolCall{Name: name, Arguments: jsonscan.Quote(object)})
	return true
}

// gemmaBody takes what stands before the closing marker, the next call, or the end.
func (c *cursor) gemmaBody() jsonscan.Text {
	end := c.Len()
	if next, _ := c.find("<|tool_call>", c.at); next >= 0 {
		end = next
	}
	body := c.Slice(c.at, end)
	if at, _ := body.Find("<tool_call|>", 0); at >= 0 {
		body = body.Slice(0, at)
	}
	c.at += body.Len()
	return body
}

// gemmaJSON quotes keys and strings as JSON does.
func gemmaJSON(s string) (object string, ok bool) {
	var json []byte
	for s != "" {
		if rest, quoted := strings.CutPrefix(s, gemmaQuote); quoted {
			text, after, closed := strings.Cut(rest, gemmaQuote)
			if !closed {
				return "", false
			}
			json, s = jsonscan.AppendString(json, text), after
			continue
		}
		end := 0
		for end < len(s) && isNameByte(s[end]) && s[end] != ':' {
			end++
		}
		if end > 0 && strings.HasPrefix(strings.TrimLeft(s[end:], " "), ":") {
			json, s = jsonscan.AppendString(json, s[:end]), s[end:]
			continue
		}
		end = max(end, 1)
		json, s = append(json, s[:end]...), s[end:]
	}
	return string(json), len(json) > 0 && json[0] == '{' && jsonscan.Valid(json)
}
