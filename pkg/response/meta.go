package response

import (
	"bytes"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// What a line holds besides the answer is carried, as it stands: the members that
// no reader knows, and those of an object under the key meta. Where both have a
// key the line's counts, as in prompts.

// carry makes Record.Meta. path is where the answer stands, "" for where the
// shape says.
func (p *Parser) carry(line jsonscan.Value, path string) {
	meta, own := p.meta[:0], jsonscan.Value{}
	var answer, rest string
	var whole bool
	if path != "" {
		answer, rest, whole = step(line, path)
	}
	for key, v := range line.Members() {
		name := p.decoded(key)
		switch k := v.Kind(); {
		case path != "" && string(name) == answer:
			if !whole {
				meta = appendMemberWithout(meta, 0, key, v, rest)
			}
		case k == jsonscan.Object && string(name) == "meta":
			own = v
		case knowsOfAll(name, v), p.knows(line, name, k), p.took(name, v):
		default:
			meta = append(appendKey(meta, 0, key), v.Raw()...)
		}
	}
	p.meta = meta
	if len(meta) == 0 {
		p.rec.Meta = own.Raw()
		return
	}
	for key, v := range own.Members() {
		if !line.Get(key.String()).Exists() {
			p.meta = append(appendKey(p.meta, 0, key), v.Raw()...)
		}
	}
	p.meta = append(p.meta, '}')
	p.rec.Meta = p.meta
}

// decoded is a key without escapes; it is valid until the next call.
func (p *Parser) decoded(key jsonscan.Text) []byte {
	if key.Flags&jsonscan.Escaped == 0 {
		return key.Raw
	}
	p.scratch = key.AppendTo(p.scratch[:0])
	return p.scratch
}

// appendKey appends a key to an object that begins at start.
func appendKey(dst []byte, start int, key jsonscan.Text) []byte {
	separator := byte(',')
	if len(dst) == start {
		separator = '{'
	}
	return append(key.AppendQuoted(append(dst, separator)), ':')
}

// appendMemberWithout appends a member without what stands at a path of its
// value, and not at all when nothing is left.
func appendMemberWithout(dst []byte, start int, key jsonscan.Text, v jsonscan.Value, path string) []byte {
	before := len(dst)
	dst = appendKey(dst, start, key)
	value := len(dst)
	if dst = appendWithout(dst, v, path); string(dst[value:]) == "{}" {
		return dst[:before]
	}
	return dst
}

// appendWithout appends a value without what stands at a path. The other
// elements of an array keep their places.
func appendWithout(dst []byte, v jsonscan.Value, path string) []byte {
	start := len(dst)
	key, rest, last := step(v, path)
	if v.Kind() == jsonscan.Array {
		dst = append(dst, '[')
		for n, e := range v.Elements() {
			if n > 0 {
				dst = append(dst, ',')
			}
			switch {
			case n != indexOf(key):
				dst = append(dst, e.Raw()...)
			case last:
				dst = append(dst, "null"...)
			default:
				dst = appendWithout(dst, e, rest)
			}
		}
		return append(dst, ']')
	}
	for k, m := range v.Members() {
		switch {
		case !k.Equal(key):
			dst = append(appendKey(dst, start, k), m.Raw()...)
		case !last:
			dst = appendMemberWithout(dst, start, k, m, rest)
		}
	}
	if len(dst) == start {
		dst = append(dst, '{')
	}
	return append(dst, '}')
}

// took reports whether a member gave the record its id or its messages.
func (p *Parser) took(name []byte, v jsonscan.Value) bool {
	if p.askedKey != "" && string(name) == p.askedKey {
		return true
	}
	switch string(name) {
	case "id", "custom_id", "uuid", "question_id", "task_id", "key", "batch_request_id":
		p.scratch = p.rec.ID.AppendJSON(p.scratch[:0])
		return v.Kind() == jsonscan.Null || bytes.Equal(v.Raw(), p.scratch)
	}
	return false
}
