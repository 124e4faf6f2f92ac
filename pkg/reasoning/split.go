package reasoning

import "slices"

// Split splits t into buf, whose slices are reused. f nil: everything is the
// answer. It does not allocate once buf has grown.
func (r *Rules) Split(f *Family, facts Facts, t Text, buf *Split) {
	buf.Segments, buf.Flags = buf.Segments[:0], buf.Flags[:0]
	defer buf.forget()
	if f == nil {
		buf.add(Answer, 0, t.Len())
		buf.Status = Missing
		if facts.Thinking == No {
			buf.Status = Absent
		}
		return
	}
	s := splitter{rules: r.of(f), family: f, text: t, out: buf, off: facts.Thinking == No, Facts: f.Assume(facts)}
	s.start = s.where(facts)
	switch {
	case s.start == StartNever:
		s.keep(0, t.Len())
	case f.Format == Harmony:
		s.harmony()
	case f.Format == XTML:
		s.xtml()
	case f.Format == Typed:
		s.typed()
	default:
		s.tags()
	}
	s.fill()
	s.uncite()
	buf.Status = s.status()
}

// tags splits a text of thoughts between two markers.
func (s *splitter) tags() {
	from, inThought := s.begin()
	for inThought {
		from, inThought = s.next(s.thought(from))
	}
	s.framed(from)
}

func (b *Split) add(k Kind, start, end int) {
	if start < end {
		b.Segments = append(b.Segments, Segment{k, start, end})
	}
}

func (b *Split) flag(name string) {
	if !b.Has(name) {
		b.Flags = append(b.Flags, name)
	}
}

// Has reports whether a flag is set.
func (b *Split) Has(flag string) bool { return slices.Contains(b.Flags, flag) }

// splitter is one call of Split.
type splitter struct {
	Facts  // none unknown
	rules  Rules
	start  Start // the knob with what is known of the answer filled in
	family *Family
	text   Text
	out    *Split

	off      bool // the request switched thinking off
	on       bool // thinking is on, as the rules see it
	thoughts bool // a thought was found
	ink      bool // and holds more than white space
	unclosed bool // the last one has no end
	explicit bool // an opening marker began it
	dropped  bool // white space after it was taken for part of the marker

	quotes                                                             quotes
	openers, closers, tools, answers, calls, callEnds, cites, citeEnds search
	meantOpeners, meantClosers, likelyClosers, bodies                  search
}

// thought takes the thought from there on and returns where the answer starts.
func (s *splitter) thought(from int) (end int) {
	if s.thoughts {
		s.out.flag(FlagSeveralBlocks)
	}
	s.thoughts = true
	start, end := s.closer(from)
	if start < 0 || s.rules.Tool == ToolAlways {
		start, end = s.implied(from, start, end)
	}
	if start < 0 {
		return s.open(from)
	}
	s.think(from, start)
	s.out.add(Marker, start, end)
	return s.afterThought(s.trailing(start, end))
}

// implied is the marker of a call or of an answer that ends a thought before
// the closing marker from start to end does.
func (s *splitter) implied(from, start, end int) (int, int) {
	if tool := s.tool(from); tool >= 0 && (start < 0 || tool < start) {
		s.out.flag(FlagEndedByTool)
		return tool, tool
	}
	if start >= 0 {
		return start, end
	}
	answer, _ := s.answers.first(s.text, "", s.family.AnswerOpen, from)
	if answer >= 0 {
		s.out.flag(FlagEndedByAnswer)
	}
	return answer, answer
}

// trailing takes the closing markers that follow the one from start to end and
// returns where the answer goes on.
func (s *splitter) trailing(start, end int) int {
	for start < end && s.rules.Closers == ClosersAll {
		at := s.text.SkipSpace(end)
		next := s.matchClose(at)
		if next < 0 {
			break
		}
		s.out.flag(FlagRepeatedCloser)
		s.out.add(Answer, end, at)
		s.out.add(Marker, at, next)
		end = next
	}
	return end
}

// open takes a thought without an end.
func (s *splitter) open(from int) (end int) {
	s.unclosed = true
	s.out.flag(FlagNoCloser)
	if s.rules.Unclosed == UnclosedAnswer || s.rules.Unclosed == UnclosedSwitched && !s.on {
		return from
	}
	s.think(from, s.text.Len())
	return s.text.Len()
}

// think adds a part of a thought.
func (s *splitter) think(from, to int) {
	s.ink = s.ink || s.text.SkipSpace(from) < to
	if at, _ := s.findOpen(from); 0 <= at && at < to {
		s.out.flag(FlagMarkerInThought)
	}
	if at, _ := s.findClose(from); 0 <= at && at < to {
		s.out.flag(FlagCloserInThought)
	}
	end := s.trimmedEnd(from, to)
	s.withCalls(from, end)
	s.out.add(Marker, end, to)
}

// withCalls adds a part of a thought and the whole calls in it.
func (s *splitter) withCalls(from, to int) {
	for c := s.family.Calls; c.Open != ""; {
		start, after := s.calls.first(s.text, c.Open, nil, from)
		if start < 0 || after > to {
			break
		}
		_, end := s.callEnds.first(s.text, c.Close, nil, after)
		if end < 0 || end > to {
			break
		}
		s.out.add(Thinking, from, start)
		s.out.add(Tool, start, end)
		from = end
	}
	s.out.add(Thinking, from, to)
}

// closer is the closing marker that ends a thought.
func (s *splitter) closer(from int) (start, end int) {
	start, end = s.meantClose(from)
	if s.meantClosers.start < 0 && start >= 0 {
		s.out.flag(FlagQuotedCloser)
	}
	if start < 0 || s.rules.Closer == CloserFirst {
		return start, end
	}
	for {
		var further search // the shared one would forget the first
		next, after := further.first(s.text, s.family.Close, s.family.AlsoClose, end)
		if next < 0 {
			return start, end
		}
		start, end = next, after
	}
}

// next is where a further thought starts, after the answer before it.
func (s *splitter) next(from int) (start int, inThought bool) {
	if s.unclosed || !s.blocks() && !s.another(from) {
		return from, false
	}
	open, after := s.laterOpen(from)
	if open < 0 || !s.ends(open, after) {
		return from, false
	}
	s.answer(from, open)
	return s.leading(open), true
}

// another reports whether a thought follows the one before it at once, with nothing
// but white space between them.
func (s *splitter) another(from int) bool {
	end := s.matchOpen(s.text.SkipSpace(from))
	if end < 0 || s.rules.Blocks != BlocksByFamily {
		return false
	}
	closer, _ := s.meantClose(end)
	return closer >= 0
}

// answer takes a part of the answer and tells of markers that stay in it.
func (s *splitter) answer(from, to int) {
	for s.rules.Stray == StrayRemoved {
		start, end := s.findClose(from)
		if start < 0 || start >= to {
			break
		}
		s.out.add(Answer, from, start)
		s.out.add(Marker, start, end)
		from = end
	}
	s.keep(from, to)
}

// keep takes a part of the answer as it stands.
func (s *splitter) keep(from, to int) {
	open, _ := s.findOpen(from)
	closer, _ := s.findClose(from)
	if 0 <= open && open < to || 0 <= closer && closer < to {
		s.out.flag(FlagMarkerInContent)
	}
	s.out.add(Answer, from, to)
}
