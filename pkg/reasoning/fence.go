package reasoning

// inFence says whether the marker from start to end stands in a fenced block, and
// not before one that somebody forgot to begin: the next fence may not begin
// another. Where the fences of the text do not belong together two and two, one is
// missing somewhere.
func (q *quotes) inFence(t Text, start, end int) quoting {
	next, after := nextFence(t, &q.nextFences, end)
	if next < 0 || !blankLine(t, after) {
		return unquoted
	}
	if start < q.fencesRead {
		q.fences, q.fencesRead = 0, 0
	}
	n, at := q.countFences(t, q.fencesRead, start)
	q.fences, q.fencesRead = q.fences+n, at
	if q.fences%2 == 0 {
		return unquoted
	}
	if q.fencesOfAll == 0 {
		n, _ := q.countFences(t, end, t.Len())
		q.fencesOfAll = 1 + q.fences + n
	}
	if q.fencesOfAll%2 == 0 {
		return loosely
	}
	return surely
}

// countFences counts the fences from from to to; last is where the last one ends.
func (q *quotes) countFences(t Text, from, to int) (n, last int) {
	for last = from; ; n++ {
		at, end := nextFence(t, &q.fence, last)
		if at < 0 || at >= to {
			return n, last
		}
		last = end
	}
}

// nextFence is where the next fence stands, a ``` at the beginning of a line; start
// is -1 for none.
func nextFence(t Text, s *search, from int) (start, end int) {
	for {
		start, end = s.first(t, "```", nil, from)
		if start < 0 {
			return start, end
		}
		if _, begins := indent(t, start); begins {
			return start, end
		}
		from = end
	}
}

// indent is how many bytes of blanks stand before offset at, and whether the line
// begins with them.
func indent(t Text, at int) (bytes int, begins bool) {
	for to := at; ; to = t.SpaceBefore(to) {
		if space := t.SpaceBefore(to); space == to || newline(t, space) > space {
			return at - to, space < to || to == 0
		}
	}
}

// code reports whether a line begins at offset at that is code by its indentation:
// four blanks or a tab (CommonMark 4.4).
func code(t Text, at int) bool {
	return endsInAny(t, []string{"    ", "\t"}, at)
}

// blankLine reports whether nothing but blanks follows on the line.
func blankLine(t Text, at int) bool {
	blanks := [...]string{" ", "\t", "`", "\r"}
	for next := matchAny(t, blanks[:], at); next >= 0; next = matchAny(t, blanks[:], at) {
		at = next
	}
	return at == t.Len() || newline(t, at) > at
}
