package toolcall

import "github.com/thinkpipe/thinkpipe/pkg/jsonscan"

// functionForm is how functions and their parameters are tagged.
type functionForm struct {
	open, openEnd           string
	parameter, parameterEnd string
	valueEnd, close         string
}

// functions is the form of Qwen3-Coder and Seed-OSS:
//
//	<function=NAME>
//	<parameter=KEY>
//	VALUE
//	</parameter>
//	</function>
var functions = functionForm{"<function=", ">", "<parameter=", ">", "</parameter>", "</function>"}

// invokes is that of MiniMax M2:
//
//	<invoke name="NAME">
//	<parameter name="KEY">VALUE</parameter>
//	</invoke>
var invokes = functionForm{`<invoke name="`, `">`, `<parameter name="`, `">`, "</parameter>", "</invoke>"}

// steps is that of Step3:
//
//	<steptml:invoke name="NAME"><steptml:parameter name="KEY">VALUE</steptml:parameter></steptml:invoke>
var steps = functionForm{`<steptml:invoke name="`, `">`, `<steptml:parameter name="`, `">`, "</steptml:parameter>", "</steptml:invoke>"}

// read reads one function after the other.
func (f *functionForm) read(p *Parser, c *cursor) bool {
	known := len(p.Calls)
	for c.space(); c.take(f.open); c.space() {
		name, ok := c.until(f.openEnd)
		if !ok || !isName(name) {
			return false
		}
		call := p.begin(name)
		if !f.parameters(c, call) || !call.end() {
			return false
		}
	}
	return len(p.Calls) > known
}

// parameters reads what stands in one function. One line end on each side of a
// value belongs to the tags.
func (f *functionForm) parameters(c *cursor, call *arguments) bool {
	for c.space(); c.take(f.parameter); c.space() {
		key, ok := c.until(f.parameterEnd)
		if !ok {
			return false
		}
		value, ok := c.untilLast(f.valueEnd, f.parameter, f.close)
		if !ok {
			return false
		}
		call.argument(key, trimLine(value))
	}
	return c.take(f.close)
}

// isName tells a function's name from what stands there when a model mixes up
// forms: <function=f(path: ".")\n</parameter>.
func isName(t jsonscan.Text) bool {
	for at := 0; at < t.Len(); {
		r, next := t.Next(at)
		switch r {
		case ' ', '\t', '\n', '\r', '<', '(', '{', '=', '"':
			return false
		}
		at = next
	}
	return t.Len() > 0
}
