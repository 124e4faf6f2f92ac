package reasoning

// search finds the first of some markers and remembers the last answer, so that
// a text of many markers of one kind and none of another takes linear time.
type search struct {
	done       bool
	from       int // where the last search began
	start, end int // what it found
}

// first is where marker or the first of more stands at or after from; start is -1 for none.
func (s *search) first(t Text, marker string, more []string, from int) (start, end int) {
	if s.knows(from) {
		return s.start, s.end
	}
	*s = search{done: true, from: from}
	s.start, s.end = find(t, marker, from)
	for _, marker := range more {
		if start, end := find(t, marker, from); start >= 0 && (s.start < 0 || start < s.start) {
			s.start, s.end = start, end
		}
	}
	return s.start, s.end
}

// knows reports whether the last answer is one for from, too.
func (s *search) knows(from int) bool {
	return s.done && s.from <= from && (s.start < 0 || from <= s.start)
}

// meant is the first of the markers that find finds at or after from which is not
// quoted beyond what is allowed.
func (s *splitter) meant(last *search, find func(from int) (start, end int), from int, allowed quoting) (start, end int) {
	if last.knows(from) {
		return last.start, last.end
	}
	start, end = find(from)
	for start >= 0 && s.quoted(start, end) > allowed {
		start, end = find(end)
	}
	*last = search{true, from, start, end}
	return start, end
}

// quoted says of the marker from start to end whether it is quoted. Punctuation
// after it says enough where no opening marker is known.
func (s *splitter) quoted(start, end int) quoting {
	if s.rules.Quoted == QuotedMarks {
		return unquoted
	}
	how := s.quotes.of(s.text, start, end)
	if how == loosely && !s.explicit && punctuated(s.text, end) {
		return surely
	}
	return how
}

// meantOpen is the first opening marker at or after from that is not quoted.
func (s *splitter) meantOpen(from int) (start, end int) {
	return s.meant(&s.meantOpeners, s.findOpen, from, unquoted)
}

// meantClose is the first closing marker at or after from that is not quoted; or,
// when all are and a thought was begun, one that only seems to be.
func (s *splitter) meantClose(from int) (start, end int) {
	if start, end = s.meant(&s.meantClosers, s.findClose, from, unquoted); start >= 0 || !s.explicit && s.PromptOpen != Yes {
		return start, end
	}
	return s.meant(&s.likelyClosers, s.findClose, from, loosely)
}

// tool is where the first marker of a call stands, -1 for none.
func (s *splitter) tool(from int) int {
	if s.rules.Tool == ToolNever {
		return -1
	}
	markers := s.rules.Tools
	if markers == nil {
		markers = s.family.Tools
	}
	at, end := s.tools.first(s.text, "", markers, from)
	for at >= 0 && s.rules.Tool == ToolCalled && !s.callFollows(end) {
		at, end = s.tools.first(s.text, "", markers, end)
	}
	return at
}

// callFollows reports whether what stands after a call's marker can be a call: the
// text's end, which cut it, more markup, JSON, or, right after it, a name. A marker
// that a thought merely mentions is followed by prose.
func (s *splitter) callFollows(at int) bool {
	next := s.text.SkipSpace(at)
	if next == s.text.Len() {
		return true
	}
	for _, begin := range [...]string{"<", "{", "["} {
		if s.text.Match(begin, next) >= 0 {
			return true
		}
	}
	if next > at {
		return false
	}
	for _, prose := range [...]string{"`", "\"", "'", ".", ",", ";", ":", ")", "?", "!", "*"} {
		if s.text.Match(prose, next) >= 0 {
			return false
		}
	}
	return true
}

func (s *splitter) findOpen(from int) (start, end int) {
	return s.openers.first(s.text, s.family.Open, s.family.AlsoOpen, from)
}

func (s *splitter) findClose(from int) (start, end int) {
	return s.closers.first(s.text, s.family.Close, s.family.AlsoClose, from)
}

// matchOpen is where an opening marker ends that stands at offset at, else -1.
func (s *splitter) matchOpen(at int) int {
	if end := match(s.text, s.family.Open, at); end >= 0 {
		return end
	}
	return matchAny(s.text, s.family.AlsoOpen, at)
}

// matchClose is where a closing marker ends that stands at offset at, else -1.
func (s *splitter) matchClose(at int) int {
	if end := match(s.text, s.family.Close, at); end >= 0 {
		return end
	}
	return matchAny(s.text, s.family.AlsoClose, at)
}
