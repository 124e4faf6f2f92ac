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

// compressors are goroutines that compress frames. Each Writer has its own, of
// some 10 MiB; the writers of many files share some, which cost each of them no
// more than the frame that it gathers.
type compressors struct {
	level   int
	q       *ordered[frame]
	slots   int
	pending int // frames that were put and not yet written
}

// frame is a part of the output of a writer.
type frame struct {
	in, out []byte
	to      *frameSink
}

func workersOf(n int) int {
	if n <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}

func newCompressors(level, workers, frameBytes int) *compressors {
	q := newOrdered(workers, workers+1, func() func(*frame) {
		e, members := newEncoder(level, frameBytes), newMembers()
		return func(f *frame) {
			if f.to.gzip {
				f.out = members(f.out[:0], f.in)
			} else {
				f.out = e.EncodeAll(f.in, f.out[:0])
			}
		}
	})
	return &compressors{level: level, q: q, slots: workers + 1}
}

// close ends the goroutines.
func (c *compressors) close() {
	c.q.halt()
	c.q.wait()
}

// compress takes what z has gathered, and writes the oldest frame, of whatever
// writer, when too many are under way.
func (c *compressors) compress(z *frameSink) {
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

func (c *compressors) writeOldest() {
	s := c.q.next()
	z := s.item.to
	c.pending--
	z.pending--
	if z.err == nil {
		z.err = writeAll(z.w, s.item.out)
	}
	c.q.release(s)
}

// frameSink writes frames of zstd, or members of gzip, in order, from the goroutine
// that owns the Writer.
type frameSink struct {
	w       io.Writer
	c       *compressors
	shared  *Shared // nil when c is its own
	gzip    bool
	size    int    // input of a frame at most
	in      []byte // the frame to come
	pending int    // its frames among those of c
	wrote   bool
	err     error
}

func newFrameSink(w io.Writer, o WriterOptions) *frameSink {
	z := &frameSink{w: w, shared: o.Shared, gzip: o.Format == Gzip, size: o.FrameBytes}
	if z.shared != nil {
		z.c, o.Level = z.shared.compressors, z.shared.level
	}
	if z.size <= 0 {
		z.size = frameBytes(o.Level)
	}
	if z.c == nil {
		z.c = newCompressors(o.Level, workersOf(o.Workers), z.size)
	}
	return z
}

// most is how much is gathered now for a frame.
func (z *frameSink) most() int {
	if z.shared == nil {
		return z.size
	}
	return z.shared.share(min(z.size, frameFast), leastFrame)
}

func (z *frameSink) write(p []byte) error {
	z.in = append(z.in, p...)
	if len(z.in) >= z.most() {
		z.end()
	}
	return z.err
}

func (z *frameSink) end() {
	z.c.compress(z)
	z.wrote = true
}

func (z *frameSink) flush() error {
	if len(z.in) > 0 {
		z.end()
	}
	for z.pending > 0 {
		z.c.writeOldest()
	}
	return z.err
}

func (z *frameSink) close() error {
	if err := z.flush(); err != nil || z.wrote {
		return err
	}
	if z.gzip {
		return writeAll(z.w, newMembers()(nil, nil))
	}
	return writeAll(z.w, []byte(emptyFrame))
}

func (z *frameSink) stop() {
	z.in = nil
	if z.shared == nil {
		z.c.close()
	}
}
