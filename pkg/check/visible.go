package check

import (
	"iter"
	"unicode"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// IsBlank reports whether nothing of a text would be seen.
func IsBlank(t jsonscan.Text) bool {
	for r := range characters(t) {
		if !isInvisible(r) {
			return false
		}
	}
	return true
}

// hasWord reports whether there is a letter or digit in a text, of any script.
func hasWord(t jsonscan.Text) bool {
	for r := range characters(t) {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return true
		}
	}
	return false
}

// isInvisible reports whether a character leaves no mark on paper: white space,
// control and format characters (zero-width space, byte order mark, soft
// hyphen, directions, tags), and what Unicode calls ignorable by default
// (variation selectors, Hangul fillers). The last one is Braille without dots.
func isInvisible(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7F
	}
	return unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) || r == 0x2800
}

// characters ranges over a text, decoded.
func characters(t jsonscan.Text) iter.Seq[rune] {
	return func(yield func(rune) bool) {
		for at := 0; at < t.Len(); {
			var r rune
			if r, at = character(t, at); !yield(r) {
				return
			}
		}
	}
}

// character is the character at an offset, and the offset after it.
func character(t jsonscan.Text, at int) (r rune, next int) {
	r, next = t.Next(at)
	if r >= utf8.RuneSelf && t.Raw[at] != '\\' {
		r, next = utf8.DecodeRune(t.Raw[at:])
		next += at
	}
	return r, next
}
