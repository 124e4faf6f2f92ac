package toolcall

import (
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// arguments makes a call of values that stand as bare text.
type arguments struct {
	parser *Parser
	name   jsonscan.Text
	json   []byte
}

func (p *Parser) begin(name jsonscan.Text) *arguments {
	return &arguments{p, name, []byte("{")}
}

// argument adds one, typed by the tools.
func (a *arguments) argument(key, value jsonscan.Text) {
	a.typed(key, value, a.parser.typeOf(a.name.String(), key.String()))
}

// typed adds one of a JSON schema's type: text where that is string, JSON where
// it is JSON; "" is not known.
func (a *arguments) typed(key, value jsonscan.Text, kind string) {
	if len(a.json) > 1 {
		a.json = append(a.json, ',')
	}
	v := value.String()
	a.json = append(jsonscan.AppendString(a.json, key.String()), ':')
	literal := strings.TrimSpace(v)
	if kind == "string" || !jsonscan.Valid([]byte(literal)) || kind == "" && literal[0] == '"' {
		a.json = jsonscan.AppendString(a.json, v)
		return
	}
	if kind == "" {
		a.parser.flag(FlagGuessed)
	}
	a.json = append(a.json, literal...)
}

// end adds the call.
func (a *arguments) end() bool {
	a.parser.Calls = append(a.parser.Calls, record.ToolCall{Name: a.name, Arguments: a.object()})
	return true
}

// object is the arguments so far.
func (a *arguments) object() jsonscan.Text { return jsonscan.Quote(string(a.json) + "}") }

// trimLine drops one line end on each side.
func trimLine(t jsonscan.Text) jsonscan.Text {
	if end := t.Match("\n", 0); end >= 0 {
		t = t.Slice(end, t.Len())
	}
	last, at := -1, 0
	for at < t.Len() {
		r, next := t.Next(at)
		if last = -1; r == '\n' {
			last = at
		}
		at = next
	}
	if last >= 0 {
		t = t.Slice(0, last)
	}
	return t
}

// knows reports whether the request's tools hold a function.
func (p *Parser) knows(name string) bool { return p.function(name).Exists() }

// function is a function's description: {"type":"function","function":{"name",
// "parameters"}} of chat, the flat form of the Responses API, Anthropic's
// {"name","input_schema"}.
func (p *Parser) function(name string) jsonscan.Value {
	for _, tool := range p.tools.Elements() {
		f := tool.Get("function")
		if f.Kind() != jsonscan.Object {
			f = tool
		}
		if f.Get("name").Text().Equal(name) {
			return f
		}
	}
	return jsonscan.Value{}
}

// typeOf is the type that the tools give a parameter, "" when they do not say.
func (p *Parser) typeOf(function, parameter string) string {
	f := p.function(function)
	return firstOf(f, "parameters", "input_schema").Get("properties", parameter, "type").Text().String()
}
