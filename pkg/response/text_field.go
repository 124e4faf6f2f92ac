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
			return &p.rec, fmt.Errorf("no text at %q but an empty list", path)
		}
	default:
		return &p.rec, fmt.Errorf("no text at %q but %s", path, v.Kind())
	}
	for i := range p.rec.Choices {
		p.rec.Choices[i].finish(line.Get("finish_reason"))
	}
	p.noteDuplicate(line.Duplicate())
	return p.done()
}

// at follows a path of keys and, in arrays, of indexes from 0. A key that is the
// rest of the path, dots and all, comes first.
func at(v jsonscan.Value, path string) jsonscan.Value {
	for more := true; more; {
		if whole := v.Get(path); whole.Exists() {
			return whole
		}
		var key string
		key, path, more = strings.Cut(path, ".")
		if v.Kind() != jsonscan.Array {
			v = v.Get(key)
			continue
		}
		n, err := strconv.Atoi(key)
		if err != nil {
			return jsonscan.Value{}
		}
		v = v.Index(n)
	}
	return v
}
