package toolcall

import (
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

const (
	kimiBegin    = "<|tool_call_begin|>"
	kimiArgument = "<|tool_call_argument_begin|>"
)

// kimi reads a call of Kimi K2, after its first marker:
//
//	functions.NAME:INDEX<|tool_call_argument_begin|>{…}
//
// White space may stand around both. The id stays as the model wrote it.
func kimi(p *Parser, c *cursor) bool {
	id, ok := c.upTo("<|")
	if id = id.TrimSpace(); !ok || id.Len() == 0 || !c.take(kimiArgument) {
		return false
	}
	name := jsonscan.Quote(p.kimiName(id.String()))
	arguments, ok := p.object(c)
	if !ok || name.Len() == 0 {
		return false
	}
	p.Calls = append(p.Calls, record.ToolCall{ID: id, Name: name, Arguments: arguments})
	return true
}

// kimiBegins is meant, or an id between blanks.
func kimiBegins(c cursor, lineStart bool) bool {
	if meant(c, lineStart) {
		return true
	}
	id, ok := c.upTo("<|")
	return ok && isName(id.TrimSpace())
}

// kimiName is the function that an id names: functions.get_weather:0, without
// the prefix or the index, or as some server made it a plain word,
// functions_get_weather_1.
func (p *Parser) kimiName(id string) string {
	name, plain := strings.CutPrefix(id, "functions_")
	name = strings.TrimPrefix(name, "functions.")
	if before, index, ok := cutLast(name, ":"); ok && isNumber(index) {
		return before
	}
	before, index, ok := cutLast(name, "_")
	if ok && isNumber(index) && !p.knows(name) && (plain || p.knows(before)) {
		return before
	}
	return name
}

func cutLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// object takes a JSON object, {} for nothing, as the model wrote it.
func (p *Parser) object(c *cursor) (jsonscan.Text, bool) {
	c.space()
	if c.end() || c.follows("<") {
		return jsonscan.Quote("{}"), !c.end()
	}
	v, ok := c.value()
	if !ok || p.doc.Scan(v.AppendTo(nil)) != nil || p.doc.Root().Kind() != jsonscan.Object {
		return v, false
	}
	return v, true
}
