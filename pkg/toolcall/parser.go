package toolcall

import (
	"bytes"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Kind says what a piece of a text is.
type Kind uint8

const (
	Text Kind = iota // the answer
	Call             // markup of calls that were read, and white space between them
	Raw              // markup of calls that was not read
)

// Piece is a part of the text, from Start to End.
type Piece struct {
	Kind       Kind
	Start, End int
	Calls      int // how many calls were read from it
}

// Result is what a text holds.
type Result struct {
	Pieces []Piece // in order, none empty; they add up to the text
	Calls  []record.ToolCall
	Flags  []string // of the Flag constants
}

// The flags of a result, a closed list.
const (
	FlagMalformed = "malformed-call" // markup of a known format does not follow it
	FlagUnparsed  = "unparsed-call"  // markup beside calls that the server read: it is not read again
	FlagGuessed   = "guessed-types"  // arguments were typed by their look: the request tells no tools
	FlagUnmarked  = "unmarked-call"  // a text that is nothing but a call, without a marker: the request tells no tools
)

// Parser reads texts one after the other.
type Parser struct {
	Result
	doc   jsonscan.Doc
	tools jsonscan.Value

	angle, square place // of the next '<' and '['

	counted int // of the text, how far fences were counted
	fences  int
	absent  []string // markers that do not come any more
}

// Parse finds the calls of a text. tools is the request's list of tools, None
// when it is not known.
func (p *Parser) Parse(t jsonscan.Text, tools jsonscan.Value) *Result {
	p.Result = Result{Pieces: p.Pieces[:0], Calls: p.Calls[:0], Flags: p.Flags[:0]}
	p.tools, p.counted, p.fences, p.absent = tools, 0, 0, p.absent[:0]
	p.angle, p.square = place{}, place{}
	if p.whole(t) {
		return &p.Result
	}
	from := 0
	for {
		m := p.next(t, from)
		if m.format == nil {
			p.add(t, Text, from, t.Len(), 0)
			return &p.Result
		}
		p.add(t, Text, from, m.start, 0)
		from = p.markup(t, &m)
		p.counted = from // a fence in markup fences nothing
	}
}

// ParseMarkup is Parse for a text that is known to be markup: what is no call in
// it is not text.
func (p *Parser) ParseMarkup(t jsonscan.Text, tools jsonscan.Value) *Result {
	p.Parse(t, tools)
	for i := range p.Pieces {
		if p.Pieces[i].Kind == Text {
			p.Pieces[i].Kind = Raw
			p.flag(FlagMalformed)
		}
	}
	return &p.Result
}

// isMarkup reports whether a marker is meant as one.
func (p *Parser) isMarkup(t jsonscan.Text, m *candidate) bool {
	p.fences += bytes.Count(t.Raw[p.counted:m.start], []byte("```"))
	p.counted = m.start
	if p.fences%2 == 1 || quoted(t.Raw[:m.start]) {
		return false
	}
	begins := m.format.begins
	if begins == nil {
		begins = meant
	}
	return begins(cursor{t, m.inside, &p.absent}, atLineStart(t, m.start))
}

// quoted reports whether what stands before a marker ends with an opening quotation mark.
func quoted(before []byte) bool {
	for _, mark := range [...]string{`"`, "'", "`", "“", "‘", "«", "„", "「", "『"} {
		if bytes.HasSuffix(before, []byte(mark)) {
			return true
		}
	}
	return false
}

// markup takes what a marker begins and returns where it ends.
func (p *Parser) markup(t jsonscan.Text, m *candidate) (end int) {
	c := cursor{t, m.inside, &p.absent}
	known := len(p.Calls)
	if m.read(p, &c) && c.close(m.close) {
		p.add(t, Call, m.start, c.at, len(p.Calls)-known)
		return c.at
	}
	p.Calls = p.Calls[:known]
	p.flag(FlagMalformed)
	end = c.skip(m.format, m.inside)
	p.add(t, Raw, m.start, end, 0)
	return end
}

// add adds a piece; white space between two pieces of markup belongs to it.
func (p *Parser) add(t jsonscan.Text, k Kind, start, end, calls int) {
	if start == end {
		return
	}
	if n := len(p.Pieces); k != Text && n >= 2 && p.Pieces[n-2].Kind == k {
		if space := &p.Pieces[n-1]; space.Kind == Text && t.SkipSpace(space.Start) == space.End {
			p.Pieces = p.Pieces[:n-1]
		}
	}
	if n := len(p.Pieces); k != Text && n > 0 && p.Pieces[n-1].Kind == k {
		p.Pieces[n-1].End = end
		p.Pieces[n-1].Calls += calls
		return
	}
	p.Pieces = append(p.Pieces, Piece{k, start, end, calls})
}

func (p *Parser) flag(name string) {
	for _, f := range p.Flags {
		if f == name {
			return
		}
	}
	p.Flags = append(p.Flags, name)
}
