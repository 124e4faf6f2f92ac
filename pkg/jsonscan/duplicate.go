package jsonscan

import "strconv"

// Duplicate is the path, such as "choices[0].message.content", of the first
// duplicate key that a Get since the last Scan met; "" when there was none.
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
		if n < fewKeys {
			for _, k := range few[:n] {
				if k.same(key) {
					return v.at
				}
			}
			few[n] = key
			n++
			continue
		}
		if many == nil {
			many = make(map[string]bool)
			for _, k := range few {
				many[k.String()] = true
			}
		}
		if many[key.String()] {
			return v.at
		}
		many[key.String()] = true
	}
	return 0
}

// path is the way from the root to a value.
func (d *Doc) path(to uint32) string {
	var path []byte
	for v := d.Root(); v.at != to; {
		var next Value
		for i, e := range v.Elements() {
			if to < d.nodes[e.at].next {
				path = append(strconv.AppendInt(append(path, '['), int64(i), 10), ']')
				next = e
				break
			}
		}
		for key, e := range v.Members() {
			if to < d.nodes[e.at].next {
				if len(path) > 0 {
					path = append(path, '.')
				}
				path = key.AppendTo(path)
				next = e
				break
			}
		}
		v = next
	}
	return string(path)
}

// Duplicate is what [Doc.Duplicate] of the value's line says.
func (v Value) Duplicate() string {
	if v.doc == nil {
		return ""
	}
	return v.doc.duplicate
}
