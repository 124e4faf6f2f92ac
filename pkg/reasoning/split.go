package reasoning

// Split splits t into buf, whose slices are reused. f nil: everything is the
// answer. It does not allocate once buf has grown.
func (r *Rules) Split(f *Family, facts Facts, t Text, buf *Split) {
	buf.Segments, buf.Flags = buf.Segments[:0], buf.Flags[:0]
	if f == nil {
		buf.add(Answer, 0, t.Len())
		buf.Status = Missing
		if facts.Thinking == No {
			buf.Status = Absent
		}
		return
	}
	s := splitter{rules: r, family: f, text: t, out: buf, off: facts.Thinking == No, Facts: f.assume(facts)}
	from, inThought := s.begin()
	for inThought {
		from, inThought = s.next(s.thought(from))
	}
	s.answer(from, t.Len())
	buf.Status = s.status()
}

func (b *Split) add(k Kind, start, end int) {
	if start < end {
		b.Segments = append(b.Segments, Segment{k, start, end})
	}
}

func (b *Split) flag(name string) {
	for _, f := range b.Flags {
		if f == name {
			return
		}
	}
	b.Flags = append(b.Flags, name)
}

// splitter is one call of Split.
type splitter struct {
	Facts  // none unknown
	rules  *Rules
	family *Family
	text   Text
	out    *Split

	off      bool // the request switched thinking off
	thoughts bool // a thought was found
	ink      bool // and holds more than white space
	unclosed bool // the last one has no end

	openers, closers, tools search
}

// thought takes the thought from there on and returns where the answer starts.
func (s *splitter) thought(from int) (end int) {
	if s.thoughts {
		s.out.flag(FlagSeveralBlocks)
	}
	s.thoughts = true
	start, end := s.closer(from)
	if start < 0 || s.rules.Tool == ToolAlways {
		if tool := s.tool(from); tool >= 0 && (start < 0 || tool < start) {
			s.out.flag(FlagEndedByTool)
			start, end = tool, tool
		}
	}
	if start < 0 {
		return s.open(from)
	}
	s.think(from, start)
	s.out.add(Marker, start, end)
	return s.trailing(start, end)
}

// trailing takes the closing markers that follow the one from start to end and
// returns where the answer goes on.
func (s *splitter) trailing(start, end int) int {
	for start < end && s.rules.Closers == ClosersAll {
		at := s.text.SkipSpace(end)
		next := match(s.text, s.family.Close, at)
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
	if s.rules.Unclosed == UnclosedAnswer {
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
	s.out.add(Thinking, from, to)
}

// closer is the closing marker that ends a thought.
func (s *splitter) closer(from int) (start, end int) {
	start, end = s.findClose(from)
	if start < 0 || s.rules.Closer == CloserFirst {
		return start, end
	}
	for {
		next, after := find(s.text, s.family.Close, end) // not what a search may remember
		if next < 0 {
			return start, end
		}
		start, end = next, after
	}
}

// tool is where the first marker of a call stands, -1 for none.
func (s *splitter) tool(from int) int {
	if s.rules.Tool == ToolNever {
		return -1
	}
	at, _ := s.tools.first(s.text, s.family.Tools, from)
	return at
}

func (s *splitter) findOpen(from int) (start, end int) {
	return s.openers.first(s.text, []string{s.family.Open}, from)
}

func (s *splitter) findClose(from int) (start, end int) {
	return s.closers.first(s.text, []string{s.family.Close}, from)
}

// next is where a further thought starts, after the answer before it.
func (s *splitter) next(from int) (start int, inThought bool) {
	if !s.blocks() || s.unclosed {
		return from, false
	}
	open, after := s.findOpen(from)
	if open < 0 {
		return from, false
	}
	if closer, _ := s.closer(after); !s.ends(after, closer) {
		return from, false
	}
	s.answer(from, open)
	return s.leading(open), true
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
	open, _ := s.findOpen(from)
	closer, _ := s.findClose(from)
	if 0 <= open && open < to || 0 <= closer && closer < to {
		s.out.flag(FlagMarkerInContent)
	}
	s.out.add(Answer, from, to)
}

// status sums up what was found.
func (s *splitter) status() Status {
	if s.off && s.ink {
		s.out.flag(FlagThoughtAnyway)
	}
	switch {
	case s.unclosed && Cut(s.Finish):
		return Truncated
	case s.unclosed:
		return Suspect
	case s.ink:
		return Present
	}
	if s.thoughts {
		s.out.flag(FlagEmptyBlock)
	}
	if s.Thinking == No {
		return Absent
	}
	return Missing
}
