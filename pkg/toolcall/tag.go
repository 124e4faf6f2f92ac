package toolcall

import "github.com/thinkpipe/thinkpipe/pkg/jsonscan"

// tag reads what three formats write between <tool_call> and </tool_call>:
// JSON (Hermes, Qwen2.5, Qwen3), functions (Qwen3-Coder, Qwen3.5, Nemotron 3,
// Step-3.5), a name with keys and values (GLM).
func tag(p *Parser, c *cursor) bool {
	blank := c.follows(" ")
	c.space()
	switch {
	case c.follows("{"), c.follows("["):
		return readJSON(p, c)
	case c.follows(functions.open):
		return functions.read(p, c)
	}
	return !blank && glm(p, c)
}

// tagBegins takes <tool_call> for markup when a call follows, or something else
// that is closed on a line of its own: "the <tool_call> tag" is text, and so is
// "<tool_call> and </tool_call>", since no blank stands before GLM's names.
func tagBegins(c cursor, lineStart bool) bool {
	inside := c
	c.space()
	if c.follows("{") || c.follows(functions.open) {
		return true
	}
	if _, ok := glmName(&c); ok && !inside.follows(" ") {
		return true
	}
	_, closed := inside.until("</tool_call>")
	return lineStart && closed
}

const (
	glmKey      = "<arg_key>"
	glmKeyEnd   = "</arg_key>"
	glmValue    = "<arg_value>"
	glmValueEnd = "</arg_value>"
	tagEnd      = "</tool_call>"
)

// toolCalls reads what stands between <tool_calls> and </tool_calls>: a list in JSON
// (Apriel), or Hunyuan's calls, which are tagged one by one.
func toolCalls(p *Parser, c *cursor) bool {
	c.space()
	if c.follows("[") {
		return readJSON(p, c)
	}
	for c.take("<tool_call>") {
		c.space()
		if !glm(p, c) || !c.take(tagEnd) {
			return false
		}
		c.space()
	}
	return true
}

// glm reads a call of GLM 4.5 and later. White space between the parts is that
// of the older ones; arguments may be missing. Hunyuan 3 ends the name with a mark.
//
//	NAME<arg_key>K</arg_key><arg_value>V</arg_value>
//	NAME<tool_sep><arg_key>K</arg_key><arg_value>V</arg_value>
func glm(p *Parser, c *cursor) bool {
	name, ok := glmName(c)
	if !ok {
		return false
	}
	call := p.begin(name)
	for c.take(glmKey) {
		key, ok := c.until(glmKeyEnd)
		if c.space(); !ok || !c.take(glmValue) {
			return false
		}
		value, ok := c.untilLast(glmValueEnd, glmKey, tagEnd)
		if !ok {
			return false
		}
		call.argument(key.TrimSpace(), value)
		c.space()
	}
	return call.end()
}

// glmName takes a function's name that a call goes on after.
func glmName(c *cursor) (name jsonscan.Text, ok bool) {
	const longest = 128
	from := c.at
	for c.at < min(c.Len(), from+longest) && isNameByte(c.Raw[c.at]) {
		c.at++
	}
	name = c.Slice(from, c.at)
	c.space()
	if c.take("<tool_sep>") {
		c.space()
	}
	return name, name.Len() > 0 && (c.follows(glmKey) || c.follows(tagEnd))
}

func isNameByte(b byte) bool {
	return 'a' <= b|0x20 && b|0x20 <= 'z' || '0' <= b && b <= '9' || b == '_' || b == '-' || b == '.' || b == ':'
}

// untilLast takes the text before the first marker that one of follow comes
// after, or the end: the value may hold the marker, too.
func (c *cursor) untilLast(marker string, follow ...string) (before jsonscan.Text, ok bool) {
	from := c.at
	for {
		start, end := c.find(marker, c.at)
		if start < 0 {
			return before, false
		}
		next := *c
		next.at = end
		next.space()
		c.at = end
		for _, f := range follow {
			if next.end() || next.follows(f) {
				return c.Slice(from, start), true
			}
		}
	}
}
