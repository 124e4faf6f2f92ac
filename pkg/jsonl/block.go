package jsonl

import (
	"bytes"
	"iter"
)

// Block is a run of whole lines of one input.
type Block struct {
	Out   []byte // empty when a worker gets the block; what it appends is its own affair
	Value any    // whatever the worker hands to the sink; kept when a block is reused
	// Idle says that the input had nothing more to give when the block ended:
	// whoever waits downstream should get the lines now (see [Writer.Idle]).
	Idle bool

	data []byte // raw lines
	long int64  // when not 0, data begins one line of this many bytes, over the limit
	pos  Pos    // of the first line
	max  int64  // bytes of the longest line
}

// Lines ranges over the block's lines.
func (b *Block) Lines() iter.Seq[Line] {
	return func(yield func(Line) bool) {
		c := b.cursor()
		for l, ok := c.next(); ok && yield(l); l, ok = c.next() {
		}
	}
}

// space is where to read to, after data. It grows up to the longest line.
func (b *Block) space(maxLine int64) []byte {
	if n := cap(b.data); len(b.data) == n {
		grown := make([]byte, n, max(n+1, int(min(2*int64(n), maxLine+1))))
		copy(grown, b.data)
		b.data = grown
	}
	return b.data[len(b.data):cap(b.data)]
}

func (b *Block) cursor() cursor {
	return cursor{rest: b.data, long: b.long > 0, pos: b.pos, max: b.max}
}

// cursor takes lines off a block.
type cursor struct {
	rest []byte
	long bool
	pos  Pos
	max  int64
}

func (c *cursor) next() (Line, bool) {
	if c.long {
		l := Line{Pos: c.pos, Data: head(c.rest, c.max), TooLong: true}
		*c = cursor{}
		return l, true
	}
	for len(c.rest) > 0 {
		raw := c.rest
		n := bytes.IndexByte(raw, '\n') + 1
		if n > 0 {
			raw = raw[:n-1]
		} else {
			n = len(raw)
		}
		l := Line{Pos: c.pos, Data: trim(raw), Return: bytes.HasSuffix(raw, carriageReturn)}
		if int64(len(raw)) > c.max {
			l.Data, l.TooLong = head(raw, c.max), true
		}
		c.rest = c.rest[n:]
		c.pos.Line++
		c.pos.Offset += int64(n)
		if l.Data != nil {
			return l, true
		}
	}
	return Line{}, false
}

var carriageReturn = []byte{'\r'}
