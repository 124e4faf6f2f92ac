package jsonl

import (
	"io"
	"os"
	"strings"
)

// Format is an output's container.
type Format uint8

const (
	Plain Format = iota
	Zstd
	Gzip
)

// FormatOf is Zstd for names that end in .zst, Gzip for .gz, else Plain.
func FormatOf(name string) Format {
	switch {
	case strings.HasSuffix(name, ".zst"):
		return Zstd
	case strings.HasSuffix(name, ".gz"):
		return Gzip
	}
	return Plain
}

// WriterOptions choose an output's container.
type WriterOptions struct {
	Format  Format
	Level   int // of zstd, 1 to 22 as its command counts, met by the nearest of four; 0 means 1
	Workers int // compressing goroutines, GOMAXPROCS by default
	// FrameBytes is the input of a zstd frame: by default 1 MiB at the fastest
	// level, 4 MiB above.
	FrameBytes int
	// Shared is for those who write many files at once, nil for one; its level and
	// workers hold.
	Shared *Shared
}

// Writer writes whole lines. zstd comes in independent frames, which several
// goroutines compress and a reader can decode in parallel; gzip is one member;
// plain text is written through, except that a regular file gets small writes
// together. A Writer is owned by one goroutine. Its first error is returned by
// every later call.
type Writer struct {
	sink    sink
	regular bool
	written int64 // bytes that Write took
	closed  bool
	err     error
}

// sink is a container being written.
type sink interface {
	write(p []byte) error
	flush() error // everything to the underlying writer
	close() error // flush, and end the container
	stop()        // end what runs in the background
}

// NewWriter writes to w. Without Close, goroutines may be left.
func NewWriter(w io.Writer, o WriterOptions) *Writer {
	_, regular := w.(*partialFile)
	if f, ok := w.(*os.File); ok {
		if regular = isRegular(f); !regular {
			growPipe(f)
		}
	}
	if o.Shared != nil {
		o.Shared.writers++
	}
	return &Writer{sink: newSink(w, o, regular), regular: regular}
}

func isRegular(f *os.File) bool {
	fi, err := f.Stat()
	return err == nil && fi.Mode().IsRegular()
}

func newSink(w io.Writer, o WriterOptions, regular bool) sink {
	switch {
	case o.Format == Zstd || o.Format == Gzip && o.Shared != nil:
		return newFrameSink(w, o)
	case o.Format == Gzip:
		return newGzipSink(w)
	case regular:
		return &textSink{w: w, size: textBuffer, shared: o.Shared}
	}
	return &textSink{w: w}
}

// Write takes whole lines: p ends in a newline. Frames end between writes.
func (w *Writer) Write(p []byte) (int, error) {
	if err := w.do(func() error { return w.sink.write(p) }); err != nil {
		return 0, err
	}
	w.written += int64(len(p))
	return len(p), nil
}

// Flush hands everything to the underlying writer; a zstd frame ends.
func (w *Writer) Flush() error { return w.do(w.sink.flush) }

// Idle says that no more lines come for now (see [Block]): what is pending is
// flushed, unless the output is a regular file, where nobody waits for it.
func (w *Writer) Idle() error {
	if w.regular {
		return w.err
	}
	return w.Flush()
}

// Close flushes and ends the container. It does not close the underlying
// writer. An empty zstd or gzip output is one empty frame or member.
func (w *Writer) Close() error {
	if w.closed {
		return w.err
	}
	err := w.do(w.sink.close)
	w.closed = true
	w.sink.stop()
	return err
}

func (w *Writer) do(f func() error) error {
	if w.closed && w.err == nil {
		w.err = os.ErrClosed
	}
	if w.err == nil {
		w.err = f()
	}
	return w.err
}

// writeAll reports a short write, which an io.Writer should but may not.
func writeAll(w io.Writer, p []byte) error {
	n, err := w.Write(p)
	if err == nil && n < len(p) {
		return io.ErrShortWrite
	}
	return err
}
