package jsonl

import (
	"bytes"
	"math"
	"strconv"
)

const (
	defaultMaxLine   = 1 << 30
	defaultMaxWindow = 2 << 30
	mostWindow       = 64 << 30 // more than any encoder makes, and what the decoder takes
	// longHead is how much of a line over MaxLineBytes is delivered.
	longHead = 64 << 10
)

// Options bound what a reader takes. The zero value means the defaults.
type Options struct {
	MaxLineBytes int64  // longest line without its newline, 1 GiB by default; a longer one is told as TooLong
	MaxWindow    uint64 // largest zstd window, 2 GiB by default
	Workers      int    // goroutines that decode or map, GOMAXPROCS by default
	// Shared is for those who read many files in turn with a [Reader] each, nil for
	// one or few.
	Shared *SharedReader
}

func (o Options) withDefaults() Options {
	if o.MaxLineBytes <= 0 {
		o.MaxLineBytes = defaultMaxLine
	}
	o.MaxLineBytes = min(o.MaxLineBytes, math.MaxInt64/2) // sums must not overflow
	if o.MaxWindow == 0 {
		o.MaxWindow = defaultMaxWindow
	}
	o.MaxWindow = min(o.MaxWindow, mostWindow)
	o.Workers = workersOf(o.Workers)
	return o
}

// Pos is where a line stands in the uncompressed input.
type Pos struct {
	File   string // as given; "<stdin>" for standard input
	Line   int64  // from 1, blank lines counted
	Offset int64  // of the line's first byte, from 0
}

// String is "file:line".
func (p Pos) String() string {
	return p.File + ":" + strconv.FormatInt(p.Line, 10)
}

// Line is one line without its ending, carriage return and byte order mark.
type Line struct {
	Pos
	Data    []byte
	TooLong bool // longer than MaxLineBytes: Data holds its beginning only
	Return  bool // a carriage return stood behind Data, for those who must know every byte
}

var bom = []byte("\xef\xbb\xbf")

// trim takes the byte order mark and one carriage return off a raw line; it
// is nil when nothing but white space is left.
func trim(raw []byte) []byte {
	raw = bytes.TrimPrefix(raw, bom)
	if n := len(raw); n > 0 && raw[n-1] == '\r' {
		raw = raw[:n-1]
	}
	for _, c := range raw {
		if c != ' ' && c != '\t' && c != '\r' {
			return raw
		}
	}
	return nil
}

// head is the beginning that is delivered of a raw line over the limit.
func head(raw []byte, limit int64) []byte {
	return bytes.TrimPrefix(raw[:min(int64(len(raw)), limit, longHead)], bom)
}
