package reasoning

// channelNames are what is left of the headers after the first, in the order of the channels.
var channelNames = tokens{"assistant", []string{"assistantanalysis", "assistantcommentary", "assistantfinal"}}

// erased takes a harmony text whose markers the server erased: the names of the
// channels, each glued to what follows it, are all there is to go by. Without a
// second one only the token limit makes a thought of it.
func (s *splitter) erased() bool {
	lead := s.text.SkipSpace(0)
	from := s.text.Match("analysis", lead)
	if from < 0 || s.text.SkipSpace(from) > from {
		return false
	}
	if !channelNames.in(s.text) && !Cut(s.Finish) || harmonyTokens.in(s.text) {
		return false
	}
	s.out.flag(FlagErasedMarkers)
	s.out.add(Answer, 0, lead)
	for of := analysis; ; {
		start, end, which := channelNames.next(s.text, from)
		s.residue(of, lead, from, start, which >= 0)
		if which < 0 {
			return true
		}
		of, lead, from = channel(which+1), start, end
	}
}

// residue takes a message whose channel's name stands from head to from.
func (s *splitter) residue(of channel, head, from, to int, closed bool) {
	if of == commentary && s.text.Match("to=", s.text.SkipSpace(from)) >= 0 {
		s.out.add(Tool, head, to)
		return
	}
	s.out.add(Marker, head, from)
	if of == analysis {
		s.thoughtOf(from, to, closed)
		return
	}
	s.out.add(Answer, from, to)
}
