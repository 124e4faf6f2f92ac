package reasoning

// begin decides where the text begins, deals with what stands before the first
// thought and returns where that starts, or that there is none.
func (s *splitter) begin() (from int, inThought bool) {
	if s.start == StartInThought {
		if from, done := s.beforeOpener(); done {
			return from, true
		}
	}
	if lead := s.lead(); s.matchOpen(lead) >= 0 && s.rules.Openers != OpenersNone {
		s.out.add(Answer, 0, lead)
		return s.leading(lead), true
	}
	if s.start == StartInThought {
		return 0, true
	}
	if closer := s.matchClose(0); closer >= 0 && s.start == StartInAnswer && s.rules.Stray == StrayLeading {
		s.out.add(Marker, 0, closer)
		return closer, false
	}
	open, _ := s.meantOpen(0)
	closer, _ := s.meantClose(0)
	switch {
	case open < 0 && closer < 0:
		return 0, s.unmarked()
	case open < 0 || 0 <= closer && closer < open:
		return 0, s.bareCloser()
	}
	return s.lateOpener(open, closer)
}

// lead is where an opening marker at the beginning may stand.
func (s *splitter) lead() int {
	if s.rules.Openers == OpenersExact {
		return 0
	}
	return s.text.SkipSpace(0)
}

// beforeOpener deals with what stands before the first opening marker of a text
// that begins in a thought; done is false when it is part of the thought.
func (s *splitter) beforeOpener() (from int, done bool) {
	open, end := s.findOpen(0)
	switch {
	case open < 0:
		return 0, false
	case s.rules.Prefix == PrefixDropped:
		if s.text.SkipSpace(0) < open {
			s.out.flag(FlagTextDropped)
		}
		s.out.add(Marker, 0, end)
		return s.afterOpener(end), true
	case s.rules.Prefix == PrefixToAnswer:
		if closer, _ := s.findClose(0); closer < 0 || open < closer {
			return s.preamble(open), true
		}
	}
	return 0, false
}

// bareCloser decides a text whose first marker is a closing one.
func (s *splitter) bareCloser() bool {
	if s.start == StartInAnswer || s.PromptOpen == No && s.family.Prose {
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
	case closer < 0 && !s.family.Preamble && s.unmarked():
		return 0, true
	case s.prefix() == PrefixToThought:
		return 0, true
	case s.prefix() == PrefixToAnswer:
		if late, end := s.laterOpen(open); late >= 0 && s.ends(late, end) {
			return s.preamble(late), true
		}
	}
	return 0, closer >= 0 && s.PromptOpen == Yes && s.start == StartByEvidence
}

// preamble takes the text before the opening marker at open for the user's.
func (s *splitter) preamble(open int) (from int) {
	if s.text.SkipSpace(0) < open {
		s.out.flag(FlagPreamble)
	}
	s.out.add(Answer, 0, open)
	return s.leading(open)
}

// prefix is the knob with the family's habit and the prompt filled in.
func (s *splitter) prefix() Prefix {
	if s.rules.Prefix == PrefixByFamily && !s.family.Prose && (s.family.Preamble || s.blocks() || s.PromptOpen == No) {
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
	case s.Thinking == No || s.text.Len() == 0 || s.start == StartInAnswer:
		return false
	case s.PromptOpen == Yes && s.ended(0):
		return true
	case s.rules.Unclosed == UnclosedByEvidence:
		return s.PromptOpen == Yes && Cut(s.Finish)
	}
	return s.rules.Unclosed == UnclosedThought
}

// laterOpen is the next opening marker at or after from that may begin a thought
// after text: one that is merely written about is text.
func (s *splitter) laterOpen(from int) (start, end int) {
	start, end = s.meantOpen(from)
	for start >= 0 && s.rules.Quoted == QuotedText && s.mentioned(start, end) {
		start, end = s.meantOpen(end)
	}
	return start, end
}

// mentioned reports whether prose merely names the opening marker from start to
// end, or shows it indented as code. Of families that write text first, and whose
// models therefore open thoughts anywhere, nothing is assumed.
func (s *splitter) mentioned(start, end int) bool {
	if s.family.Preamble {
		return false
	}
	width, begins := indent(s.text, start)
	switch {
	case !s.blocks() && s.hollow(end):
		return true
	case begins:
		return width >= codeIndent
	}
	return matchAny(s.text, proseAfter[:], end) >= 0 || quotationOpens(s.text, start)
}

// codeIndent is the width of the blanks before a line of code (CommonMark 4.4).
const codeIndent = 4

// proseAfter are what follows a marker in the middle of a sentence.
var proseAfter = [...]string{" ", ",", ";", ":", ")", "/", "*"}

// hollow reports whether nothing but dots stands between from and a closing
// marker: the two show where a thought would be.
func (s *splitter) hollow(from int) bool {
	at := s.text.SkipSpace(from)
	for next := at; next >= 0; next = matchAny(s.text, []string{".", "…"}, at) {
		at = s.text.SkipSpace(next)
	}
	return s.matchClose(at) >= 0
}

// ends reports whether a thought that begins late, at the opening marker from
// start to end, comes to an end we know of: a closing marker, a call, an answer
// or the token limit. Else the marker is mere text. In the middle of a line only
// a closing marker will do, but for families that write text first.
func (s *splitter) ends(start, end int) bool {
	if closer, _ := s.meantClose(end); closer >= 0 || s.rules.Unclosed == UnclosedThought {
		return true
	}
	_, begins := indent(s.text, start)
	return (begins || s.family.Preamble || s.blocks()) && (Cut(s.Finish) || s.ended(end))
}

// ended reports whether a call or an answer begins after from.
func (s *splitter) ended(from int) bool {
	answer, _ := s.answers.first(s.text, "", s.family.AnswerOpen, from)
	return answer >= 0 || s.tool(from) >= 0
}

// leading takes the opening markers at from and returns where the thought starts.
func (s *splitter) leading(from int) int {
	for n := 0; ; n++ {
		at := from
		if s.rules.Openers != OpenersExact {
			at = s.text.SkipSpace(from)
		}
		end := s.matchOpen(at)
		if end < 0 || n == 1 && s.rules.Openers == OpenersOne {
			return s.afterOpener(from)
		}
		if n == 1 {
			s.out.flag(FlagRepeatedOpener)
		}
		s.out.add(Thinking, from, at)
		s.out.add(Marker, at, end)
		from = end
	}
}

// afterOpener takes what belongs to the opening marker that ends at from.
func (s *splitter) afterOpener(from int) int {
	end := from
	if after := match(s.text, s.family.Label, from); after >= 0 && (newline(s.text, after) > after || s.matchClose(after) >= 0) {
		end = newline(s.text, after)
	}
	if s.rules.Trim&TrimOpened != 0 {
		end = s.oneSpace(end)
	}
	s.out.add(Marker, from, end)
	return end
}
