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
	if s.done && s.from <= from && (s.start < 0 || from <= s.start) {
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
