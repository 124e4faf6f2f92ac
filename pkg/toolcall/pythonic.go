package toolcall

import (
	"strconv"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Calls as Python writes them, of Llama 3 and 4 without a marker and of LFM2
// between markers:
//
//	[f(a=1, b='x'), g.h(c=[True, None], d={"k": 2.5})]
//
// Models also give all arguments as one dict: [f({'a': 1})].

// beginsPythonic reports whether a list begins with a call, up to its first key.
func beginsPythonic(t jsonscan.Text, at int) bool {
	if t.Match("[", at) < 0 {
		return false
	}
	open := nameEnd(t, at+1)
	if open == at+1 || t.Match("(", open) < 0 {
		return false
	}
	end := nameEnd(t, open+1)
	return t.Match(")", end) >= 0 || t.Match("{", end) >= 0 || end > open+1 && t.Match("=", end) >= 0
}

// brokenPythonic is a list of calls that has its end and cannot be read.
func brokenPythonic(s string) bool { return strings.HasSuffix(s, ")]") }

// readPythonic reads a list of calls that is all of s.
func readPythonic(p *Parser, s string) bool {
	r := python{rest: s}
	if !r.take("[") {
		return false
	}
	for {
		name := r.name()
		if name == "" || !r.take("(") || !r.arguments() {
			return false
		}
		p.Calls = append(p.Calls, record.ToolCall{Name: jsonscan.Quote(name), Arguments: jsonscan.Quote(string(r.json))})
		r.json = nil
		if !r.take(",") {
			return r.take("]") && r.rest == ""
		}
	}
}

// lfm reads the list between LFM2's markers.
func lfm(p *Parser, c *cursor) bool {
	list, ok := c.upTo("<|tool_call_end|>")
	return ok && readPythonic(p, strings.TrimSpace(list.String()))
}

// python reads literals of Python, and the arguments of calls, as JSON.
type python struct {
	rest  string
	json  []byte
	depth int
}

// deepest is how deep values may nest: reading recurses.
const deepest = 1000

// take passes a mark and the white space around it.
func (r *python) take(mark string) bool {
	rest, ok := strings.CutPrefix(strings.TrimSpace(r.rest), mark)
	if ok {
		r.rest = strings.TrimSpace(rest)
	}
	return ok
}

func (r *python) name() string {
	end := 0
	for end < len(r.rest) && isNameByte(r.rest[end]) && r.rest[end] != ':' {
		end++
	}
	name := r.rest[:end]
	r.rest = r.rest[end:]
	return name
}

func (r *python) arguments() bool {
	if r.take("{") {
		return r.members(":", "}") && r.take(")")
	}
	return r.members("=", ")")
}

// members reads what stands between the brackets of a call, with keys that are
// names, or of a dict, up to end.
func (r *python) members(colon, end string) bool {
	r.json = append(r.json, '{')
	for n := 0; !r.take(end); n++ {
		if n > 0 && !r.take(",") {
			return false
		}
		if r.take(end) { // after a last comma
			break
		}
		if n > 0 {
			r.json = append(r.json, ',')
		}
		if colon == "=" {
			key := r.name()
			if r.json = jsonscan.AppendString(r.json, key); key == "" {
				return false
			}
		} else if !r.text() {
			return false
		}
		if r.json = append(r.json, ':'); !r.take(colon) || !r.value() {
			return false
		}
	}
	r.json = append(r.json, '}')
	return true
}

func (r *python) value() bool {
	if r.depth++; r.depth > deepest {
		return false
	}
	defer func() { r.depth-- }()
	switch {
	case r.take("{"):
		return r.members(":", "}")
	case r.take("["):
		return r.list("]")
	case r.take("("):
		return r.list(")")
	case r.rest != "" && (r.rest[0] == '\'' || r.rest[0] == '"'):
		return r.text()
	}
	return r.word()
}

func (r *python) list(end string) bool {
	r.json = append(r.json, '[')
	for n := 0; !r.take(end); n++ {
		if n > 0 {
			if !r.take(",") {
				return false
			}
			if r.take(end) {
				break
			}
			r.json = append(r.json, ',')
		}
		if !r.value() {
			return false
		}
	}
	r.json = append(r.json, ']')
	return true
}

// word reads a number or one of Python's constants.
func (r *python) word() bool {
	end := strings.IndexAny(r.rest, ",)]} \n\t")
	if end <= 0 {
		return false
	}
	word := r.rest[:end]
	switch word {
	case "True", "true":
		word = "true"
	case "False", "false":
		word = "false"
	case "None", "null":
		word = "null"
	default:
		word = strings.ReplaceAll(word, "_", "")
		if c := word[0]; c != '-' && (c < '0' || c > '9') || !jsonscan.Valid([]byte(word)) {
			return false
		}
	}
	r.json, r.rest = append(r.json, word...), r.rest[end:]
	return true
}

// text reads a string in single or double quotes.
func (r *python) text() bool {
	if r.rest == "" || r.rest[0] != '\'' && r.rest[0] != '"' {
		return false
	}
	quote, s, text := r.rest[0], r.rest[1:], []byte(nil)
	for s != "" && s[0] != quote {
		if c, _, tail, err := strconv.UnquoteChar(s, s[min(1, len(s)-1)]); s[0] == '\\' && err == nil {
			text, s = append(text, string(c)...), tail
			continue
		}
		text, s = append(text, s[0]), s[1:] // a backslash that escapes nothing stays, as in Python
	}
	if s == "" {
		return false
	}
	r.json, r.rest = jsonscan.AppendString(r.json, text), s[1:]
	return true
}
