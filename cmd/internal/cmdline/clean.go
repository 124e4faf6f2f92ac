package cmdline

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shownBytes is how much of a text from outside a message shows.
const shownBytes = 80

// Quote is s from outside as %q shows it, cut at about 80 bytes.
func Quote(s string) string {
	if len(s) <= shownBytes {
		return strconv.Quote(s)
	}
	return strconv.Quote(s[:boundary(s, shownBytes)]) + "…"
}

// Clean is s fit for a terminal: valid UTF-8, without control bytes, escape
// sequences, invisible and direction-changing characters, cut at about max bytes.
func Clean(s string, max int) string {
	cut := len(s) > max
	if cut {
		s = s[:boundary(s, max)]
	}
	s = strings.Map(visible, s) // also turns invalid bytes into U+FFFD
	if cut {
		s += "…"
	}
	return s
}

// visible drops what a terminal would obey and turns line breaks into spaces.
func visible(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return ' '
	case r == ' ' || unicode.IsGraphic(r):
		return r
	}
	return -1
}

// boundary is the last start of a character of s at or before n.
func boundary(s string, n int) int {
	for i := n; i > 0 && i > n-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			return i
		}
	}
	return n
}
