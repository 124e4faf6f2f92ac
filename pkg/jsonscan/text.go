package jsonscan

import (
	"bytes"
	"unicode/utf8"
)

// Text is the inside of a JSON string as it stands in a line: escaped, without
// the quotes. Offsets into it are offsets into Raw and stand between escapes.
type Text struct {
	Raw   []byte
	Flags Flags
}

// Flags tell what a Text may hold, so that most texts are searched as plain bytes.
type Flags uint8

const (
	Escaped    Flags = 1 << iota // has a backslash
	HidesASCII                   // has \/ or a \uHHHH below 0x80: a marker may be spelled in escapes
	HidesOther                   // has another \uHHHH
	NonASCII                     // has a byte of 0x80 or more
)

// Find is where marker, given decoded, first stands at or after from, in any
// spelling; start is -1 when it does not. end-start may exceed len(marker).
func (t Text) Find(marker string, from int) (start, end int) {
	if !t.hides(marker) {
		return t.findPlain(marker, from)
	}
	return t.findEscaped(marker, from)
}

// hides reports whether marker may be spelled in other ways than the usual one.
func (t Text) hides(marker string) bool {
	if t.Flags&(HidesASCII|HidesOther) == 0 {
		return false
	}
	return t.Flags&HidesASCII != 0 || !isASCII(marker)
}

// findPlain finds the usual spelling.
func (t Text) findPlain(marker string, from int) (start, end int) {
	var buf [64]byte
	usual := appendEscaped(buf[:0], marker)
	for at := from; ; at++ {
		k := bytes.Index(t.Raw[at:], usual)
		if k < 0 {
			return -1, -1
		}
		if at += k; t.Flags&Escaped == 0 || !inEscape(t.Raw[from:], at-from) {
			return at, at + len(usual)
		}
	}
}

// findEscaped finds every spelling.
func (t Text) findEscaped(marker string, from int) (start, end int) {
	if marker == "" {
		return from, from
	}
	for at := from; at < len(t.Raw); {
		plain := nextEscape(t.Raw, at)
		for at < plain {
			k := bytes.IndexByte(t.Raw[at:plain], marker[0])
			if k < 0 {
				break
			}
			if end := match(t.Raw, at+k, marker); end >= 0 {
				return at + k, end
			}
			at += k + 1
		}
		if plain == len(t.Raw) {
			break
		}
		if end := match(t.Raw, plain, marker); end >= 0 {
			return plain, end
		}
		_, n := unescape(t.Raw[plain:])
		at = plain + n
	}
	return -1, -1
}

// Match is where marker ends when it stands right at offset at, else -1.
func (t Text) Match(marker string, at int) int { return match(t.Raw, at, marker) }

// Equal reports whether the decoded text is s.
func (t Text) Equal(s string) bool {
	if t.Flags&Escaped == 0 {
		return string(t.Raw) == s
	}
	return match(t.Raw, 0, s) == len(t.Raw)
}

// same reports whether both decode to the same text.
func (t Text) same(u Text) bool {
	if (t.Flags|u.Flags)&Escaped == 0 {
		return bytes.Equal(t.Raw, u.Raw)
	}
	return t.Equal(u.String())
}

// MatchBefore is where s starts, given decoded, when it ends right at offset to,
// else -1. Its characters are below U+10000.
func (t Text) MatchBefore(s string, to int) int {
	for len(s) > 0 && to >= 0 {
		_, n := utf8.DecodeLastRuneInString(s)
		s, to = s[:len(s)-n], t.charBefore(s[len(s)-n:], to)
	}
	return to
}

