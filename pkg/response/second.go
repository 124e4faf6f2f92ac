package response

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// One stream is one answer. Files that were put together hold several: the first
// is taken, and that there are more is reported.

// afterEnd is an event after the end of its stream.
func (p *Parser) afterEnd(v jsonscan.Value) {
	p.flag(FlagAfterEnd)
	if !errorOf(v).Exists() && answers(v) {
		p.another()
	}
}

// another passes an event of another answer over.
func (p *Parser) another() {
	p.flag(FlagAfterEnd)
	p.stream.second++
}

// answers reports whether an event is part of an answer: not one of counts
// alone, or a sign of life.
func answers(v jsonscan.Value) bool {
	if shapeOfEvent(nil, v) == nil || v.Get("type").Text().Equal("ping") {
		return false
	}
	return !isChatChunk(v) || firstChoice(v).Exists()
}

// ofAnother reports whether an event belongs to another answer than the first
// one, by the id that the events of one answer share.
func (p *Parser) ofAnother(id jsonscan.Text) bool {
	s := &p.stream
	if s.id.Len() == 0 {
		s.id = p.keep(id)
	}
	return id.Len() > 0 && string(id.Raw) != string(s.id.Raw)
}

// lookForSecond reports what does not belong to the answer of a stream that was
// read to its end.
func (p *Parser) lookForSecond() {
	s := &p.stream
	if s.second > 0 {
		p.complain(fmt.Sprintf("%d events of another answer after the end of the stream", s.second))
	}
	for n := range s.joins {
		if j := &s.joins[n]; j.late {
			p.flag(FlagTextAfterFinish)
			p.complain(fmt.Sprintf("choice %d goes on after its finish reason: another answer?", j.index))
		}
	}
}
