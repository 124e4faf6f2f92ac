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
	s.recall()
	open, _ := s.meantOpen(0)
	closer, _ := s.meantClose(0)
	switch {
	case open < 0 && closer < 0:
		return 0, s.unmarked()
	case open < 0 || 0 <= closer && closer < open:
		return 0, s.bareCloser(closer)
	}
	return s.lateOpener(open, closer)
}

// lead is where an opening marker at the beginning may stand.
func (s *splitter) lead() int {
	if s.rules.Openers == OpenersExact {
		return 0
	}
	if s.rules.Quoted == QuotedMarks {
		return s.text.SkipSpace(0)
	}
	return skipInvisible(s.text)
}

// skipInvisible is where the visible text begins.
func skipInvisible(t Text) int {
	at := 0
	for next := 0; next >= 0; next = matchAny(t, invisible[:], at) {
		at = t.SkipSpace(next)
	}
	return at
}

// invisible are characters that some tokenizers and proxies leave at the
// beginning: a byte order mark, spaces that do not break, take no width or are wide.
var invisible = [...]string{"\ufeff", "\u00a0", "\u200b", "\u2060", "\u3000"}

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

// bareCloser decides a text whose first marker that is not quoted is a closing one.
func (s *splitter) bareCloser(closer int) bool {
	if s.start == StartInAnswer || s.PromptOpen == No && (s.family.Prose || s.named(closer)) {
		return false
	}
	if s.PromptOpen == No {
		s.out.flag(FlagNoOpener)
	}
	return true
}

// named reports whether a closing marker in the middle of a line comes after an
// opening one that is quoted: a text that writes about one writes about the other.
func (s *splitter) named(closer int) bool {
	open, _ := s.findOpen(0)
	_, begins := indent(s.text, closer)
	return s.rules.Quoted == QuotedText && 0 <= open && open < closer && !begins
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

// leading takes the opening markers at from and returns where the thought starts.
func (s *splitter) leading(from int) int {
	s.explicit, s.likelyClosers = true, search{}
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
	if after := match(s.text, s.family.Label, from); after >= 0 && (s.text.SkipSpace(after) > after || s.matchClose(after) >= 0) {
		end = newline(s.text, after)
	}
	if s.rules.Trim&TrimOpened != 0 {
		end = s.oneSpace(end)
	}
	s.out.add(Marker, from, end)
	return end
}
