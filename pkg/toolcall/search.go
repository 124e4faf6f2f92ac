package toolcall

import (
	"bytes"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// candidate is an opening marker that stands in a text.
type candidate struct {
	*format
	start, inside int // where the marker begins and ends
}

// next is the first marker at or after from that begins markup, the zero
// candidate for none. All markers begin with '<' or '[', so that a text without
// any is passed over at the speed of memory.
func (p *Parser) next(t jsonscan.Text, from int) candidate {
	for {
		at := min(p.angle.next(t, '<', from), p.square.next(t, '[', from))
		if at == t.Len() {
			return candidate{}
		}
		if m := candidateAt(t, at); m.format != nil && p.isMarkup(t, &m) {
			if before := max(at-len(m.before), from); t.Match(m.before, before) == at {
				m.start = before
			}
			return m
		}
		from = at + 1
	}
}

// place is where a character stands, remembered until the search has passed it.
type place struct {
	known bool
	at    int
}

// next is where c first stands at or after from, in any spelling; the text's
// length when nowhere.
func (p *place) next(t jsonscan.Text, c byte, from int) int {
	if p.known && p.at >= from {
		return p.at
	}
	at := -1
	if t.Flags&jsonscan.HidesASCII == 0 {
		if at = bytes.IndexByte(t.Raw[from:], c); at >= 0 {
			at += from
		}
	} else {
		at, _ = t.Find(string(c), from)
	}
	if at < 0 {
		at = t.Len()
	}
	*p = place{true, at}
	return at
}

// candidateAt is the opening marker that stands at offset at, the zero candidate for none.
func candidateAt(t jsonscan.Text, at int) candidate {
	if !mayBegin(t.Raw[at:]) {
		return candidate{}
	}
	for i := range table {
		for _, open := range table[i].open {
			if end := t.Match(open, at); end >= 0 {
				return candidate{&table[i], at, end}
			}
		}
	}
	return candidate{}
}

// mayBegin passes over most of what begins like a marker: in HTML every few bytes do.
func mayBegin(raw []byte) bool {
	if len(raw) < 3 {
		return false
	}
	return second[raw[1]] && third[raw[2]] || raw[0] == '\\' || raw[1] == '\\' || raw[2] == '\\'
}

// second and third are the second and third bytes of all opening markers.
var (
	second = bytesAt(1)
	third  = bytesAt(2)
)

func bytesAt(n int) (set [256]bool) {
	for _, f := range table {
		for _, open := range f.open {
			set[open[n]] = true
		}
	}
	return set
}

// atLineStart reports whether only spaces and tabs stand before at on its line, or
// another tag's end: the place for markup.
func atLineStart(t jsonscan.Text, at int) bool {
	before := bytes.TrimRight(t.Raw[:at], " \t")
	return len(before) == 0 || before[len(before)-1] == '\n' || before[len(before)-1] == '>' ||
		bytes.HasSuffix(before, []byte(`\n`)) || bytes.HasSuffix(before, []byte(`\u000a`))
}
