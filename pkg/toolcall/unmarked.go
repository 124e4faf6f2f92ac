package toolcall

import (
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// unmarked is a format without an opening marker: calls are the whole text.
type unmarked struct {
	begins func(t jsonscan.Text, at int) bool // a cheap look at where the text begins
	read   func(p *Parser, s string) bool     // all of it, without white space around it
	named  bool                               // it says itself that it is a call
	broken func(s string) bool                // what cannot be read is a call all the same; nil for never
}

var unmarkedFormats = [...]unmarked{
	{begins: beginsResidue, read: readResidue, named: true},
	{begins: matches(`{"tool_calls"`), read: readToolCalls, named: true}, // xLAM
	{begins: matches(`{"name"`, `[{"name"`, `{"type"`), read: readBareJSON},
	{begins: beginsPythonic, read: readPythonic, broken: brokenPythonic},
	{begins: beginsNamed, read: readNamed},
}

// whole takes a text that is nothing but calls. What has only the form of a call
// is one when the request's tools hold the function, or when the request tells
// no tools, which has a flag.
func (p *Parser) whole(t jsonscan.Text) bool {
	at := t.SkipSpace(0)
	if at == t.Len() || t.Raw[at] == '<' { // all other formats have markers
		return false
	}
	for i := range unmarkedFormats {
		u := &unmarkedFormats[i]
		if !u.begins(t, at) {
			continue
		}
		s := strings.TrimSpace(t.String())
		switch read := u.read(p, s); {
		case read && (u.named || p.allowed()):
			p.add(t, Call, 0, t.Len(), len(p.Calls))
			return true
		case !read && u.broken != nil && u.broken(s):
			p.Calls = p.Calls[:0]
			p.flag(FlagMalformed)
			p.add(t, Raw, 0, t.Len(), 0)
			return true
		}
		p.Calls = p.Calls[:0]
	}
	return false
}

func (p *Parser) allowed() bool {
	if p.tools.Len() == 0 {
		p.flag(FlagUnmarked)
		return true
	}
	for _, c := range p.Calls {
		if !p.knows(c.Name.String()) {
			return false
		}
	}
	return true
}

func matches(starts ...string) func(t jsonscan.Text, at int) bool {
	return func(t jsonscan.Text, at int) bool {
		for _, s := range starts {
			if t.Match(s, at) >= 0 {
				return true
			}
		}
		return false
	}
}

// readToolCalls reads {"tool_calls":[{"name":…,"arguments":{…}}]}.
func readToolCalls(p *Parser, s string) bool {
	if p.doc.Scan([]byte(s)) != nil || p.doc.Root().Len() != 1 {
		return false
	}
	return p.bareCalls(p.doc.Root().Get("tool_calls"))
}

// readBareJSON reads {"name":…,"parameters":{…}} of Llama 3, or a list of such.
func readBareJSON(p *Parser, s string) bool {
	if p.doc.Scan([]byte(s)) != nil {
		return false
	}
	if root := p.doc.Root(); root.Kind() == jsonscan.Object {
		return isBareCall(root) && p.jsonCall(root)
	}
	return p.bareCalls(p.doc.Root())
}

func (p *Parser) bareCalls(list jsonscan.Value) bool {
	for _, e := range list.Elements() {
		if !isBareCall(e) || !p.jsonCall(e) {
			return false
		}
	}
	return list.Len() > 0
}

// isBareCall reports whether an object is a call and nothing else.
func isBareCall(v jsonscan.Value) bool {
	for key := range v.Members() {
		if k := key.String(); k != "name" && k != "arguments" && k != "parameters" && k != "id" && k != "type" {
			return false
		}
	}
	return v.Get("name").Kind() == jsonscan.String && firstOf(v, "arguments", "parameters").Kind() == jsonscan.Object
}

// beginsNamed is about calls of GLM-4, a name on a line of its own and an object.
func beginsNamed(t jsonscan.Text, at int) bool {
	end := nameEnd(t, at)
	return end > at && t.Match("\n{", end) >= 0
}

// nameEnd is where a name ends that may begin at an offset, the offset for none.
func nameEnd(t jsonscan.Text, at int) (end int) {
	const longest = 128
	if at >= t.Len() || !isNameByte(t.Raw[at]) || '0' <= t.Raw[at] && t.Raw[at] <= '9' {
		return at
	}
	for end = at; end < min(t.Len(), at+longest) && isNameByte(t.Raw[end]); end++ {
	}
	return end
}

func readNamed(p *Parser, s string) bool {
	name, object, _ := strings.Cut(s, "\n")
	if name == "json" || p.doc.Scan([]byte(object)) != nil || p.doc.Root().Kind() != jsonscan.Object {
		return false // json is what a fence said
	}
	p.Calls = append(p.Calls, record.ToolCall{Name: jsonscan.Quote(name), Arguments: jsonscan.Quote(object)})
	return true
}
