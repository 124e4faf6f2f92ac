package response

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// stream is the state of reading one stream.
type stream struct {
	shape  *streamShape
	joins  []joiner
	at     map[int]int // where in joins the choices are, once there are many
	events int
	done   bool          // [DONE] or what the shape has for it: what follows does not count
	cut    bool          // the bytes end inside an event
	id     jsonscan.Text // of the answer, where its events tell
	second int           // events of another answer
}

// readEvents understands a whole text/event-stream.
func (p *Parser) readEvents(raw []byte) {
	p.beginStream()
	e := newEvents(raw)
	for ev, ok := e.next(); ok; ev, ok = e.next() {
		p.readEvent(ev)
	}
	p.endStream()
}

// readLines understands a stream of JSON lines.
func (p *Parser) readLines(raw []byte) {
	p.beginStream()
	for len(raw) > 0 {
		line, rest, ended := bytes.Cut(raw, []byte("\n"))
		p.readEvent(event{data: line, ended: ended})
		raw = rest
	}
	p.endStream()
}

// looksLikeLines reports whether bytes that are not one JSON value begin with
// a line that is a chunk of a stream.
func (p *Parser) looksLikeLines(raw []byte) bool {
	line, _, more := bytes.Cut(bytes.TrimLeft(raw, "\r\n"), []byte("\n"))
	return more && p.event.Scan(line) == nil && shapeOfEvent(nil, p.event.Root()) != nil
}

func (p *Parser) beginStream() {
	clear(p.stream.at)
	p.stream = stream{joins: p.stream.joins[:0], at: p.stream.at}
}

func (p *Parser) readEvent(ev event) {
	s := &p.stream
	data := bytes.TrimSpace(ev.data)
	if len(data) == 0 {
		return
	}
	s.events++
	if string(data) == "[DONE]" {
		s.done = true
		return
	}
	if err := p.scan(&p.event, &data); err != nil {
		p.badEvent(ev, data)
		return
	}
	p.fold(ev, p.event.Root())
	p.noteDuplicate(p.event.Duplicate())
}

// badEvent is an event that is no JSON: a cut at the end of the bytes, a fault
// of the server before it.
func (p *Parser) badEvent(ev event, data []byte) {
	switch {
	case p.stream.done:
		p.flag(FlagAfterEnd)
	case ev.name == "error":
		p.failWithText(codeStreamError, data)
	case ev.ended:
		p.fail(codeStreamError, fmt.Sprintf("event %d is no JSON: %.80q", p.stream.events, data))
	default:
		p.stream.cut = true
	}
}

// fold takes one event in.
func (p *Parser) fold(ev event, v jsonscan.Value) {
	if p.stream.done {
		p.afterEnd(v)
		return
	}
	e := errorOf(v)
	if ev.name == "error" && !e.Exists() {
		e = v
	}
	if e.Exists() {
		p.failWith(codeStreamError, e)
	}
	s := &p.stream
	shape := shapeOfEvent(s.shape, v)
	if shape == nil {
		if !e.Exists() {
			p.flag(FlagUnknownEvent)
		}
		return
	}
	if s.shape == nil {
		s.shape = shape
	}
	shape.fold(p, v)
}

// joiner is that of the choice with this index.
func (p *Parser) joiner(index int) *joiner {
	s := &p.stream
	n := s.find(index)
	if n < 0 {
		n = len(s.joins)
		s.joins = extend(s.joins)
		s.joins[n].begin(index)
	}
	j := &s.joins[n]
	j.after = j.hasReason
	return j
}

// find is where the joiner of a choice is, -1 for nowhere yet.
func (s *stream) find(index int) int {
	if len(s.joins) <= fewKeys {
		for n := range s.joins {
			if s.joins[n].index == index {
				return n
			}
		}
		return -1
	}
	if s.at == nil {
		s.at = map[int]int{}
	}
	for n := len(s.at); n < len(s.joins); n++ {
		s.at[s.joins[n].index] = n
	}
	n, ok := s.at[index]
	return orNone(n, ok)
}

// endStream hands over what was joined and judges whether it is all there.
func (p *Parser) endStream() {
	s := &p.stream
	if p.rec.Shape == "" {
		p.rec.Shape = "stream"
		if s.shape != nil {
			p.rec.Shape = s.shape.name
		}
	}
	p.lookForSecond()
	slices.SortFunc(s.joins, func(a, b joiner) int { return a.index - b.index })
	// What one field shows holds for the others: a server does so for all.
	cumulative := slices.ContainsFunc(s.joins, func(j joiner) bool { return j.repeats(p) })
	for n := range s.joins {
		s.joins[n].choice(p, p.choice(s.joins[n].index), cumulative)
	}
	switch {
	case !s.done && !s.finished():
		p.fail(codeStreamCut, fmt.Sprintf("the stream ends after %d events without a finish reason", s.events))
	case len(p.rec.Choices) == 0:
		p.fail(codeNotCompletion, "a stream without choices")
	case s.cut:
		p.flag(FlagCutAfterFinish)
	}
}

// finished reports whether every choice that began has a finish reason.
func (s *stream) finished() bool {
	for n := range s.joins {
		if !s.joins[n].hasReason {
			return false
		}
	}
	return len(s.joins) > 0
}
