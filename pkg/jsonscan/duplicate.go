package jsonscan

import (
	"strconv"
	"strings"
)

// Duplicate is the path, such as "choices[0].message.content", of the first
// duplicate key that a Get since the last Scan met; "" when there was none.
// Keys that are empty or hold punctuation of paths stand in quotes.
func (d *Doc) Duplicate() string { return d.duplicate }

func (d *Doc) keepDuplicate(at uint32) {
	if d.duplicate == "" {
		d.duplicate = d.path(at)
	}
}

// AnyDuplicate is the path of the first duplicate key of any object of the
// line, in the order in which the objects begin; "" when all keys are unique.
func (d *Doc) AnyDuplicate() string {
	for at, n := range d.nodes {
		if n.kind != Object {
			continue
		}
		if twice := d.duplicateIn(uint32(at)); twice != 0 {
			return d.path(twice)
		}
	}
	return ""
}

// fewKeys is how many keys are compared each with each.
const fewKeys = 16

// duplicateIn is the value of the first key of an object that came before, 0
// when there is none: the root is nobody's value.
func (d *Doc) duplicateIn(object uint32) uint32 {
	var few [fewKeys]Text
	var many map[string]bool
	n := 0
	for key, v := range (Value{d, object}).Members() {
		for _, k := range few[:min(n, fewKeys)] {
			if k.same(key) {
				return v.at
			}
		}
		if n++; n <= fewKeys {
			few[n-1] = key
			continue
		}
		if many == nil {
			many = make(map[string]bool)
		}
		name := key.String()
		if many[name] {
			return v.at
		}
		many[name] = true
	}
	return 0
}

// path is the way from the root to a value.
func (d *Doc) path(to uint32) string {
	var path []byte
	for v := d.Root(); v.at != to; {
		v, path = d.stepTo(to, v, path)
	}
	return string(path)
}

// stepTo is the child of v that is or holds the value to, its name appended to path.
func (d *Doc) stepTo(to uint32, v Value, path []byte) (Value, []byte) {
	for i, e := range v.Elements() {
		if to < d.nodes[e.at].next {
			return e, append(strconv.AppendInt(append(path, '['), int64(i), 10), ']')
		}
	}
	for key, e := range v.Members() {
		if to < d.nodes[e.at].next {
			if len(path) > 0 {
				path = append(path, '.')
			}
			return e, appendKey(path, key)
		}
	}
	panic("jsonscan: a value that is in no container")
}

// appendKey appends a key, quoted where the path would be ambiguous without.
func appendKey(path []byte, key Text) []byte {
	name := key.String()
	if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || strings.ContainsRune(`.[]\" `, r) }) {
		return AppendString(path, name)
	}
	return append(path, name...)
}
