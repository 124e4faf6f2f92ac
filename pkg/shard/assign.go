package shard

import (
	"fmt"
	"regexp"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Slot is where a value goes into a line that has none, an id or a lane: over the
// bytes from Start to End. All others stay as they are.
type Slot struct {
	Start, End    int
	before, after string // around the value
}

// SlotFor finds the slot for the value of a key in an object that has none: right
// after its opening brace, or, where the key is there already with null or "", over
// that value. It is an error when the key holds another kind of value.
func SlotFor(object jsonscan.Value, key string) (Slot, error) {
	v := object.Get(key)
	switch {
	case !v.Exists():
		s := Slot{Start: object.Offset() + 1, End: object.Offset() + 1}
		s.before = string(jsonscan.AppendString(nil, key)) + ":"
		if object.Len() > 0 {
			s.after = ","
		}
		return s, nil
	case v.Kind() == jsonscan.Null || record.IDOf(v).IsZero() && v.Kind() == jsonscan.String:
		return Slot{Start: v.Offset(), End: v.Offset() + len(v.Raw())}, nil
	}
	return Slot{}, fmt.Errorf("%q is of kind %v, not a string", key, v.Kind())
}

// Append appends the line with a string in its slot.
func (s Slot) Append(dst, line []byte, value string) []byte {
	dst = append(append(dst, line[:s.Start]...), s.before...)
	dst = append(jsonscan.AppendString(dst, value), s.after...)
	return append(dst, line[s.End:]...)
}

var name = regexp.MustCompile(`^h-[0-9a-f]{16}(-[0-9]+)?$`)

// IsName reports whether an id is of the form that [record.Namer] gives: it may
// be that of another line, too.
func IsName(id []byte) bool { return name.Match(id) }
