package jsonl

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
)

const (
	pieceIn  = 512 << 10 // compressed bytes of small frames that are decoded together
	pieceOut = 512 << 10 // decoded bytes of a large frame that are handed on together
	readStep = 256 << 10
	// slowFrame is how long the rest of a frame is waited for before its
	// blocks are decoded one by one as they come.
	slowFrame = 50 * time.Millisecond
)

// piece is a part of a zstd stream: whole frames to decode, or what a large
// frame decoded to.
type piece struct {
	src  []byte // compressed
	size int    // most that src decodes to
	out  []byte // decoded
	at   int64  // where src begins in the input
	end  int64  // where a frame ends in the input, 0 inside of one
	err  error  // ends the stream after out; io.EOF for a clean end
}

// decode fills out from src.
func (p *piece) decode(d *zstd.Decoder) {
	if len(p.src) == 0 {
		return
	}
	out, err := d.DecodeAll(p.src, slices.Grow(p.out[:0], p.size))
	p.out = out
	if err != nil && (p.err == nil || p.err == io.EOF || !errors.Is(err, io.ErrUnexpectedEOF)) {
		p.err = corruptError("zstd", "frames", p.at, err)
	}
}

func newDecoder(maxWindow uint64) *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(max(maxWindow, zstd.MinWindowSize)))
	if err != nil {
		panic("jsonl: zstd decoder: " + err.Error())
	}
	return d
}

// frameSplitter cuts a zstd input into pieces.
type frameSplitter struct {
	in    *input
	batch int
	scan  frameScan
	carry []byte // begins a frame that was not whole
	at    int64  // where carry begins in the input
	ended bool   // the input has
	live  *zstd.Decoder
	large *frameReader // the large frame that is being decoded
}

func newFrameSplitter(in *input, o Options, batch int) *frameSplitter {
	return &frameSplitter{in: in, batch: batch, scan: frameScan{maxWindow: o.MaxWindow}}
}

// next fills p.
func (f *frameSplitter) next(p *piece) {
	*p = piece{src: append(p.src[:0], f.carry...), out: p.out[:0], at: f.at}
	if f.large != nil {
		f.nextOfLarge(p)
		return
	}
	for {
		err := f.scan.scan(p.src)
		switch {
		case f.scan.whole > 0 && (err != nil || f.ended || f.scan.full() || f.scan.skip > 0 || len(p.src) >= f.batch || !f.in.raw.ready()):
			f.cut(p)
			return
		case err != nil:
			f.fail(p, err)
			return
		case f.scan.skip > 0:
			f.discard(p)
		case f.scan.large() || f.scan.open && !f.ended && f.slow():
			f.beginLarge(p)
			f.nextOfLarge(p)
			return
		case f.ended:
			f.finish(p)
			return
		default:
			f.read(p)
		}
	}
}

func (f *frameSplitter) read(p *piece) {
	p.src = slices.Grow(p.src, readStep)
	n, err := f.in.Read(p.src[len(p.src) : len(p.src)+readStep])
	p.src = p.src[:len(p.src)+n]
	f.ended = err != nil
}

// slow reports that the rest of a frame does not come.
func (f *frameSplitter) slow() bool {
	return f.in.Buffered() == 0 && f.in.raw.poll != nil && !f.in.raw.poll(slowFrame)
}

// cut makes a piece of the whole frames and carries the rest.
func (f *frameSplitter) cut(p *piece) {
	n := f.scan.whole
	f.carry = append(f.carry[:0], p.src[n:]...)
	f.at += int64(n)
	p.src, p.size, p.end = p.src[:n], int(f.scan.total), f.at
	f.scan.cut()
}

// fail ends the stream at a frame that cannot be decoded, of which the blocks
// before the damage may still be read.
func (f *frameSplitter) fail(p *piece, err error) {
	f.carry = nil
	p.err = corruptError("zstd", "frame", f.at, err)
	if w := (*windowError)(nil); errors.As(err, &w) {
		p.err = &streamError{"zstd", err}
		p.src = nil
	}
	if !f.scan.open {
		p.src = nil
	}
}

// finish ends the stream because the input has ended.
func (f *frameSplitter) finish(p *piece) {
	switch {
	case f.in.failed() != nil:
		p.err = f.in.failed()
	case len(p.src) > 0:
		p.err = cutError("zstd", "frame", f.at)
	default:
		p.err = io.EOF
	}
	if !f.scan.open {
		p.src = nil
	}
}

