package response

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// Field takes the text that stands at a path of a line, such as "output.0.text",
// for an answer, whatever the line is otherwise. A list of strings is a choice
// each. Model, usage and finish reason are those beside it, as in a flat record.
// The error says that there is no text, or names a duplicate key.
func (p *Parser) Field(line jsonscan.Value, path string) (*Record, error) {
	p.reset()
	p.envelope(line)
	p.rec.Shape = "text field"
	p.head(line)
	if p.rec.ID.IsZero() {
		p.flag(FlagNoID)
	}
	switch v := at(line, path); v.Kind() {
	case jsonscan.String:
		p.choice(0).add(Content, path, v.Text())
	case jsonscan.Array:
		for n, e := range v.Elements() {
			if e.Kind() != jsonscan.String {
				return &p.rec, fmt.Errorf("element %d of %q is no text but %s", n, path, e.Kind())
			}
			p.choice(n).add(Content, path, e.Text())
		}
		if len(p.rec.Choices) == 0 {
			return &p.rec, fmt.Errorf("an empty list at %q, where a text should be", path)
		}
	case jsonscan.None:
		return &p.rec, fmt.Errorf("nothing at %q, where a text should be; the keys are %s", path, line.Keys())
	default:
		return &p.rec, fmt.Errorf("%s at %q, where a text should be", v.Kind(), path)
	}
	for i := range p.rec.Choices {
		p.rec.Choices[i].finishIfTold(line.Get("finish_reason"))
	}
	p.noteDuplicate(line.Duplicate())
	p.knows = knowsField
	p.carry(line, path)
	return p.done()
}

// at follows a path of keys and, in arrays, of indexes from 0. A key that is the
// rest of the path, dots and all, comes first.
func at(v jsonscan.Value, path string) jsonscan.Value {
	for last := false; !last; {
		var key string
		key, path, last = step(v, path)
		if v.Kind() == jsonscan.Array {
			v = v.Index(indexOf(key))
		} else {
			v = v.Get(key)
		}
	}
	return v
}

// step splits the key off a path that is to be taken next.
func step(v jsonscan.Value, path string) (key, rest string, last bool) {
	if v.Get(path).Exists() {
		return path, "", true
	}
	key, rest, more := strings.Cut(path, ".")
	return key, rest, !more
}

// indexOf is the index that a key of a path is in an array, -1 for none.
func indexOf(key string) int {
	if n, err := strconv.Atoi(key); err == nil {
		return n
	}
	return -1
}
