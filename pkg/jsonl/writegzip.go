package jsonl

import (
	"bufio"
	"io"

	"github.com/klauspost/compress/gzip"
)

// gzipSink writes one gzip member.
type gzipSink struct {
	buf *bufio.Writer // the compressor writes a few hundred bytes at a time
	z   *gzip.Writer
}

func newGzipSink(w io.Writer) *gzipSink {
	buf := bufio.NewWriterSize(w, textBuffer)
	return &gzipSink{buf: buf, z: gzip.NewWriter(buf)}
}

func (g *gzipSink) write(p []byte) error {
	_, err := g.z.Write(p)
	return err
}

func (g *gzipSink) flush() error {
	if err := g.z.Flush(); err != nil {
		return err
	}
	return g.buf.Flush()
}

func (g *gzipSink) close() error {
	if err := g.z.Close(); err != nil {
		return err
	}
	return g.buf.Flush()
}

func (g *gzipSink) stop() {}