// discard passes a skippable frame.
func (f *frameSplitter) discard(p *piece) {
	rest := f.scan.skip - int64(len(p.src)-f.scan.pos)
	n, err := io.CopyN(io.Discard, f.in, rest)
	if err != nil {
		f.ended = true
		f.scan.skip = 0
		return
	}
	_ = n
	f.at += f.scan.skip
	p.src, p.at = p.src[:0], f.at
	f.scan.skip, f.scan.pos = 0, 0
}

// beginLarge starts to decode the frame at the beginning of p.src as a stream.
func (f *frameSplitter) beginLarge(p *piece) {
	head := bytes.Clone(p.src)
	f.carry = nil
	f.large = newFrameReader(head, f.in, f.scan.checksum)
	if f.live == nil {
		f.live = newDecoder(f.scan.maxWindow)
	}
	if err := f.live.Reset(f.large); err != nil {
		panic("jsonl: zstd decoder: " + err.Error())
	}
}

// nextOfLarge decodes blocks of a large frame.
func (f *frameSplitter) nextOfLarge(p *piece) {
	p.src = p.src[:0]
	p.out = slices.Grow(p.out[:0], pieceOut)
	for len(p.out) < pieceOut {
		n, err := f.live.Read(p.out[len(p.out):pieceOut])
		p.out = p.out[:len(p.out)+n]
		if err != nil {
			f.endLarge(p, err)
			return
		}
		if len(p.out) > 0 && !f.in.raw.ready() {
			return
		}
	}
}

func (f *frameSplitter) endLarge(p *piece, err error) {
	large := f.large
	f.large = nil
	switch {
	case f.in.failed() != nil:
		p.err = f.in.failed()
	case large.cut:
		p.err = cutError("zstd", "frame", f.at)
	case err != io.EOF:
		p.err = corruptError("zstd", "frame", f.at, err)
	default:
		f.at += large.n
		f.carry = append(f.carry[:0], large.head...)
		f.scan = frameScan{maxWindow: f.scan.maxWindow}
		p.end = f.at
	}
}

// frameReader is the bytes of one frame: the decoder must not read on, so that
// the frame's end is known and what follows is cut into pieces again.
type frameReader struct {
	head     []byte
	in       *input
	checksum bool
	n        int64   // bytes given
	header   [3]byte // of the next block
	queued   []byte  // part of header that was not given yet
	left     int     // bytes of the block, or of the frame's header
	last     bool
	cut      bool // the input ended inside the frame
}

func newFrameReader(head []byte, in *input, checksum bool) *frameReader {
	var h zstd.Header
	if err := h.Decode(head); err != nil {
		panic("jsonl: header of a frame that was scanned: " + err.Error())
	}
	return &frameReader{head: head, in: in, checksum: checksum, left: h.HeaderSize}
}

func (r *frameReader) Read(p []byte) (int, error) {
	if len(r.queued) == 0 && r.left == 0 {
		if r.last {
			return 0, io.EOF
		}
		if err := r.nextBlock(); err != nil {
			return 0, err
		}
	}
	if len(r.queued) > 0 {
		n := copy(p, r.queued)
		r.queued = r.queued[n:]
		r.n += int64(n)
		return n, nil
	}
	n, err := r.take(p[:min(len(p), r.left)])
	r.left -= n
	r.n += int64(n)
	return n, err
}

func (r *frameReader) nextBlock() error {
	for i := 0; i < len(r.header); {
		n, err := r.take(r.header[i:])
		if err != nil {
			return err
		}
		i += n
	}
	h := blockAt(r.header[:])
	r.queued = r.header[:]
	r.left = h.length(r.checksum) - len(r.header)
	r.last = h.last
	return nil
}

func (r *frameReader) take(p []byte) (int, error) {
	if len(r.head) > 0 {
		n := copy(p, r.head)
		r.head = r.head[n:]
		return n, nil
	}
	n, err := r.in.Read(p)
	if n > 0 {
		return n, nil
	}
	if err == io.EOF {
		r.cut = true
		err = io.ErrUnexpectedEOF
	}
	return 0, err
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

func newPieceStream() *pieceStream { return &pieceStream{last: '\n'} }

func (s *pieceStream) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
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
	d := newDecoder(o.MaxWindow)
	var p piece
	s := newPieceStream()
	s.advance = func() *piece {
		f.next(&p)
		p.decode(d)
		return &p
	}
	s.isReady = in.raw.ready
	s.stop = func() {}
	return s
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
	s := newPieceStream()
	s.advance = func() *piece {
		if current != nil {
			q.release(current)
		}
		if current = q.next(); current == nil {
			return nil
		}
		return &current.item
	}
	s.isReady = q.ready
	s.stop = func() {
		q.halt()
		splitting.Wait()
		q.wait()
	}
	return s
}

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
