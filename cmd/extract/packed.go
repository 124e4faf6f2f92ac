package main

import (
	"strings"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// packed is a body that a line holds as a text: JSON within JSON.
type packed struct {
	text   jsonscan.Text // of the line, empty for none
	offset int           // of the text in the line
	raw    []byte        // the text, decoded
	doc    jsonscan.Doc
}

// open is the body that a line holds as a text, when it is one JSON value.
func (p *packed) open(line jsonscan.Value, shape string) (body jsonscan.Value, ok bool) {
	if shape == "flat" || shape == "conversation" || strings.HasSuffix(shape, " stream") {
		return body, false
	}
	for _, v := range [...]jsonscan.Value{line.Get("response", "body"), line.Get("response", "text"), line.Get("response_text"), line.Get("response")} {
		if v.Kind() != jsonscan.String {
			continue
		}
		p.raw = v.Text().AppendTo(p.raw[:0])
		if p.doc.Scan(p.raw) == nil && p.doc.Root().Kind() >= jsonscan.Array {
			p.text, p.offset = v.Text(), v.Offset()+1
			return p.doc.Root(), true
		}
	}
	return body, false
}

// repack makes edits of the body edits of the line: what they put there becomes
// part of a string, and every byte around them stays as it was spelled.
func (p *packed) repack(edits []edit) {
	if p.text.Len() == 0 {
		return
	}
	for i := range edits {
		e := &edits[i]
		quoted := jsonscan.AppendString(nil, e.text)
		*e = edit{p.offset + p.place(e.start), p.offset + p.place(e.end), quoted[1 : len(quoted)-1]}
	}
}

// place is where in the text a byte of its decoded form stands.
func (p *packed) place(decoded int) int {
	at := 0
	for n := 0; n < decoded; {
		r, next := p.text.Next(at)
		if p.text.Raw[at] == '\\' {
			n += max(utf8.RuneLen(r), 1)
		} else {
			n++
		}
		if r >= 0xd800 && r <= 0xdfff {
			n += 2 // a lone surrogate has three bytes
		}
		at = next
	}
	return at
}
