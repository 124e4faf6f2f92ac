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

// begin decides where the text begins, deals with what stands before the first
// thought and returns where that starts, or that there is none.
func (s *splitter) begin() (from int, inThought bool) {
	lead := s.text.SkipSpace(0)
	if match(s.text, s.family.Open, lead) >= 0 {
		s.out.add(Answer, 0, lead)
		return s.leading(lead), true
	}
	open, _ := s.findOpen(0)
	closer, _ := s.findClose(0)
	switch {
	case s.rules.Start == StartInThought:
		return 0, true
	case open < 0 && closer < 0:
		return 0, s.unmarked()
	case open < 0 || 0 <= closer && closer < open:
		return 0, s.bareCloser()
	}
	return s.lateOpener(open, closer)
}

// bareCloser decides a text whose first marker is a closing one.
func (s *splitter) bareCloser() bool {
	if s.rules.Start == StartInAnswer {
		return false
	}
	if s.PromptOpen == No {
		s.out.flag(FlagNoOpener)
	}
	return true
}

// lateOpener decides a text whose first marker is an opening one with text before it.
func (s *splitter) lateOpener(open, closer int) (from int, inThought bool) {
	switch {
	case closer < 0 && s.unmarked():
		return 0, true
	case s.prefix() == PrefixToThought:
		return 0, true
	case s.prefix() == PrefixToAnswer && s.ends(open, closer):
		s.out.add(Answer, 0, open)
		s.out.flag(FlagPreamble)
		return s.leading(open), true
	}
	return 0, closer >= 0 && s.PromptOpen == Yes && s.rules.Start == StartByEvidence
}

// prefix is the knob with the family's habit filled in.
func (s *splitter) prefix() Prefix {
	if s.rules.Prefix == PrefixByFamily && (s.family.Preamble || s.blocks()) {
		return PrefixToAnswer
	}
	return s.rules.Prefix
}

// blocks is the knob with the family's habit filled in.
func (s *splitter) blocks() bool {
	return s.rules.Blocks == BlocksAll || s.rules.Blocks == BlocksByFamily && s.family.Blocks
}

// unmarked decides a text that neither begins with an opening marker nor has a closing one.
func (s *splitter) unmarked() bool {
	switch {
	case s.Thinking == No || s.text.Len() == 0 || s.rules.Start == StartInAnswer:
		return false
	case s.PromptOpen == Yes && s.tool(0) >= 0:
		return true
	case s.rules.Unclosed == UnclosedByEvidence:
		return s.PromptOpen == Yes && Cut(s.Finish)
	}
	return s.rules.Unclosed == UnclosedThought
}

// ends reports whether a thought that begins late comes to an end we know of: a
// closing marker, a call or the token limit. Else its opening marker is mere text.
func (s *splitter) ends(open, closer int) bool {
	return closer >= 0 || Cut(s.Finish) || s.tool(open) >= 0
}

// leading takes the opening markers at from and returns where the thought starts.
func (s *splitter) leading(from int) int {
	for n := 0; ; n++ {
		at := s.text.SkipSpace(from)
		end := match(s.text, s.family.Open, at)
		if end < 0 || n == 1 && s.rules.Openers == OpenersOne {
			return from
		}
		if n == 1 {
			s.out.flag(FlagRepeatedOpener)
		}
		s.out.add(Thinking, from, at)
		s.out.add(Marker, at, end)
		from = end
	}
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
