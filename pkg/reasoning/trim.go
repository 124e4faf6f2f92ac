package reasoning

// afterThought takes the white space that belongs to the closing marker before from.
func (s *splitter) afterThought(from int) int {
	if s.rules.Trim&(TrimClosed|TrimClosedLine) == 0 {
		return from
	}
	end := newline(s.text, from)
	for s.rules.Trim&TrimClosed != 0 {
		next := newline(s.text, end)
		if next == end {
			break
		}
		end = next
	}
	s.dropped = s.dropped || end > from
	s.out.add(Marker, from, end)
	return end
}

// trimmedEnd is where a thought from from to to ends without the white space
// that the rules take off.
func (s *splitter) trimmedEnd(from, to int) int {
	if s.rules.Trim&TrimEndLine != 0 {
		return s.lineBefore(from, to)
	}
	for s.rules.Trim&TrimEnd != 0 {
		at := s.text.SpaceBefore(to)
		if at == to || at < from {
			break
		}
		to = at
	}
	return to
}

// lineBefore is where the newline starts that ends at to, not before from; else to.
func (s *splitter) lineBefore(from, to int) int {
	if at := s.text.SpaceBefore(to); from <= at && newline(s.text, at) == to {
		return at
	}
	return to
}

// oneSpace is where the white space character ends that starts at from, else from.
func (s *splitter) oneSpace(from int) int {
	return max(from, matchAny(s.text, []string{" ", "\t", "\n", "\r"}, from))
}

// framed takes the last part of the answer, without the markers around it.
func (s *splitter) framed(from int) {
	at, body := from, -1
	if s.family.AnswerOpen != nil {
		at = s.text.SkipSpace(from)
		body = matchAny(s.text, s.family.AnswerOpen, at)
	}
	if body < 0 {
		s.answer(from, s.text.Len())
		return
	}
	end, next := s.frameEnd(body)
	after := next
	if s.rules.Trim&TrimFrameLine != 0 {
		body = newline(s.text, body)
		end = s.lineBefore(body, end)
	}
	if s.rules.Trim&TrimFrame != 0 {
		s.out.add(Marker, from, at)
		from, after = at, s.text.SkipSpace(next)
	}
	s.answer(from, at)
	s.out.add(Marker, at, body)
	s.answer(body, end)
	s.out.add(Marker, end, after)
	s.answer(after, s.text.Len())
}

// frameEnd is the last marker that ends the answer which starts at from.
func (s *splitter) frameEnd(from int) (start, end int) {
	start, end = s.text.Len(), s.text.Len()
	var last search
	for {
		next, after := last.first(s.text, "", s.family.AnswerClose, from)
		if next < 0 {
			return start, end
		}
		start, end, from = next, after, after
	}
}
