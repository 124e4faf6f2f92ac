package jsonscan

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// Kind is the kind of a JSON value.
type Kind uint8

// None is the kind of a value that is not there.
const (
	None Kind = iota
	Null
	False
	True
	Number
	String
	Array
	Object
)

// String is the kind's name in messages: "object".
func (k Kind) String() string {
	return [...]string{"nothing", "null", "false", "true", "number", "string", "array", "object"}[k]
}

// Value is one value of a scanned line. The zero Value is of kind None, and so
// is whatever is asked of it.
type Value struct {
	doc *Doc
	at  uint32
}

// Root is the line's value.
func (d *Doc) Root() Value {
	if len(d.nodes) == 0 {
		return Value{}
	}
	return Value{doc: d}
}

func (v Value) node() node {
	if v.doc == nil {
		return node{}
	}
	return v.doc.nodes[v.at]
}

// Kind is the value's kind.
func (v Value) Kind() Kind { return v.node().kind }

// Exists reports whether the kind is not None.
func (v Value) Exists() bool { return v.doc != nil }

// Duplicate is what [Doc.Duplicate] of the value's document says.
func (v Value) Duplicate() string {
	if v.doc == nil {
		return ""
	}
	return v.doc.duplicate
}

// Raw is the value's bytes in the line, quotes included; nil for None.
func (v Value) Raw() []byte {
	if v.doc == nil {
		return nil
	}
	n := v.node()
	return v.doc.line[n.start:n.end:n.end]
}

// Offset is where Raw begins in the line.
func (v Value) Offset() int { return int(v.node().start) }

// Get follows keys from object to object. Keys are compared by their decoded
// value, case-sensitive. Of a duplicate key the first is returned and the path
// is kept for [Doc.Duplicate].
func (v Value) Get(keys ...string) Value {
	for _, key := range keys {
		v = v.member(key)
	}
	return v
}

func (v Value) member(key string) (found Value) {
	n := v.node()
	if n.kind != Object {
		return Value{}
	}
	nodes := v.doc.nodes
	for at := v.at + 1; at < n.next; at = nodes[at+1].next {
		k := &nodes[at]
		if k.flags&Escaped == 0 && int(k.end-k.start) != len(key)+2 || !v.doc.text(at).Equal(key) {
			continue // most keys differ in length already
		}
		if found.Exists() {
			v.doc.keepDuplicate(at + 1)
			return found
		}
		found = Value{v.doc, at + 1}
	}
	return found
}

// Index is the n-th element of an array, from 0.
func (v Value) Index(n int) Value {
	for i, e := range v.Elements() {
		if i == n {
			return e
		}
	}
	return Value{}
}

// Len is the number of elements or members; 0 for scalars. It counts them.
func (v Value) Len() (n int) {
	switch v.Kind() {
	case Array:
		for range v.Elements() {
			n++
		}
	case Object:
		for range v.Members() {
			n++
		}
	}
	return n
}

// Elements ranges over an array's elements.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		n := v.node()
		if n.kind != Array {
			return
		}
		i := 0
		for at := v.at + 1; at < n.next && yield(i, Value{v.doc, at}); at = v.doc.nodes[at].next {
			i++
		}
	}
}

// Members ranges over an object's members in order, duplicates included.
func (v Value) Members() iter.Seq2[Text, Value] {
	return func(yield func(Text, Value) bool) {
		n := v.node()
		if n.kind != Object {
			return
		}
		at := v.at + 1
		for at < n.next && yield(v.doc.text(at), Value{v.doc, at + 1}) {
			at = v.doc.nodes[at+1].next
		}
	}
}

// Keys names the first keys of an object, for messages: `"id", "prompt", …`, or none.
func (v Value) Keys() string {
	const most, longest = 8, 40
	var keys []string
	for k := range v.Members() {
		if len(keys) == most {
			keys = append(keys, "…")
			break
		}
		keys = append(keys, fmt.Sprintf("%.*q", longest, k.String()))
	}
	if len(keys) == 0 {
		return "none"
	}
	return strings.Join(keys, ", ")
}

// Text is the inside of a string; empty for every other kind.
func (v Value) Text() Text {
	if v.Kind() != String {
		return Text{}
	}
	return v.doc.text(v.at)
}

// text is the inside of the string or key at.
func (d *Doc) text(at uint32) Text {
	n := &d.nodes[at]
	return Text{d.line[n.start+1 : n.end-1 : n.end-1], n.flags}
}

// Int is the value of an integer literal that fits; ok is false otherwise.
func (v Value) Int() (n int64, ok bool) {
	if v.Kind() != Number {
		return 0, false
	}
	n, err := strconv.ParseInt(string(v.Raw()), 10, 64)
	return n, err == nil
}

// Float is the value of a number, rounded to the nearest float64; ok is false
// for numbers out of its range and for every other kind.
func (v Value) Float() (f float64, ok bool) {
	if v.Kind() != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v.Raw()), 64)
	return f, err == nil
}

// Bool is the value of true and false; ok is false for every other kind.
func (v Value) Bool() (value, ok bool) {
	k := v.Kind()
	return k == True, k == True || k == False
}
