package jsonl

import (
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// gzipStream reads gzip members one after the other.
type gzipStream struct {
	in    *input
	z     *gzip.Reader
	at    int64 // where the current member begins
	whole int64 // see stream.mark
	last  byte  // the last byte that was read, a newline before the first
	open  bool  // inside a member
	err   error
}

func newGzipStream(in *input) *gzipStream {
	return &gzipStream{in: in, z: new(gzip.Reader), last: '\n'}
}

// begin opens the next member; io.EOF when there is none.
func (g *gzipStream) begin() {
	g.at = g.in.offset()
	if _, err := g.in.Peek(1); err == io.EOF {
		g.err = io.EOF
		return
	}
	if err := g.z.Reset(g.in.Reader); err != nil {
		g.err = g.explain(err)
		return
	}
	g.z.Multistream(false)
	g.open = true
}

func (g *gzipStream) explain(err error) error {
	switch {
	case g.in.failed() != nil:
		return g.in.failed()
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		return cutError("gzip", "member", g.at)
	case errors.Is(err, gzip.ErrHeader) && g.at > 0:
		return corruptError("gzip", "data", g.at, errors.New("no gzip header"))
	}
	return corruptError("gzip", "member", g.at, err)
}

func (g *gzipStream) Read(p []byte) (n int, err error) {
	if !g.open && g.err == nil {
		g.begin() // not before the lines of the last member are out
	}
	if g.err != nil {
		return 0, g.err
	}
	n, err = g.z.Read(p)
	if n > 0 {
		g.last = p[n-1]
	}
	switch {
	case err == io.EOF:
		g.end()
	case err != nil:
		g.err = g.explain(err)
	}
	return n, nil
}

func (g *gzipStream) end() {
	g.open = false
	if g.last == '\n' {
		g.whole = g.in.offset()
	}
}

func (g *gzipStream) ready() bool { return g.err != nil || g.in.raw.ready() }
func (g *gzipStream) mark() int64 { return g.whole }
func (g *gzipStream) close()      {}
