package jsonscan

import (
	"bytes"
	"unicode/utf8"
)

// Surrogates, the halves of \uD83D\uDE00.
const (
	highSurrogate = 0xD800
	lowSurrogate  = 0xDC00
	surrogateEnd  = 0xE000
)

// nextEscape is the offset of the first escape at or after from, the length of
// raw when there is none.
func nextEscape(raw []byte, from int) int {
	if k := bytes.IndexByte(raw[from:], '\\'); k >= 0 {
		return from + k
	}
	return len(raw)
}

// unescape is the character that the escape at the start of raw stands for and
// the escape's length; a pair of surrogates is one of length 12. The escape
// must be a valid one.
func unescape(raw []byte) (r rune, n int) {
	switch c := raw[1]; c {
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'u':
		return unescapeHex(raw)
	default:
		return rune(c), 2
	}
}

func unescapeHex(raw []byte) (r rune, n int) {
	r = hex4(raw)
	if r&^0x3FF != highSurrogate || len(raw) < 12 || raw[6] != '\\' || raw[7] != 'u' {
		return r, 6
	}
	low := hex4(raw[6:])
	if low&^0x3FF != lowSurrogate {
		return r, 6
	}
	return 0x10000 + (r-highSurrogate)<<10 + (low - lowSurrogate), 12
}

// hex4 is the number of a \uHHHH.
func hex4(raw []byte) (r rune) {
	for _, c := range raw[2:6] {
		r = r<<4 | rune(hex[c]&0xF)
	}
	return r
}

// appendRune appends r in UTF-8, a surrogate in WTF-8.
func appendRune(dst []byte, r rune) []byte {
	if highSurrogate <= r && r < surrogateEnd {
		return append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(dst, r)
}

// inEscape reports whether offset at of raw, which begins between escapes, lies
// within an escape.
func inEscape(raw []byte, at int) bool {
	for i := max(at-5, 0); i < at; i++ {
		if raw[i] != '\\' || backslashesBefore(raw, i)%2 == 1 {
			continue
		}
		if i == at-1 || raw[i+1] == 'u' {
			return true
		}
	}
	return false
}

// backslashesBefore is the length of the run of backslashes that ends before at.
func backslashesBefore(raw []byte, at int) (n int) {
	for n < at && raw[at-1-n] == '\\' {
		n++
	}
	return n
}
