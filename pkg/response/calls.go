package response

import (
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
	if n < 0 {
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
	return len(c.all) - 1
}

// find is the call that a delta belongs to, -1 for a new one: by index, but a
// new id begins a new call (some servers give every call the index 0); without
// index by id; without either a name begins a new call.
func (c *calls) find(index int, delta record.ToolCall) int {
	if len(c.all) > c.few {
		return c.lookUp(index, delta)
	}
	for n := len(c.all) - 1; n >= 0; n-- {
		to := &c.all[n]
		same := string(to.id.text) == string(delta.ID.Raw)
		switch {
		case index >= 0 && index == to.index && (same || delta.ID.Len() == 0 || to.id.empty()):
			return n
		case index == noIndex && delta.ID.Len() > 0 && same:
			return n
		case index == noIndex && delta.ID.Len()+delta.Name.Len() == 0:
			return n
		}
	}
	return -1
}

// lookUp is find for many calls. Of one index only the first call can be without
// an id, and only while it is alone.
func (c *calls) lookUp(index int, delta record.ToolCall) int {
	for ; c.in < len(c.all); c.in++ {
		c.keep(c.in)
	}
	id := delta.ID.Raw
	switch {
	case index >= 0:
		n, ok := c.at[callKey{index, ""}]
		if ok && len(id) > 0 && !c.all[n].id.empty() {
			n, ok = c.at[callKey{index, string(id)}]
		}
		return orNone(n, ok)
	case index == noIndex && len(id) > 0:
		n, ok := c.at[callKey{anyIndex, string(id)}]
		return orNone(n, ok)
	case index == noIndex && delta.Name.Len() == 0:
		return len(c.all) - 1
	}
	return -1
}

func orNone(n int, ok bool) int {
	if !ok {
		return -1
	}
	return n
}

// keep makes a call known to lookUp. The last one of a key counts.
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
