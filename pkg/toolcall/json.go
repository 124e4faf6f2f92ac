package toolcall

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// readJSON reads one call, or a list of calls, in JSON:
//
//	{"name": "f", "arguments": {…}}
//
// Arguments may be a string that holds JSON (some fine-tunes); none are {}.
// Cohere calls the keys tool_call_id, tool_name and parameters, Llama
// parameters, Inkling args.
func readJSON(p *Parser, c *cursor) bool {
	c.space()
	v, ok := c.value()
	if !ok || p.doc.Scan(v.AppendTo(nil)) != nil {
		return false
	}
	root := p.doc.Root()
	if root.Kind() == jsonscan.Object {
		return p.jsonCall(root)
	}
	for _, e := range root.Elements() {
		if !p.jsonCall(e) {
			return false
		}
	}
	return root.Len() > 0
}

func (p *Parser) jsonCall(v jsonscan.Value) bool {
	f := v.Get("function")
	if f.Kind() != jsonscan.Object { // the OpenAI form is written, too
		f = v
	}
	call := record.ToolCall{
		ID:   firstOf(v, "id", "tool_call_id").Text(),
		Name: firstOf(f, "name", "tool_name").Text(),
	}
	switch args := firstOf(f, "arguments", "parameters", "args"); args.Kind() {
	case jsonscan.Object:
		call.Arguments = jsonscan.Quote(string(args.Raw()))
	case jsonscan.String:
		call.Arguments = args.Text()
	case jsonscan.None, jsonscan.Null:
		call.Arguments = jsonscan.Quote("{}")
	default:
		return false
	}
	p.Calls = append(p.Calls, call)
	return call.Name.Len() > 0
}

// firstOf is the first of an object's members that is there.
func firstOf(v jsonscan.Value, keys ...string) jsonscan.Value {
	for _, k := range keys {
		if m := v.Get(k); m.Exists() {
			return m
		}
	}
	return jsonscan.Value{}
}

// apertus reads calls whose names are keys: [{"NAME": {…}}].
func apertus(p *Parser, c *cursor) bool {
	c.space()
	v, ok := c.value()
	if !ok || p.doc.Scan(v.AppendTo(nil)) != nil || p.doc.Root().Len() == 0 {
		return false
	}
	for _, e := range p.doc.Root().Elements() {
		for name, arguments := range e.Members() {
			if arguments.Kind() != jsonscan.Object {
				return false
			}
			p.Calls = append(p.Calls, record.ToolCall{Name: jsonscan.Quote(name.String()), Arguments: jsonscan.Quote(string(arguments.Raw()))})
		}
	}
	return len(p.Calls) > 0
}
