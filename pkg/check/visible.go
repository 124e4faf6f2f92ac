package check

import (
	"iter"
	"unicode"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// isBlank reports whether nothing of a text would be seen.
func isBlank(t jsonscan.Text) bool {
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
			r, next := t.Next(at)
			if r >= utf8.RuneSelf && t.Raw[at] != '\\' {
				var n int
				r, n = utf8.DecodeRune(t.Raw[at:])
				next = at + n
			}
			if at = next; !yield(r) {
				return
			}
		}
	}
}
