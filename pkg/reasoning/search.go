package reasoning

// search finds the first of some markers and remembers the last answer, so that
// a text of many markers of one kind and none of another takes linear time.
type search struct {
	done       bool
	from       int // where the last search began
	start, end int // what it found
}

// first is where the first of markers stands at or after from; start is -1 for none.
func (s *search) first(t Text, markers []string, from int) (start, end int) {
	if s.done && s.from <= from && (s.start < 0 || from <= s.start) {
		return s.start, s.end
	}
	*s = search{done: true, from: from, start: -1, end: -1}
	for _, marker := range markers {
		if start, end := find(t, marker, from); start >= 0 && (s.start < 0 || start < s.start) {
			s.start, s.end = start, end
		}
	}
	return s.start, s.end
}
