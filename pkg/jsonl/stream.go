package jsonl

import (
	"bytes"
	"errors"
	"io"
)

// stream is the uncompressed bytes of an input. Read returns io.EOF at a clean
// end only, else a *streamError or the error of the source. It returns nothing
// rather than wait for more after an empty frame, so that its caller can ask
// ready again.
type stream interface {
	io.Reader
	// ready reports whether a Read is likely to return at once.
	ready() bool
	// mark is how many bytes of the input hold whole lines in whole frames.
	mark() int64
	// close ends what runs in the background.
	close()
}

// magics are the beginnings of what is not text. A name other than zstd and
// gzip is a format that is not read, told in plain words rather than as
// thousands of bad lines.
var magics = []struct{ kind, magic string }{
	{"zstd", "\x28\xb5\x2f\xfd"}, // RFC 8878, 3.1.1
	{"gzip", "\x1f\x8b"},         // RFC 1952, 2.3.1
	{"xz", "\xfd7zXZ\x00"},
	{"bzip2", "BZh"},
	{"lz4", "\x04\x22\x4d\x18"},
	{"zip", "PK\x03\x04"},
	{"utf-16", "\xff\xfe"},
	{"utf-16", "\xfe\xff"},
}

// sniff is the kind of an input by its first bytes, "" for text. It waits for
// no more bytes than it takes to tell.
func sniff(in *input) string {
	for n := 1; ; n++ {
		b, err := in.Peek(n)
		kind, sure := kindOf(b)
		if sure || kind == "" {
			return kind
		}
		if err != nil && (kind == "zstd" || kind == "gzip") && len(b) > 0 {
			return kind // cut inside its first bytes
		}
		if err != nil {
			return ""
		}
	}
}

// kindOf is what b begins, and whether b is enough to be sure.
func kindOf(b []byte) (kind string, sure bool) {
	for _, m := range magics {
		if bytes.HasPrefix(b, []byte(m.magic)) {
			return m.kind, true
		}
		if bytes.HasPrefix([]byte(m.magic), b) {
			return m.kind, false
		}
	}
	const skippable = "\x2a\x4d\x18" // RFC 8878, 3.1.2, after 0x50 to 0x5f
	if b[0]&0xf0 != 0x50 {
		return "", true
	}
	if bytes.HasPrefix(b[1:], []byte(skippable)) {
		return "zstd", true
	}
	if bytes.HasPrefix([]byte(skippable), b[1:]) {
		return "skippable", false
	}
	return "", true
}

// openStream recognises the container. Frames of zstd are decoded by several
// goroutines when ahead is set.
func openStream(in *input, o Options, ahead bool) stream {
	switch kind := sniff(in); {
	case kind == "":
		return &textStream{in}
	case kind == "zstd" && ahead:
		return newZstdAhead(in, o)
	case kind == "zstd":
		return newZstdStream(in, o)
	case kind == "gzip":
		return newGzipStream(in)
	case kind == "utf-16":
		return refused{&streamError{kind: kind, err: errors.New("this is UTF-16 text; make it UTF-8 first (iconv -f UTF-16 -t UTF-8)")}}
	default:
		return refused{&streamError{kind: kind, err: errors.New("this format is not read; zstd, gzip and plain text are")}}
	}
}

// textStream is an input that is not compressed.
type textStream struct{ in *input }

func (t *textStream) Read(p []byte) (int, error) { return t.in.Read(p) }
func (t *textStream) ready() bool                { return t.in.raw.ready() }
func (t *textStream) mark() int64                { return 0 }
func (t *textStream) close()                     {}

// refused is an input that is not read.
type refused struct{ err error }

func (r refused) Read([]byte) (int, error) { return 0, r.err }
func (r refused) ready() bool              { return true }
func (r refused) mark() int64              { return 0 }
func (r refused) close()                   {}
