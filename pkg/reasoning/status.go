package reasoning

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

// fill makes the thought the answer of a text that has none, where the rules say so.
func (s *splitter) fill() {
	if s.rules.Empty == EmptyKept || !s.ink || s.dropped {
		return
	}
	for _, g := range s.out.Segments {
		if g.Kind == Answer || g.Kind == Tool {
			return
		}
	}
	for i := range s.out.Segments {
		if s.out.Segments[i].Kind == Thinking {
			s.out.Segments[i].Kind = Answer
		}
	}
	s.ink = false
	s.out.flag(FlagThoughtInContent)
}
