package reasoning

// goesOn reports whether a text without any mark is the rest of the thought that
// the prompt began.
func (s *splitter) goesOn() bool {
	return Cut(s.Finish) || s.rules.Unclosed == UnclosedThought || s.start == StartInThought
}

// thoughtOf takes the thought from from to to of a format of blocks; closed
// tells that its end is known.
func (s *splitter) thoughtOf(from, to int, closed bool) {
	if s.thoughts {
		s.out.flag(FlagSeveralBlocks)
	}
	s.thoughts, s.unclosed = true, !closed
	if !closed {
		s.out.flag(FlagNoCloser)
		if s.rules.Unclosed == UnclosedAnswer {
			s.out.add(Answer, from, to)
			return
		}
	}
	s.ink = s.ink || s.text.SkipSpace(from) < to
	s.out.add(Thinking, from, to)
}
