package reasoning

import "slices"

// quotes tells which markers are quoted: written about, not meant. Such a marker
// stands right between two marks that belong together; or, with more of its line
// before and after it, in a code span or a string, as in JSON; or in a fenced
// block. Asked for offsets that rise, all its work is linear in the text.
type quotes struct {
	read int   // up to here the line was read
	open delim // what is open there

	fences, fencesRead, fencesOfAll int // before an offset, and in the text plus one

	lines, ticks, marks, nextLines, nextTicks, nextMarks, fence, nextFences search
}

// delim is what opens and closes a part of a line: a run of so many ` or one of these.
type delim int

const (
	noDelim     delim = -iota
	quoteMark         // "
	escapedMark       // \", as in JSON within a string
)

// pairs are marks right around what they quote.
var pairs = [...]Pair{
	{"'", "'"}, {"`", "`"}, {"(", ")"}, {"“", "”"}, {"‘", "’"}, {"«", "»"}, {"„", "“"}, {"「", "」"}, {"『", "』"}, {"（", "）"},
}

// hold reports whether the marker from start to end is quoted.
func (q *quotes) hold(t Text, start, end int) bool {
	return enclosed(t, start, end) || q.inLine(t, start, end) || q.inFence(t, start, end)
}

func enclosed(t Text, start, end int) bool {
	for _, p := range pairs {
		if t.Match(p.Close, end) >= 0 && opens(t, p, start) {
			return true
		}
	}
	return false
}

// opens reports whether the first mark of p ends at offset to and opens a quotation.
func opens(t Text, p Pair, to int) bool {
	at := t.MatchBefore(p.Open, to)
	return at >= 0 && (p.Open != p.Close || mayOpen(t, at))
}

// quotationOpens reports whether a quotation begins at offset to.
func quotationOpens(t Text, to int) bool {
	return slices.ContainsFunc(pairs[:], func(p Pair) bool { return opens(t, p, to) })
}

// openers are what a quotation may follow without white space: after a letter or
// a digit a mark is an apostrophe, an inch, or closes.
var openers = [...]string{
	"(", "[", "{", ":", ",", "=", ">", "<", "/", "-", "*", "_", "|", "!", ".", `"`, "'", "`", `\`, "“", "‘", "（", "：", "，", "。", "—",
}

// mayOpen reports whether a quotation may begin at offset at.
func mayOpen(t Text, at int) bool {
	if at == 0 || t.SpaceBefore(at) < at {
		return true
	}
	for _, before := range openers {
		if t.MatchBefore(before, at) >= 0 {
			return true
		}
	}
	return false
}

// inLine reports whether the marker stands in a code span or a string of its line.
func (q *quotes) inLine(t Text, start, end int) bool {
	last, _ := q.nextLines.first(t, "\n", nil, end)
	switch last {
	case end:
		return false
	case -1:
		last = t.Len()
	}
	tick, _ := q.nextTicks.first(t, "`", nil, end)
	mark, _ := q.nextMarks.first(t, `"`, nil, end)
	if (tick < 0 || tick > last) && (mark < 0 || mark > last) {
		return false
	}
	q.readTo(t, start)
	return q.open != noDelim && q.closes(t, end, last)
}

// readTo reads the line of offset to up to there.
func (q *quotes) readTo(t Text, to int) {
	if to < q.read {
		q.read, q.open = 0, noDelim
	}
	for {
		start, end := q.lines.first(t, "\n", nil, q.read)
		if start < 0 || end > to {
			break
		}
		q.read, q.open = end, noDelim
	}
	for {
		at, end, d := delimiter(t, &q.ticks, &q.marks, q.read)
		if at < 0 || end > to {
			return
		}
		q.read = end
		switch {
		case d == q.open:
			q.open = noDelim
		case q.open == noDelim && (d > 0 || mayOpen(t, at)):
			q.open = d
		}
	}
}

// closes reports whether what is open is closed between from and last. It looks
// at the next few marks only.
func (q *quotes) closes(t Text, from, last int) bool {
	for range 16 {
		at, end, d := delimiter(t, &q.nextTicks, &q.nextMarks, from)
		if at < 0 || at >= last {
			return false
		}
		if d == q.open {
			return true
		}
		from = end
	}
	return false
}

// delimiter is the first one at or after from; at is -1 for none.
func delimiter(t Text, ticks, marks *search, from int) (at, end int, d delim) {
	tick, end := ticks.first(t, "`", nil, from)
	mark, after := marks.first(t, `"`, nil, from)
	if tick >= 0 && (mark < 0 || tick < mark) {
		d = 1
		for next := t.Match("`", end); next >= 0; next = t.Match("`", end) {
			end = next
			d++
		}
		return tick, end, d
	}
	if mark >= 0 && t.MatchBefore(`\`, mark) >= 0 {
		return mark, after, escapedMark
	}
	return mark, after, quoteMark
}

// inFence reports whether the marker stands in a fenced block. The fences of a
// text must belong together two and two, and the next one may not begin another
// block: else somebody forgot one.
func (q *quotes) inFence(t Text, start, end int) bool {
	next, after := nextFence(t, &q.nextFences, end)
	if next < 0 || !blankLine(t, after) {
		return false
	}
	if start < q.fencesRead {
		q.fences, q.fencesRead = 0, 0
	}
	n, at := q.countFences(t, q.fencesRead, start)
	q.fences, q.fencesRead = q.fences+n, at
	if q.fences%2 == 0 {
		return false
	}
	if q.fencesOfAll == 0 {
		n, _ := q.countFences(t, end, t.Len())
		q.fencesOfAll = 1 + q.fences + n
	}
	return q.fencesOfAll%2 == 1
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
		if _, begins := indent(t, start); start < 0 || begins {
			return start, end
		}
		from = end
	}
}

// indent is the width of the blanks before offset at, a tab being four, and
// whether the line begins with them.
func indent(t Text, at int) (width int, begins bool) {
	for at > 0 {
		before := t.SpaceBefore(at)
		switch {
		case before == at:
			return width, false
		case newline(t, before) > before:
			return width, true
		case t.Match("\t", before) >= 0:
			width += 3
		}
		width++
		at = before
	}
	return width, true
}

// blankLine reports whether nothing but blanks follows on the line.
func blankLine(t Text, at int) bool {
	for next := matchAny(t, []string{" ", "\t", "`", "\r"}, at); next >= 0; next = matchAny(t, []string{" ", "\t", "`", "\r"}, at) {
		at = next
	}
	return at == t.Len() || newline(t, at) > at
}
