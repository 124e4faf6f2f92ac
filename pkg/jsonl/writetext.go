package jsonl

import "io"

// textBuffer is how much is gathered for a regular file or by a compressor.
const textBuffer = 64 << 10

// textSink writes through, or gathers up to size bytes.
type textSink struct {
	w      io.Writer
	size   int
	shared *Shared // nil: size holds
	buf    []byte
}

// most is how much is gathered now.
func (t *textSink) most() int {
	if t.shared == nil {
		return t.size
	}
	return t.shared.share(t.size, leastText)
}

func (t *textSink) write(p []byte) error {
	if len(t.buf)+len(p) < t.most() {
		t.buf = append(t.buf, p...)
		return nil
	}
	if err := t.flush(); err != nil || len(p) == 0 {
		return err
	}
	return writeAll(t.w, p)
}

func (t *textSink) flush() error {
	if len(t.buf) == 0 {
		return nil
	}
	p := t.buf
	t.buf = t.buf[:0]
	return writeAll(t.w, p)
}

func (t *textSink) close() error { return t.flush() }
func (t *textSink) stop()        {}
