package jsonl

import (
	"bytes"
	"io"
)

const (
	// maxBlockBytes is the size of a block of a long input: 128 KiB costs 20 %
	// of speed (wake-ups), 4 MiB 30 % (caches).
	maxBlockBytes = 512 << 10
	// minBlockBytes is the size of the first block, which doubles when it is filled.
	minBlockBytes = 32 << 10
	// keptBytes is the largest buffer that is kept for reuse.
	keptBytes = 8 << 20
)

// kept is b emptied, or nothing when one giant line would hold its memory for
// ever.
func kept(b []byte) []byte {
	if cap(b) > keptBytes {
		return nil
	}
	return b[:0]
}

// splitter cuts a stream into blocks of whole lines.
type splitter struct {
	s     stream
	block int  // bytes of the next block, unless a line is longer
	eager bool // hand over what one read gave
	max   int64
	pos   Pos    // of the line that carry begins
	carry []byte // read and not yet handed on
	tail  int64  // where the line begins that was cut last
	torn  bool   // the stream ended without a newline, after tail
	err   error  // how the stream ended
}

func newSplitter(s stream, name string, o Options) *splitter {
	sp := &splitter{s: s, block: minBlockBytes, max: o.MaxLineBytes, pos: Pos{File: name, Line: 1}}
	if o.Shared != nil {
		sp.block = sharedBlock
	}
	return sp
}

// next fills b with whole lines. Its error is io.EOF or a *DamageError, and
// then b is empty.
func (sp *splitter) next(b *Block) error {
	sp.begin(b)
	whole := bytes.LastIndexByte(b.data, '\n') + 1 // bytes of b.data that are whole lines
	for sp.err == nil && !(whole > 0 && sp.enough(b)) {
		if whole == 0 && int64(len(b.data)) > sp.max {
			return sp.skipLong(b)
		}
		n, err := sp.s.Read(b.space(sp.max))
		if i := bytes.LastIndexByte(b.data[len(b.data):len(b.data)+n], '\n'); i >= 0 {
			whole = len(b.data) + i + 1
		}
		b.data = b.data[:len(b.data)+n]
		if sp.err = err; err == io.EOF {
			sp.torn = len(b.data) > whole
			whole = len(b.data)
		}
	}
	if whole > 0 {
		sp.cut(b, whole)
		return nil
	}
	b.data = b.data[:0]
	return sp.end()
}

// begin readies a block that may have been used before.
func (sp *splitter) begin(b *Block) {
	if cap(b.data) < sp.block || cap(b.data) > keptBytes && len(sp.carry) < keptBytes {
		b.data = make([]byte, 0, sp.block)
	}
	b.data = append(b.data[:0], sp.carry...)
	b.Idle, b.long, b.pos, b.max = false, 0, sp.pos, sp.max
}

// enough reports that b is to be handed over; it is Idle when more lines
// would have fitted but did not come.
func (sp *splitter) enough(b *Block) bool {
	if sp.eager {
		return true
	}
	if len(b.data) == cap(b.data) {
		sp.block = min(2*sp.block, maxBlockBytes)
		return true
	}
	b.Idle = !sp.s.ready()
	return b.Idle
}

// cut ends b after the whole lines and carries the rest.
func (sp *splitter) cut(b *Block, whole int) {
	if cap(sp.carry) > keptBytes && len(b.data)-whole < keptBytes {
		sp.carry = nil
	}
	sp.carry = append(sp.carry[:0], b.data[whole:]...)
	b.data = b.data[:whole]
	sp.pos.Line += int64(bytes.Count(b.data, newline))
	sp.tail = sp.pos.Offset + int64(bytes.LastIndexByte(b.data, '\n')) + 1
	sp.pos.Offset += int64(whole)
}

var newline = []byte{'\n'}

// skipLong delivers the beginning of a line over the limit and passes the rest.
func (sp *splitter) skipLong(b *Block) error {
	b.long = int64(len(b.data))
	b.data = b.data[:min(int64(len(b.data)), sp.max, longHead)]
	sp.carry = sp.carry[:0]
	scratch := b.data[len(b.data):cap(b.data)]
	for {
		n, err := sp.s.Read(scratch)
		if i := bytes.IndexByte(scratch[:n], '\n'); i >= 0 {
			b.long += int64(i)
			sp.carry = append(sp.carry, scratch[i+1:n]...)
			sp.pos.Line++
			sp.pos.Offset += b.long + 1
			sp.tail = sp.pos.Offset
			return nil
		}
		b.long += int64(n)
		if err == nil {
			continue
		}
		sp.err = err
		if err == io.EOF {
			sp.torn, sp.tail = true, sp.pos.Offset
			sp.pos.Offset += b.long
			return nil
		}
		b.data, b.long = b.data[:0], 0
		return sp.end()
	}
}

func (sp *splitter) end() error {
	if sp.err == io.EOF {
		return io.EOF
	}
	return damageAt(sp.pos, sp.err)
}
