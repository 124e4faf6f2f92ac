package jsonl

import (
	"io"
	"os"
)

// Reader reads lines one by one, in the calling goroutine. It asks for no more
// input while there are lines left of what it got.
type Reader struct {
	stream stream
	lines  *splitter
	block  Block
	at     cursor
	err    error
}

// NewReader reads r, whose name goes into positions.
func NewReader(r io.Reader, name string, o Options) *Reader {
	o = o.withDefaults()
	size := inputBuffer
	if o.Shared != nil {
		size = sharedInput
	}
	s := openStream(newInputSize(r, nil, size), o, false)
	lines := newSplitter(s, name, o)
	lines.eager = true
	return &Reader{stream: s, lines: lines}
}

// Read returns the next line, valid until the next call; io.EOF at the end, a
// *DamageError when the input is cut or corrupt.
func (r *Reader) Read() (Line, error) {
	for {
		if l, ok := r.at.next(); ok {
			return l, nil
		}
		if r.err == nil {
			r.err = r.lines.next(&r.block)
		}
		if r.err != nil {
			return Line{}, r.err
		}
		r.at = r.block.cursor()
	}
}

// unterminated reports that the last line that was read had no newline.
func (r *Reader) unterminated() bool { return r.lines.torn && len(r.at.rest) == 0 }

// Close lets go of what the reader holds; it does not close the underlying reader.
func (r *Reader) Close() error {
	r.stream.close()
	*r = Reader{stream: r.stream, err: os.ErrClosed}
	return nil
}

// Decompress reads the bytes of r uncompressed, for inputs that are not lines.
// The container is recognised by content. Damage ends it with a *DamageError
// at line 0 after the bytes before it.
func Decompress(r io.Reader, name string, o Options) io.Reader {
	return &decompressed{stream: openStream(newInput(r, nil), o.withDefaults(), false), name: name}
}

type decompressed struct {
	stream
	name   string
	offset int64
}

func (d *decompressed) Read(p []byte) (n int, err error) {
	for n == 0 && err == nil && len(p) > 0 {
		n, err = d.stream.Read(p)
	}
	d.offset += int64(n)
	if err != nil && err != io.EOF {
		err = damageAt(Pos{File: d.name, Offset: d.offset}, err)
	}
	return n, err
}
