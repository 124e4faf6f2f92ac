package jsonscan

import (
	"fmt"
	"unicode/utf8"
)

// SyntaxError says why and where a line is not JSON.
type SyntaxError struct {
	Offset int    // of the offending byte in the line; the line's length when it is cut
	Cause  string // lower case, no full stop: `control byte 0x0a in string`
	UTF8   bool   // the only fault: a string that is not valid UTF-8
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at offset %d: %s", e.Offset, e.Cause)
}

// fail keeps the fault and returns -1, the index after a fault.
func (d *Doc) fail(i int, cause string) int {
	d.fault = &SyntaxError{Offset: i, Cause: cause}
	return -1
}

func (d *Doc) unexpected(i int, want string) int {
	return d.fail(i, d.what(i)+", want "+want)
}

// what describes the character at i.
func (d *Doc) what(i int) string {
	if i >= len(d.line) {
		return "unexpected end"
	}
	r, n := utf8.DecodeRune(d.line[i:])
	if r == utf8.RuneError && n == 1 || r < ' ' {
		return fmt.Sprintf("unexpected byte 0x%02x", d.line[i])
	}
	return fmt.Sprintf("unexpected %q", r)
}

// wordFault is for what is no value: NaN, None, undefined, tru, -Infinity.
func (d *Doc) wordFault(i int) int {
	end := i
	for end < len(d.line) && end < i+20 && (d.line[end]|0x20-'a' < 26 || d.line[end] == '-') {
		end++
	}
	if end == len(d.line) {
		return d.unexpected(end, "a value")
	}
	if end < i+2 {
		return d.unexpected(i, "a value")
	}
	return d.fail(i, fmt.Sprintf("unexpected %q, want a value", d.line[i:end]))
}

// stringFault finds, byte by byte, what is wrong with the string whose inside
// begins at i.
func (d *Doc) stringFault(i int) int {
	for b := d.line; i < len(b); {
		switch c := b[i]; {
		case c < ' ':
			return d.fail(i, fmt.Sprintf("control byte 0x%02x in string", c))
		case c == '\\':
			n, _ := checkEscape(b, i)
			if n < 0 {
				return d.escapeFault(i)
			}
			i += n
		default:
			i++
		}
	}
	return d.fail(len(d.line), "unexpected end in string")
}

func (d *Doc) escapeFault(i int) int {
	want := 2
	if d.at(i+1) == 'u' {
		want = 6
	}
	for j := i + 2; j < min(i+want, len(d.line)); j++ {
		if hex[d.line[j]] == 0 {
			return d.fail(j, "bad \\u escape in string: "+d.what(j)+", want a hex digit")
		}
	}
	if i+want > len(d.line) {
		return d.fail(len(d.line), "unexpected end in string")
	}
	return d.fail(i+1, "bad escape in string: "+d.what(i+1)+" after a backslash")
}

// firstInvalid is the index of the first byte of b that is not UTF-8.
func firstInvalid(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(b)
}

// closeOpen ends the containers that a fault left open, so that what stood
// whole before it can be read: a key without value and a number that may have
// been cut are dropped.
func (d *Doc) closeOpen() {
	if n := len(d.nodes); n > 0 && d.nodes[n-1].kind == Number && int(d.nodes[n-1].end) == len(d.line) {
		d.nodes = d.nodes[:n-1]
	}
	if n := len(d.open); n > 0 {
		d.dropKey(d.open[n-1].node)
	}
	for _, f := range d.open {
		d.nodes[f.node].end, d.nodes[f.node].next = uint32(d.fault.Offset), uint32(len(d.nodes))
	}
}

// dropKey drops the last node when it is a key of the open object without value.
func (d *Doc) dropKey(object uint32) {
	if d.nodes[object].kind != Object {
		return
	}
	children, last := 0, object
	for at := object + 1; int(at) < len(d.nodes); at = d.nodes[at].next {
		children, last = children+1, at
	}
	if children%2 == 1 {
		d.nodes = d.nodes[:last]
	}
}
