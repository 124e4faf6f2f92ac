package jsonl

import (
	"io"
	"math/bits"
	"runtime"

	"github.com/klauspost/compress/zstd"
)

const (
	// frameFast is the input of a frame at the fastest level: 1 % larger than
	// one stream, and two cores compress twice as fast.
	frameFast = 1 << 20
	// frameBest is the same at the levels above, which lose 3 % at 1 MiB.
	frameBest = 4 << 20
	// emptyFrame is the shortest frame (RFC 8878): single segment, content size
	// 0, a last raw block of 0 bytes.
	emptyFrame = "\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00"
)

// level is klauspost's level for zstd's number.
func level(n int) zstd.EncoderLevel { return zstd.EncoderLevelFromZstd(max(n, 1)) }

func frameBytes(n int) int {
	if level(n) == zstd.SpeedFastest {
		return frameFast
	}
	return frameBest
}

// newEncoder makes frames of about so many bytes of input. A larger window
// would be memory that is never looked at.
func newEncoder(n, frame int) *zstd.Encoder {
	window := 1 << bits.Len(uint(max(frame, zstd.MinWindowSize)-1))
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level(n)), zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(window), zstd.WithZeroFrames(true), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic("jsonl: zstd encoder: " + err.Error())
	}
	return e
}

// Compressors are goroutines that compress zstd frames. Each Writer has its
// own, of some 10 MiB; the writers of many files better share some, which cost
// each of them no more than the frame that it gathers.
type Compressors struct {
	level   int
	q       *ordered[frame]
	slots   int
	pending int // frames that were put and not yet written
}

// frame is a part of the output of a writer.
type frame struct {
	in, out []byte
	to      *zstdSink
}

// NewCompressors starts no goroutine yet. Level and workers are as in
// [WriterOptions].
func NewCompressors(level, workers int) *Compressors {
	return newCompressors(level, workersOf(workers), frameBytes(level))
}

func workersOf(n int) int {
	if n <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

func newCompressors(level, workers, frameBytes int) *Compressors {
	q := newOrdered(workers, workers+1, func() func(*frame) {
		e := newEncoder(level, frameBytes)
		return func(f *frame) { f.out = e.EncodeAll(f.in, f.out[:0]) }
	})
	return &Compressors{level: level, q: q, slots: workers + 1}
}

// Close ends the goroutines. Writers are closed before.
func (c *Compressors) Close() {
	c.q.halt()
	c.q.wait()
}

// compress takes what z has gathered, and writes the oldest frame, of whatever
// writer, when too many are under way.
func (c *Compressors) compress(z *zstdSink) {
	if c.pending == c.slots {
		c.writeOldest()
	}
	s := c.q.get()
	s.item.to = z
	s.item.in, z.in = z.in, s.item.in[:0]
	c.q.put(s)
	c.pending++
	z.pending++
}

func (c *Compressors) writeOldest() {
	s := c.q.next()
	z := s.item.to
	c.pending--
	z.pending--
	if z.err == nil {
		z.err = writeAll(z.w, s.item.out)
	}
	c.q.release(s)
}

// zstdSink writes frames in order, from the goroutine that owns the Writer.
type zstdSink struct {
	w       io.Writer
	c       *Compressors
	own     bool
	size    int    // input of a frame
	in      []byte // the frame to come
	pending int    // its frames among those of c
	wrote   bool
	err     error
}

func newZstdSink(w io.Writer, o WriterOptions) *zstdSink {
	z := &zstdSink{w: w, c: o.Compressors, size: o.FrameBytes}
	if z.c != nil {
		o.Level = z.c.level
	}
	if z.size <= 0 {
		z.size = frameBytes(o.Level)
	}
	if z.c == nil {
		z.own = true
		z.c = newCompressors(o.Level, workersOf(o.Workers), z.size)
	}
	return z
}

func (z *zstdSink) write(p []byte) error {
	z.in = append(z.in, p...)
	if len(z.in) >= z.size {
		z.end()
	}
	return z.err
}

func (z *zstdSink) end() {
	z.c.compress(z)
	z.wrote = true
}

func (z *zstdSink) flush() error {
	if len(z.in) > 0 {
		z.end()
	}
	for z.pending > 0 {
		z.c.writeOldest()
	}
	return z.err
}

func (z *zstdSink) close() error {
	if err := z.flush(); err != nil || z.wrote {
		return err
	}
	return writeAll(z.w, []byte(emptyFrame))
}

func (z *zstdSink) stop() {
	z.in = nil
	if z.own {
		z.c.Close()
	}
}
