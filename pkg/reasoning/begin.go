package reasoning

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

// bareCloser decides a text whose first marker is a closing one. Where nothing
// is known to have opened a thought, closing markers in quotes are mere text.
func (s *splitter) bareCloser() bool {
	if s.rules.Start == StartInAnswer || s.PromptOpen == No && s.onlyQuoted() {
		return false
	}
	if s.PromptOpen == No {
		s.out.flag(FlagNoOpener)
	}
	return true
}

// onlyQuoted reports whether a quotation mark follows every closing marker.
func (s *splitter) onlyQuoted() bool {
	_, end := s.findClose(0)
	for end >= 0 && quoted(s.text, end) {
		_, end = find(s.text, s.family.Close, end)
	}
	return end < 0
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