// charBefore is MatchBefore for one character.
func (t Text) charBefore(char string, to int) int {
	if at := to - len(char); at >= 0 && string(t.Raw[at:to]) == char && char != `\` && !inEscape(t.Raw, at) {
		return at
	}
	for _, n := range [...]int{len(`\n`), len(`\u000a`)} {
		if at := to - n; at >= 0 && t.Raw[at] == '\\' && !inEscape(t.Raw, at) && match(t.Raw, at, char) == to {
			return at
		}
	}
	return -1
}

// match is where s ends in raw when it stands at offset at, else -1.
func match(raw []byte, at int, s string) int {
	var buf [utf8.UTFMax]byte
	for i := 0; i < len(s); {
		if at >= len(raw) {
			return -1
		}
		if raw[at] != '\\' {
			if raw[at] != s[i] {
				return -1
			}
			at, i = at+1, i+1
			continue
		}
		r, n := unescape(raw[at:])
		c := appendRune(buf[:0], r)
		if len(s)-i < len(c) || s[i:i+len(c)] != string(c) {
			return -1
		}
		at, i = at+n, i+len(c)
	}
	return at
}

// SkipSpace is the first offset at or after from that is not JSON white space
// (space, tab, newline, return), written raw or escaped.
func (t Text) SkipSpace(from int) int {
	for from < len(t.Raw) {
		r, n := rune(t.Raw[from]), 1
		if r == '\\' {
			r, n = unescape(t.Raw[from:])
		}
		if !isSpace(r) {
			break
		}
		from += n
	}
	return from
}

// Next is the character at offset at, which must be before the end, and the
// offset after it. The bytes of a character that is not escaped come one by one:
// r is then below 0x100, and it is the character itself below 0x80.
func (t Text) Next(at int) (r rune, next int) {
	if t.Raw[at] != '\\' {
		return rune(t.Raw[at]), at + 1
	}
	r, n := unescape(t.Raw[at:])
	return r, at + n
}

// TrimSpace drops the white space at both ends.
func (t Text) TrimSpace() Text {
	t = t.Slice(t.SkipSpace(0), len(t.Raw))
	for {
		n := spaceBefore(t.Raw)
		if n == 0 {
			return t
		}
		t = t.Slice(0, len(t.Raw)-n)
	}
}

// SpaceBefore is where the white space character starts, raw or escaped, that
// ends at offset to; to itself when another one does.
func (t Text) SpaceBefore(to int) int { return to - spaceBefore(t.Raw[:to]) }

// spaceBefore is the length of the white space character that raw ends in, 0
// when it ends in something else.
func spaceBefore(raw []byte) int {
	if len(raw) > 0 && isSpace(rune(raw[len(raw)-1])) { // the second byte of no escape
		return 1
	}
	for _, n := range [...]int{2, 6} {
		at := len(raw) - n
		if at < 0 || raw[at] != '\\' || inEscape(raw, at) {
			continue
		}
		if r, size := unescape(raw[at:]); size == n && isSpace(r) {
			return n
		}
	}
	return 0
}

func isSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }

// Len is the length of Raw.
func (t Text) Len() int { return len(t.Raw) }

// Runes is the number of characters. Bytes that are no UTF-8 count one by one.
func (t Text) Runes() (n int) {
	if t.Flags&Escaped == 0 {
		return utf8.RuneCount(t.Raw)
	}
	for at := 0; ; n++ {
		plain := nextEscape(t.Raw, at)
		n += utf8.RuneCount(t.Raw[at:plain])
		if plain == len(t.Raw) {
			return n
		}
		_, size := unescape(t.Raw[plain:])
		at = plain + size
	}
}

// Slice is the part from start to end.
func (t Text) Slice(start, end int) Text { return Text{t.Raw[start:end:end], t.Flags} }

// Join is the text of t followed by u; a surrogate pair may be split between them.
// It may append to t.Raw, where that has capacity: texts of a line have none.
func (t Text) Join(u Text) Text { return Text{append(t.Raw, u.Raw...), t.Flags | u.Flags} }

// AppendTo appends the decoded text to dst. A lone surrogate becomes its three
// generalised UTF-8 bytes (WTF-8), so that different texts stay different.
func (t Text) AppendTo(dst []byte) []byte {
	if t.Flags&Escaped == 0 {
		return append(dst, t.Raw...)
	}
	for at := 0; ; {
		plain := nextEscape(t.Raw, at)
		dst = append(dst, t.Raw[at:plain]...)
		if plain == len(t.Raw) {
			return dst
		}
		r, n := unescape(t.Raw[plain:])
		dst = appendRune(dst, r)
		at = plain + n
	}
}

// String is the decoded text, as AppendTo makes it.
func (t Text) String() string {
	if t.Flags&Escaped == 0 {
		return string(t.Raw)
	}
	return string(t.AppendTo(make([]byte, 0, len(t.Raw))))
}

// AppendQuoted appends the text as a JSON string: a quote, Raw, a quote.
func (t Text) AppendQuoted(dst []byte) []byte {
	return append(append(append(dst, '"'), t.Raw...), '"')
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
