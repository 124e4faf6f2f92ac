package extractor

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// keep adds a part of the choice at hand.
func (x *Extractor) keep(kind string, t jsonscan.Text) {
	if t.Len() > 0 {
		x.segments = append(x.segments, record.Segment{Kind: kind, Text: t})
	}
}

// texts are the parts of some kinds, valid until the next call.
func (x *Extractor) texts(kinds ...string) []jsonscan.Text {
	x.pieces = x.pieces[:0]
	for _, g := range x.segments {
		for _, kind := range kinds {
			if g.Kind == kind {
				x.pieces = append(x.pieces, g.Text)
			}
		}
	}
	return x.pieces
}

// has reports whether there is a part of a kind.
func (x *Extractor) has(kind string) bool { return len(x.texts(kind)) > 0 }

// blank reports whether the parts of a kind hold nothing but white space.
func (x *Extractor) blank(kind string) bool {
	for _, t := range x.texts(kind) {
		if t.SkipSpace(0) < t.Len() {
			return false
		}
	}
	return true
}

// holds reports whether a marker stands in one of the parts of a kind.
func (x *Extractor) holds(kind, marker string) bool {
	if marker == "" {
		return false
	}
	for _, t := range x.texts(kind) {
		if at, _ := t.Find(marker, 0); at >= 0 {
			return true
		}
	}
	return false
}

// join is the text of several pieces, in order.
func (x *Extractor) join(pieces []jsonscan.Text) jsonscan.Text {
	switch len(pieces) {
	case 0:
		return jsonscan.Text{}
	case 1:
		return pieces[0]
	}
	at := len(x.joined)
	var whole jsonscan.Text
	for _, p := range pieces {
		x.joined = append(x.joined, p.Raw...)
		whole.Flags |= p.Flags
	}
	whole.Raw = x.joined[at:len(x.joined):len(x.joined)]
	return whole
}
