package check

import (
	"bytes"
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// badText finds the first character that has no place in a text: one that was
// lost (U+FFFD), half of one (a lone surrogate), or a control character, which
// is often what became of an unescaped "\frac" or "\begin".
func badText(_ *Checker, s *record.Sample) hit {
	for _, p := range texts(s) {
		if at, what := badCharacter(p.text); at >= 0 {
			_, end := character(p.text, at)
			return hit{
				detail: fmt.Sprintf("%s in %s, byte %d", what, p.name, at),
				mark:   mark{part: p.name, text: p.text.Raw, start: at, end: end},
			}
		}
	}
	for i := range s.ToolCalls {
		if at, what := badCharacter(s.ToolCalls[i].Arguments); at >= 0 {
			return hit{detail: fmt.Sprintf("%s in the arguments of call %d, byte %d", what, i+1, at)}
		}
	}
	return hit{}
}

var (
	replacement = []byte("\uFFFD")
	del         = []byte{0x7f}
)

// badCharacter returns where the first bad character stands in Raw, and what
// it is; at is -1 when there is none.
func badCharacter(t jsonscan.Text) (at int, what string) {
	if t.Flags&jsonscan.NonASCII != 0 {
		if at := bytes.Index(t.Raw, replacement); at >= 0 {
			return at, "U+FFFD"
		}
	}
	if at := bytes.Index(t.Raw, del); at >= 0 {
		return at, "control character U+007F"
	}
	if t.Flags&jsonscan.Escaped == 0 {
		return -1, ""
	}
	return badEscape(t.Raw)
}

// badEscape looks at the escapes only: control characters stand nowhere else.
func badEscape(raw []byte) (at int, what string) {
	for i := 0; ; i += 2 {
		k := bytes.IndexByte(raw[i:], '\\')
		if k < 0 {
			return -1, ""
		}
		i += k
		switch raw[i+1] {
		case 'b', 'f':
			return i, "control character " + string(raw[i:i+2])
		case 'u':
			r := hexRune(raw[i+2 : i+6])
			if isPair(r, raw[i+6:]) {
				i += 10
				continue
			}
			if what := badRune(r); what != "" {
				return i, what
			}
			i += 4
		}
	}
}

// isPair reports whether r is a high surrogate and rest begins with the escape
// of a low one.
func isPair(r rune, rest []byte) bool {
	return 0xD800 <= r && r < 0xDC00 && len(rest) >= 6 && rest[0] == '\\' && rest[1] == 'u' &&
		hexRune(rest[2:6])&^0x3FF == 0xDC00
}

func badRune(r rune) string {
	switch {
	case r == 0xFFFD:
		return "U+FFFD"
	case 0xD800 <= r && r < 0xE000:
		return fmt.Sprintf("lone surrogate U+%04X", r)
	case r == 0x7F, r < ' ' && r != '\n' && r != '\t' && r != '\r':
		return fmt.Sprintf("control character U+%04X", r)
	}
	return ""
}

// hexRune is the value of four hex digits, which a scan has checked.
func hexRune(digits []byte) (r rune) {
	for _, c := range digits[:4] {
		d := c - '0'
		if d > 9 {
			d = c | 0x20 - 'a' + 10
		}
		r = r<<4 | rune(d)
	}
	return r
}
