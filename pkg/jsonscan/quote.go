package jsonscan

import "unicode/utf8"

const hexDigits = "0123456789abcdef"

// Quote is s as a Text: the inverse of String. See AppendString for what is escaped.
func Quote(s string) Text {
	raw := append(appendEscaped(make([]byte, 0, len(s)+len(s)/32+1), s), '"')
	end, flags := scanString(raw, 0)
	return Text{raw[:end:end], flags}
}

// AppendString appends s as a JSON string. Escaped are the quote, the
// backslash and bytes below 0x20 only; a WTF-8 surrogate becomes \udHHH, any
// other invalid byte U+FFFD.
func AppendString[S string | []byte](dst []byte, s S) []byte {
	return append(appendEscaped(append(dst, '"'), s), '"')
}

// appendEscaped appends the inside of the string.
func appendEscaped[S string | []byte](dst []byte, s S) []byte {
	done := 0 // what is copied already
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		n := 1
		if c >= utf8.RuneSelf {
			var r rune
			if r, n = utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))])); r != utf8.RuneError || n > 1 {
				i += n
				continue
			}
		}
		dst = append(dst, s[done:i]...)
		if c < utf8.RuneSelf {
			dst = appendEscape(dst, c)
		} else if r, ok := surrogate(s[i:]); ok {
			dst, n = appendHex(dst, r), 3
		} else {
			dst = append(dst, "\uFFFD"...)
		}
		i += n
		done = i
	}
	return append(dst, s[done:]...)
}

// surrogate is the surrogate that s begins with in WTF-8: ED A0..BF 80..BF.
func surrogate[S string | []byte](s S) (r rune, ok bool) {
	if len(s) < 3 || s[0] != 0xED || s[1]&^0x1F != 0xA0 || s[2]&^0x3F != 0x80 {
		return 0, false
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), true
}

// appendEscape appends an ASCII character escaped, in the short form where there is one.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, `\n`...)
	case '\t':
		return append(dst, `\t`...)
	case '\r':
		return append(dst, `\r`...)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	}
	return appendHex(dst, rune(c))
}

func appendHex(dst []byte, r rune) []byte {
	return append(dst, '\\', 'u', hexDigits[r>>12&0xF], hexDigits[r>>8&0xF], hexDigits[r>>4&0xF], hexDigits[r&0xF])
}
