package reasoning

// uncite makes markers of the markup around citations, where the rules say so.
func (s *splitter) uncite() {
	if s.rules.Cites == CitesKept || s.family.Cites.Open == "" {
		return
	}
	n := len(s.out.Segments)
	for i := range n {
		s.unciteSegment(s.out.Segments[i])
	}
	s.out.Segments = s.out.Segments[:copy(s.out.Segments, s.out.Segments[n:])]
}

// unciteSegment adds a segment once more, cut at the markup in it.
func (s *splitter) unciteSegment(g Segment) {
	from := g.Start
	for g.Kind == Thinking || g.Kind == Answer {
		start, end := s.citation(from)
		if start < 0 || end > g.End {
			break
		}
		s.out.add(g.Kind, from, start)
		s.out.add(Marker, start, end)
		from = end
	}
	s.out.add(g.Kind, from, g.End)
}

// citation is the first markup of a citation at or after from; start is -1 for none.
func (s *splitter) citation(from int) (start, end int) {
	start, end = s.cites.first(s.text, s.family.Cites.Open, []string{s.family.Cites.Close}, from)
	if start < 0 || s.text.Match(s.family.Cites.Open, start) == end {
		return start, end
	}
	if _, end = s.citeEnds.first(s.text, ">", nil, end); end < 0 {
		return -1, -1
	}
	return start, end
}
