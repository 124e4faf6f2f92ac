package jsonscan

import (
	"bufio"
	"bytes"

	"fmt"
	"io"
)

// Lines reads JSON of any layout as lines: the elements of an array that is all of
// the input, or values one after the other. It holds a buffer, never a value.
//
// A value keeps its bytes, but that white space which holds a line end, outside of
// strings, is dropped: what stands on one line stays as it is, and what is
// indented over many becomes one. A bare line feed in a string, which is no JSON,
// becomes a carriage return, which is none either: the value stays one line. What is
// between values is checked; a value itself is not, but for its brackets: that is for
// who reads the line.
type Lines struct {
	r      *bufio.Reader
	begun  bool
	out    []byte
	rest   []byte // of out, not yet read
	err    error
	offset int64 // of the next byte

	array   bool // the input is an array
	place   place
	depth   int    // of open brackets in the value
	quoted  bool   // in a string
	escaped bool   // behind a backslash
	space   []byte // white space that may be dropped
}

// place is where between values the reader is.
type place uint8

const (
	start  place = iota // before the first value
	first               // behind the opening bracket
	before              // behind a comma, or between values without an array
	inside              // in a value
	behind              // behind a value of the array
	ended               // behind the closing bracket
)

// NewLines reads the values of r.
func NewLines(r io.Reader) *Lines { return &Lines{r: bufio.NewReaderSize(r, 64<<10)} }

// Read reads lines, with a newline each. It ends with the error of the underlying
// reader; with one that wraps [io.ErrUnexpectedEOF] when the input ends inside a
// value or the array; or with a [*SyntaxError] when something else than a value
// stands where one belongs. The whole lines before that were read then.
func (l *Lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		if l.err != nil {
			return 0, l.err
		}
		l.fill()
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// fill reads what the buffer has into out.
func (l *Lines) fill() {
	if !l.begun {
		l.begun = true
		if b, _ := l.r.Peek(3); string(b) == "\xef\xbb\xbf" {
			l.r.Discard(3)
			l.offset = 3
		}
	}
	_, err := l.r.Peek(1)
	chunk, _ := l.r.Peek(l.r.Buffered())
	l.out = l.out[:0]
	for i := 0; i < len(chunk) && l.err == nil; i++ {
		if l.quoted && !l.escaped {
			n := plain(chunk[i:])
			l.quote(chunk[i : i+n])
			l.offset += int64(n)
			if i += n; i == len(chunk) {
				break
			}
		}
		if l.err = l.take(chunk[i]); l.err == nil {
			l.offset++
		}
	}
	l.r.Discard(len(chunk))
	if l.err == nil && err != nil {
		l.err = l.end(err)
	}
	l.rest = l.out
}

// plain is how much of a string's inside comes before a quote or a backslash.
func plain(b []byte) int {
	n := bytes.IndexByte(b, '"')
	if n < 0 {
		n = len(b)
	}
	if k := bytes.IndexByte(b[:n], '\\'); k >= 0 {
		n = k
	}
	return n
}

// quote takes a part of a string's inside.
func (l *Lines) quote(b []byte) {
	start := len(l.out)
	l.out = append(l.out, b...)
	for i := start; i < len(l.out); i++ {
		n := bytes.IndexByte(l.out[i:], '\n')
		if n < 0 {
			return
		}
		i += n
		l.out[i] = '\r'
	}
}

// end is the error that ends the lines when the input ends with err.
func (l *Lines) end(err error) error {
	switch {
	case err != io.EOF:
		return err
	case l.place == inside && l.depth == 0 && !l.quoted && !l.array: // a number at the end
		l.close()
		return io.EOF
	case l.place == inside:
		return fmt.Errorf("input is cut: it ends inside a value: %w", io.ErrUnexpectedEOF)
	case l.array && l.place != ended:
		return fmt.Errorf("input is cut: its array is not closed: %w", io.ErrUnexpectedEOF)
	}
	return io.EOF
}

func isWhite(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

func (l *Lines) take(c byte) error {
	switch {
	case l.place == inside:
		return l.inside(c)
	case isWhite(c):
		return nil
	case l.place == start && c == '[':
		l.array, l.place = true, first
		return nil
	case (l.place == first || l.place == behind) && c == ']':
		l.place = ended
		return nil
	case l.place == behind && c == ',':
		l.place = before
		return nil
	case l.place == behind:
		return l.unexpected(c, "',' or ']'")
	case l.place == ended:
		return l.unexpected(c, "the end of the input")
	case c == ',' || c == ']' || c == '}' || c == ':':
		return l.unexpected(c, "a value")
	}
	l.place = inside
	return l.inside(c)
}

// inside takes a byte of a value, or the one that ends it.
func (l *Lines) inside(c byte) error {
	switch {
	case l.quoted:
		l.quote([]byte{c})
		switch {
		case l.escaped:
			l.escaped = false
		case c == '\\':
			l.escaped = true
		case c == '"':
			l.quoted = false
			l.closeAtTop()
		}
		return nil
	case isWhite(c) && l.depth == 0: // behind a number
		l.close()
		return nil
	case isWhite(c):
		l.space = append(l.space, c)
		return nil
	case l.depth == 0 && (c == ',' || c == ']' || c == '}'):
		l.close()
		return l.take(c)
	}
	l.keepSpace()
	l.out = append(l.out, c)
	switch c {
	case '"':
		l.quoted = true
	case '{', '[':
		l.depth++
	case '}', ']':
		l.depth--
		l.closeAtTop()
	}
	return nil
}

// keepSpace writes the white space before a byte, unless it holds a line end.
func (l *Lines) keepSpace() {
	for _, c := range l.space {
		if c == '\n' || c == '\r' {
			l.space = l.space[:0]
			return
		}
	}
	l.out = append(l.out, l.space...)
	l.space = l.space[:0]
}

func (l *Lines) closeAtTop() {
	if l.depth == 0 {
		l.close()
	}
}

// close ends a value.
func (l *Lines) close() {
	l.out = append(l.out, '\n')
	l.place = before
	if l.array {
		l.place = behind
	}
}

func (l *Lines) unexpected(c byte, want string) error {
	return &SyntaxError{Offset: int(l.offset), Cause: fmt.Sprintf("unexpected %q between values, want %s", c, want)}
}
