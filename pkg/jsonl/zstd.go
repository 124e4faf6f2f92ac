package jsonl

import (
	"bytes"
	"errors"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// pieceIn is how many compressed bytes of small frames are decoded together.
const pieceIn = 512 << 10

// decodeSlack lets the decoder copy in wide steps at the end of a buffer.
const decodeSlack = 64

// piece is a part of a zstd stream: whole frames to decode, or what a part of
// a large frame decoded to.
type piece struct {
	src  []byte // compressed
	ends []int  // of the frames in src
	size int    // most that src decodes to
	out  []byte // decoded
	at   int64  // where src begins in the input
	end  int64  // where a frame ends in the input, 0 inside of one
	err  error  // ends the stream after out; io.EOF for a clean end
}

func (p *piece) reset(at int64) {
	*p = piece{src: p.src[:0], ends: p.ends[:0], out: p.out[:0], at: at}
}

// decode fills out from src, up to the first bad frame.
func (p *piece) decode(d *zstd.Decoder) {
	if len(p.ends) == 0 {
		return
	}
	p.out = slices.Grow(p.out, p.size+decodeSlack)
	start := 0
	for _, end := range p.ends {
		n := len(p.out)
		out, err := d.DecodeAll(p.src[start:end], p.out[n:n])
		if err != nil {
			p.salvage(d, p.src[start:end], err)
			p.err = corruptError("zstd", "frame", p.at+int64(start), err)
			return
		}
		if n+len(out) > cap(p.out) {
			panic("jsonl: a zstd frame is larger than its blocks")
		}
		p.out = p.out[:n+len(out)] // decoded in place
		start = end
	}
}

// salvage adds the blocks of a frame before the bad one. When only the checksum
// is wrong, nobody knows which: none is added.
func (p *piece) salvage(d *zstd.Decoder, frame []byte, err error) {
	if errors.Is(err, zstd.ErrCRCMismatch) || d.Reset(bytes.NewReader(frame)) != nil {
		return
	}
	b := bytes.NewBuffer(p.out)
	d.WriteTo(b)
	p.out = b.Bytes()
}

func newDecoder(maxWindow uint64) *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(max(maxWindow, zstd.MinWindowSize)))
	if err != nil {
		panic("jsonl: zstd decoder: " + err.Error())
	}
	return d
}

// pieceStream reads pieces one after the other.
type pieceStream struct {
	advance func() *piece // the next one, nil after stop
	isReady func() bool
	stop    func()
	rest    []byte // of the current piece
	last    byte   // the last byte that was decoded, a newline before the first
	whole   int64  // see stream.mark
	err     error
}

func (s *pieceStream) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.take(s.advance())
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

func (s *pieceStream) take(p *piece) {
	if p == nil {
		s.err = errStopped
		return
	}
	s.rest, s.err = p.out, p.err
	if n := len(p.out); n > 0 {
		s.last = p.out[n-1]
	}
	if p.err == nil && p.end > 0 && s.last == '\n' {
		s.whole = p.end
	}
}

func (s *pieceStream) ready() bool { return len(s.rest) > 0 || s.err != nil || s.isReady() }
func (s *pieceStream) mark() int64 { return s.whole }
func (s *pieceStream) close()      { s.stop() }

// newZstdStream decodes in the calling goroutine, frame by frame.
func newZstdStream(in *input, o Options) stream {
	f := newFrameSplitter(in, o, 1)
	d := o.Shared.zstd(o.MaxWindow)
	var p piece
	next := func() *piece {
		f.next(&p)
		p.decode(d)
		return &p
	}
	return &pieceStream{advance: next, isReady: in.raw.ready, stop: func() {}, last: '\n'}
}

// newZstdAhead decodes frames in several goroutines ahead of the reader.
func newZstdAhead(in *input, o Options) stream {
	q := newOrdered(o.Workers, o.Workers+2, func() func(*piece) {
		d := newDecoder(o.MaxWindow)
		return func(p *piece) { p.decode(d) }
	})
	var splitting sync.WaitGroup
	splitting.Go(func() { splitAhead(newFrameSplitter(in, o, pieceIn), q) })
	var current *slot[piece]
	next := func() *piece {
		if current != nil {
			q.release(current)
		}
		if current = q.next(); current == nil {
			return nil
		}
		return &current.item
	}
	ready := func() bool { return in.raw.regular || q.ready() }
	stop := func() {
		q.halt()
		splitting.Wait()
		q.wait()
	}
	return &pieceStream{advance: next, isReady: ready, stop: stop, last: '\n'}
}

// splitAhead puts the pieces into the queue, up to the first error.
func splitAhead(f *frameSplitter, q *ordered[piece]) {
	defer q.end()
	for {
		s := q.get()
		if s == nil {
			return
		}
		f.next(&s.item)
		ended := s.item.err != nil
		if len(s.item.src) > 0 {
			q.put(s)
		} else {
			q.pass(s)
		}
		if ended {
			return
		}
	}
}
