package simulator

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// call is one call of a tool.
type call struct {
	id, name  string
	arguments []argument
}

type argument struct {
	name string
	json string // its value
}

// markup is how a family writes tool calls in its text.
type markup uint8

const (
	kimiCalls markup = iota
	hermesCalls
	glmCalls
	xmlCalls
)

// wantsCall reports whether the request offers tools and did not just get a
// tool's result.
func (r *request) wantsCall() bool {
	if !r.converses() || len(r.Tools) == 0 || string(r.ToolChoice) == `"none"` {
		return false
	}
	return r.Messages[len(r.Messages)-1].Role != "tool"
}

// callTools makes up n calls, each of one of the tools. Kimi's ids count over the
// whole conversation, the others are the server's.
func (f *family) callTools(p *prose, r *request, n int) (calls []call) {
	before := 0
	for _, m := range r.Messages {
		before += len(m.ToolCalls)
	}
	for i := range n {
		c := p.call(&r.Tools[p.number(len(r.Tools))])
		if f.calls == kimiCalls {
			c.id = fmt.Sprintf("functions.%s:%d", c.name, before+i)
		}
		calls = append(calls, c)
	}
	return calls
}

// call makes up a call of a tool.
func (p *prose) call(tool *tool) call {
	t := tool.definition()
	c := call{name: t.Name, id: fmt.Sprintf("call_%016x%08x", p.rng.Uint64(), p.rng.Uint32())}
	for _, name := range slices.Sorted(maps.Keys(t.Parameters.Properties)) {
		if !slices.Contains(t.Parameters.Required, name) && p.number(2) == 0 {
			continue
		}
		property := t.Parameters.Properties[name]
		c.arguments = append(c.arguments, argument{name, p.value(property.Type, property.Enum)})
	}
	return c
}

// value is one of a JSON schema's type.
func (p *prose) value(kind any, enum []any) string {
	if len(enum) > 0 {
		text, _ := json.Marshal(enum[p.number(len(enum))])
		return string(text)
	}
	switch kind {
	case "integer":
		return fmt.Sprint(p.number(1000))
	case "number":
		return fmt.Sprintf("%.2f", p.rng.Float64()*100)
	case "boolean":
		return fmt.Sprint(p.number(2) == 0)
	case "array":
		return "[" + quoted(p.word()) + "]"
	case "object":
		return "{}"
	}
	return quoted(p.word() + " " + p.word())
}

func quoted(s string) string { return string(jsonscan.AppendString(nil, s)) }

// json is the arguments as an object.
func (c *call) json() string {
	var parts []string
	for _, a := range c.arguments {
		parts = append(parts, quoted(a.name)+": "+a.json)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// write is the calls as the family's models write them.
func (m markup) write(calls []call) string {
	var b strings.Builder
	for i := range calls {
		m.writeOne(&b, &calls[i])
	}
	if m == kimiCalls {
		return "<|tool_calls_section_begin|>" + b.String() + "<|tool_calls_section_end|>"
	}
	return b.String()
}

func (m markup) writeOne(b *strings.Builder, c *call) {
	switch m {
	case kimiCalls:
		fmt.Fprintf(b, "<|tool_call_begin|>%s<|tool_call_argument_begin|>%s<|tool_call_end|>", c.id, c.json())
	case hermesCalls:
		fmt.Fprintf(b, "\n<tool_call>\n{\"name\": %s, \"arguments\": %s}\n</tool_call>", quoted(c.name), c.json())
	case glmCalls:
		fmt.Fprintf(b, "\n<tool_call>%s\n", c.name)
		for _, a := range c.arguments {
			fmt.Fprintf(b, "<arg_key>%s</arg_key>\n<arg_value>%s</arg_value>\n", a.name, a.plain())
		}
		b.WriteString("</tool_call>")
	case xmlCalls:
		fmt.Fprintf(b, "\n<tool_call>\n<function=%s>\n", c.name)
		for _, a := range c.arguments {
			fmt.Fprintf(b, "<parameter=%s>\n%s\n</parameter>\n", a.name, a.plain())
		}
		b.WriteString("</function>\n</tool_call>")
	}
}

// plain is the value without the quotes of a string.
func (a *argument) plain() string {
	var s string
	if json.Unmarshal([]byte(a.json), &s) == nil {
		return s
	}
	return a.json
}
