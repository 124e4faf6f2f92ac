package jsonl

import (
	"io"
	"math/bits"

	"github.com/klauspost/compress/zstd"
)

const (
	// frameFast is the input of a frame at the fastest level: 1 % larger than
	// one stream, and two cores compress twice as fast.
	frameFast = 1 << 20
	// frameBest is the same at the levels above, which lose 3 % at 1 MiB.
	frameBest = 4 << 20
)

func frameBytes(n int) int {
	if level(n) == zstd.SpeedFastest {
		return frameFast
	}
	return frameBest
}

// newEncoder makes whole frames. Its window is that of a frame: more would be
// memory that is never looked at.
func newEncoder(n, frame int) *zstd.Encoder {
	window := 1 << bits.Len(uint(max(frame, zstd.MinWindowSize)-1))
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level(n)), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(window), zstd.WithZeroFrames(true))
	if err != nil {
		panic("jsonl: zstd encoder: " + err.Error())
	}
	return e
}

// frame is a part of the output.
type frame struct {
	in, out []byte
}

// zstdSink compresses frames in several goroutines and writes them in order
// from the goroutine that owns the Writer.
type zstdSink struct {
	w       io.Writer
	size    int // input bytes of a frame
	level   int
	q       *ordered[frame]
	slot    *slot[frame] // being filled
	pending int          // frames that were put and not yet written
	slots   int
	wrote   bool
}

func newZstdSink(w io.Writer, o WriterOptions) *zstdSink {
	slots := o.Workers + 1
	q := newOrdered(o.Workers, slots, func() func(*frame) {
		e := newEncoder(o.Level, o.FrameBytes)
		return func(f *frame) { f.out = e.EncodeAll(f.in, f.out[:0]) }
	})
	return &zstdSink{w: w, size: o.FrameBytes, level: o.Level, q: q, slots: slots}
}

func (z *zstdSink) write(p []byte) error {
	if len(p) == 0 {
		return nil
	}
	if z.slot == nil {
		if err := z.begin(); err != nil {
			return err
		}
	}
	z.slot.item.in = append(z.slot.item.in, p...)
	if len(z.slot.item.in) >= z.size {
		z.end()
	}
	return nil
}

// begin takes a free slot, for which a frame may have to be written first.
func (z *zstdSink) begin() error {
	if z.pending == z.slots {
		if err := z.writeOne(); err != nil {
			return err
		}
	}
	z.slot = z.q.get()
	z.slot.item.in = z.slot.item.in[:0]
	return nil
}

// end sends the frame that was being filled to the workers.
func (z *zstdSink) end() {
	z.q.put(z.slot)
	z.slot = nil
	z.pending++
	z.wrote = true
}

func (z *zstdSink) writeOne() error {
	s := z.q.next()
	z.pending--
	err := writeAll(z.w, s.item.out)
	z.q.release(s)
	return err
}

func (z *zstdSink) flush() error {
	if z.slot != nil {
		z.end()
	}
	for z.pending > 0 {
		if err := z.writeOne(); err != nil {
			return err
		}
	}
	return nil
}

func (z *zstdSink) close() error {
	if err := z.flush(); err != nil || z.wrote {
		return err
	}
	return writeAll(z.w, newEncoder(z.level, z.size).EncodeAll(nil, nil))
}

func (z *zstdSink) stop() {
	z.q.halt()
	z.q.wait()
}
