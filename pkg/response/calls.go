package response

import (
	"bytes"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// calls puts the tool calls of one choice together.
type calls struct {
	all []callJoiner
	few int             // how many are looked at one by one
	at  map[callKey]int // where to find the others, nil while there are few
	in  int             // how many are in at
}

// callJoiner puts one tool call together: id and name come once, arguments in
// pieces.
type callJoiner struct {
	index     int // or noIndex, ofItsOwn
	id, name  field
	arguments field
	nesting   nesting // of the arguments
}

// callKey finds the last call of an index, of an id under that index, or of an id.
type callKey struct {
	index int
	id    string
}

// anyIndex is the index in the key of an id.
const anyIndex = -3

// fewKeys is how many calls, or choices, are found quicker without a map.
const fewKeys = 16

func (c *calls) begin() {
	clear(c.at)
	*c = calls{all: c.all[:0], few: fewKeys, at: c.at}
}

// add takes a delta in.
func (c *calls) add(index int, delta record.ToolCall) {
	n := c.find(index, delta)
	if n < 0 || index >= 0 && c.all[n].ends(delta) {
		n = c.new(index)
	}
	to := &c.all[n]
	if to.id.empty() && delta.ID.Len() > 0 {
		to.id.add(delta.ID)
		if n < c.in {
			c.keep(n)
		}
	}
	if string(to.name.text) != string(delta.Name.Raw) { // some servers repeat it
		to.name.add(delta.Name)
	}
	to.arguments.add(delta.Arguments)
	to.nesting.add(delta.Arguments)
}

// ends reports whether a delta of the same index begins another call: it names a
// function, and the arguments so far are a whole object. That may be said again,
// but nothing can follow it.
func (to *callJoiner) ends(delta record.ToolCall) bool {
	if delta.Name.Len() == 0 || !to.nesting.closed() || delta.ID.Len() > 0 && string(to.id.text) == string(delta.ID.Raw) {
		return false
	}
	more := delta.Arguments.TrimSpace()
	return string(to.name.text) != string(delta.Name.Raw) || more.Len() > 0 && !bytes.HasPrefix(more.Raw, to.arguments.text)
}

// sort puts calls that have indexes in their order, when nothing more is added:
// deltas may come in any.
func (c *calls) sort() {
	for i := range c.all {
		if c.all[i].index < 0 {
			return
		}
	}
	slices.SortStableFunc(c.all, func(a, b callJoiner) int { return a.index - b.index })
}

func (c *calls) new(index int) int {
	c.all = extend(c.all)
	to := &c.all[len(c.all)-1]
	to.index = index
	to.id.begin(Content, "")
	to.name.begin(Content, "")
	to.arguments.begin(Content, "")
	to.nesting = nesting{}
	return len(c.all) - 1
}

// find is the call that a delta belongs to, -1 for a new one. With an index it
// is that index's call of the same id, else its last one, but a new id begins a
// new call (some servers give every call the index 0). Without an index it is the
// call of the same id, or the last one; a name alone begins a new call.
func (c *calls) find(index int, delta record.ToolCall) int {
	switch id := delta.ID.Raw; {
	case index >= 0:
		n := -1
		if len(id) > 0 {
			n = c.last(callKey{index, string(id)})
		}
		if n < 0 {
			n = c.last(callKey{index, ""})
			if n >= 0 && len(id) > 0 && !c.all[n].id.empty() {
				return -1
			}
		}
		return n
	case index == noIndex && len(id) > 0:
		return c.last(callKey{anyIndex, string(id)})
	case index == noIndex && delta.Name.Len() == 0:
		return len(c.all) - 1
	}
	return -1
}

// last is the last call of a key, -1 for none.
func (c *calls) last(k callKey) int {
	if len(c.all) > c.few {
		for ; c.in < len(c.all); c.in++ {
			c.keep(c.in)
		}
		n, ok := c.at[k]
		return orNone(n, ok)
	}
	for n := len(c.all) - 1; n >= 0; n-- {
		to := &c.all[n]
		if (k.index == anyIndex || k.index == to.index) && (k.id == "" || k.id == string(to.id.text)) {
			return n
		}
	}
	return -1
}

func orNone(n int, ok bool) int {
	if !ok {
		return -1
	}
	return n
}

// keep makes a call known to last once there are many.
func (c *calls) keep(n int) {
	if c.at == nil {
		c.at = map[callKey]int{}
	}
	set := func(k callKey) { c.at[k] = max(c.at[k], n) }
	to := &c.all[n]
	if to.index >= 0 {
		set(callKey{to.index, ""})
	}
	if !to.id.empty() {
		id := string(to.id.text)
		set(callKey{to.index, id})
		set(callKey{anyIndex, id})
	}
}

// noArguments gives a call that ended without arguments the empty object that
// a body would have.
func (c *calls) noArguments(index int) {
	if n := c.find(index, record.ToolCall{}); index >= 0 && n >= 0 && c.all[n].arguments.empty() {
		c.all[n].arguments.add(jsonscan.Quote("{}"))
	}
}

// nesting follows the brackets of JSON that comes in pieces.
type nesting struct {
	depth              int
	opened             bool
	inString, escaping bool
}

func (n *nesting) add(t jsonscan.Text) {
	for at := 0; at < t.Len(); {
		var r rune
		r, at = t.Next(at)
		switch {
		case n.escaping:
			n.escaping = false
		case n.inString && r == '\\':
			n.escaping = true
		case r == '"':
			n.inString = !n.inString
		case n.inString:
		case r == '{', r == '[':
			n.depth, n.opened = n.depth+1, true
		case r == '}', r == ']':
			n.depth--
		}
	}
}

// closed reports whether every bracket is.
func (n *nesting) closed() bool { return n.opened && n.depth == 0 && !n.inString }
