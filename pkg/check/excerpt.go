package check

import (
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// Excerpt is the piece of a text that a finding is about, decoded, with what
// stands around it, at most a few hundred bytes; the zero Excerpt is none.
type Excerpt struct {
	Part                  string // "reasoning", "content"
	Before, Marked, After string
}

// mark is a place in a text; valid as long as that.
type mark struct {
	part       string // "" for no mark
	text       []byte
	decoded    bool // the text is, else it stands as in JSON
	start, end int
}

// How much of a text an excerpt shows, in bytes: around the piece, and of it.
const (
	around     = 160
	pieceShown = 240
)

// anyFlags are for a piece of JSON text of which nothing is known.
const anyFlags = jsonscan.Escaped | jsonscan.NonASCII | jsonscan.HidesASCII | jsonscan.HidesOther

// excerpt copies the piece and its surroundings.
func (m mark) excerpt() (e Excerpt) {
	if m.part == "" {
		return e
	}
	plain := func(raw []byte) []byte {
		if m.decoded {
			return raw
		}
		return jsonscan.Text{Raw: raw, Flags: anyFlags}.AppendTo(nil)
	}
	e.Part = m.part
	e.Before = tail(plain(m.text[:m.start]), around)
	e.Marked = head(plain(m.text[m.start:m.end]), pieceShown)
	e.After = head(plain(m.text[m.end:]), around)
	return e
}

// cut ends a longer text between characters, after most bytes at most.
func cut(text string, most int) string {
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// head and tail cut between characters.
func head(text []byte, most int) string {
	if len(text) <= most {
		return string(text)
	}
	return cut(string(text[:most+1]), most) + " …"
}

func tail(text []byte, most int) string {
	if len(text) <= most {
		return string(text)
	}
	from := len(text) - most
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return "… " + string(text[from:])
}
