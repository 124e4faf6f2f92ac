package jsonl

import (
	"errors"
	"io"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"
)

const (
	// What is read at once grows from minRead to maxRead, so that a small input
	// costs little; for one of many it does not grow.
	minRead  = 32 << 10
	maxRead  = 256 << 10
	pieceOut = 512 << 10 // of a large frame, handed on together
	// slowFrame is how long the rest of a frame is waited for before its
	// blocks are decoded one by one as they come.
	slowFrame = 50 * time.Millisecond
)

// frameSplitter cuts a zstd input into pieces: small frames together, to be
// decoded by whoever gets them, or what a large frame decodes to. A frame that
// is cut or corrupt is decoded like a large one, for the blocks before the
// damage.
type frameSplitter struct {
	in    *input
	buf   []byte // read and not yet handed on
	base  []byte // where buf is cut from
	step  int    // what was read at once
	most  int    // of step
	at    int64  // where buf begins in the input
	scan  frameScan
	ended bool // the input has
	live  *zstd.Decoder
	large *frameReader // the frame that live decodes
}

// newFrameSplitter makes pieces of at least batch compressed bytes if frames
// are there, and of one frame each when batch is 1.
func newFrameSplitter(in *input, o Options, batch int) *frameSplitter {
	f := &frameSplitter{in: in, most: maxRead, scan: frameScan{maxWindow: o.MaxWindow, batch: batch}}
	if o.Shared != nil {
		f.most = minRead
	}
	return f
}

// next fills p; p.err ends the stream.
func (f *frameSplitter) next(p *piece) {
	p.reset(f.at)
	for f.large == nil {
		err := f.scan.scan(f.buf)
		switch {
		case f.scan.whole > 0 && (err != nil || f.ended || f.scan.skip > 0 || f.scan.full() || !f.in.raw.ready()):
			f.cut(p)
			return
		case f.scan.open && (err != nil || f.ended || f.scan.large() || f.slow()):
			f.beginLarge()
		case err != nil:
			p.err = f.headerError(err)
			return
		case f.scan.skip > 0 && !f.ended:
			f.discard()
		case f.ended:
			p.err = f.endError()
			return
		default:
			f.read()
		}
	}
	f.nextOfLarge(p)
}

func (f *frameSplitter) read() {
	f.step = min(max(2*f.step, minRead), f.most)
	if cap(f.buf)-len(f.buf) < f.step {
		f.buf = slices.Grow(append(f.base[:0], f.buf...), f.step)
		f.base = f.buf
	}
	n, err := f.in.Read(f.buf[len(f.buf) : len(f.buf)+f.step])
	f.buf = f.buf[:len(f.buf)+n]
	f.ended = err != nil
}

// slow reports that the rest of a frame does not come.
func (f *frameSplitter) slow() bool {
	return f.in.Buffered() == 0 && f.in.raw.poll != nil && !f.in.raw.poll(slowFrame)
}

// cut makes a piece of the whole frames.
func (f *frameSplitter) cut(p *piece) {
	p.src = append(p.src, f.buf[:f.scan.whole]...)
	p.ends = append(p.ends, f.scan.ends...)
	p.size = int(f.scan.total)
	f.drop(f.scan.whole)
	f.scan.cut()
	p.end = f.at
}

// drop takes n bytes off buf.
func (f *frameSplitter) drop(n int) {
	f.at += int64(n)
	f.buf = f.buf[n:]
}

// headerError is a frame that cannot be begun.
func (f *frameSplitter) headerError(err error) error {
	if r := (*refusal)(nil); errors.As(err, &r) {
		return &streamError{kind: "zstd", err: err}
	}
	return corruptError("zstd", "data", f.at, err)
}

// endError is how the stream ends where the input has ended.
func (f *frameSplitter) endError() error {
	switch {
	case f.in.failed() != nil:
		return f.in.failed()
	case len(f.buf) > 0:
		return cutError("zstd", "frame", f.at)
	}
	return io.EOF
}

// discard passes a skippable frame, which may be of 4 GiB.
func (f *frameSplitter) discard() {
	have := int64(len(f.buf))
	if _, err := io.CopyN(io.Discard, f.in, f.scan.skip-have); err != nil {
		f.ended = true
		return
	}
	f.at += f.scan.skip
	f.buf = f.buf[:0]
	f.scan.skip = 0
}

// beginLarge starts to decode the frame at the beginning of buf as a stream.
func (f *frameSplitter) beginLarge() {
	f.large = newFrameReader(f.buf, f.in, f.scan.checksum)
	f.buf, f.base = nil, nil
	if f.live == nil {
		f.live = newDecoder(f.scan.maxWindow)
	}
	if err := f.live.Reset(f.large); err != nil {
		panic("jsonl: zstd decoder: " + err.Error())
	}
}

// nextOfLarge decodes blocks of a large frame, as many as are there.
func (f *frameSplitter) nextOfLarge(p *piece) {
	for len(p.out) < pieceOut {
		p.out = slices.Grow(p.out, maxBlock)
		n, err := f.live.Read(p.out[len(p.out) : len(p.out)+maxBlock])
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
		f.buf = large.head
		f.scan.restart()
		p.end = f.at
	}
}
