package reasoning

import "slices"

// quoting says whether a marker is written about, not meant.
type quoting uint8

const (
	unquoted quoting = iota
	loosely          // there are signs of it
	surely
)

// Quotes tells which markers of one text are written about, not meant. The zero
// value is ready.
type Quotes struct{ quotes quotes }

// Quoted reports whether what stands from start to end of t is quoted: right
// between two marks that belong together, in a code span, a string in JSON, a
// fenced block or a quotation by lines. sure is false where that is only likely:
// a mark may be missing, or all that speaks for it is that punctuation follows.
// Offsets that rise cost the least.
func (q *Quotes) Quoted(t Text, start, end int) (quoted, sure bool) {
	how := q.quotes.of(t, start, end)
	return how > unquoted, how == surely
}

// quotes tells which markers are quoted. Such a marker stands right between two
// marks that belong together; or, with more of its line before and after it, in a
// code span or a string; in a fenced block or a quotation by lines; or punctuation
// follows with which nothing begins. Asked for offsets that rise, all its work is
// linear in the text.
type quotes struct {
	read   int   // up to here the line was read
	open   delim // what is open there
	opened int   // where its mark ends
	json   bool  // it stands where a string of JSON or of a call does

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

// pairs are marks right around what they quote, but for those of delim.
var pairs = [...]Pair{
	{"'", "'"}, {`\"`, `\"`}, {"(", ")"}, {"“", "”"}, {"‘", "’"}, {"«", "»"}, {"„", "“"}, {"「", "」"}, {"『", "』"}, {"（", "）"},
}

// of says of the marker from start to end whether it is quoted.
func (q *quotes) of(t Text, start, end int) quoting {
	if enclosed(t, start, end) || byLines(t, start) {
		return surely
	}
	how := max(q.inLine(t, start, end), q.inFence(t, start, end))
	if how == unquoted && punctuated(t, end) {
		return loosely
	}
	return how
}

func enclosed(t Text, start, end int) bool {
	if t.SkipSpace(end) > end {
		return false
	}
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
	return t.MatchBefore(`"`, to) >= 0 || slices.ContainsFunc(pairs[:], func(p Pair) bool { return opens(t, p, to) })
}

// byLines reports whether a line begins with > and then what stands at offset at.
func byLines(t Text, at int) bool {
	for found := false; ; found = true {
		width, begins := indent(t, at)
		if begins {
			return found
		}
		if at = t.MatchBefore(">", at-width); at < 0 {
			return false
		}
	}
}

// punctuation follows a marker in a sentence; nothing begins with it.
var punctuation = [...]string{",", ";", ":", ")", ". ", ".\n", ".<", ".\"", "，", "。", "；", "：", "、", "）"}

// punctuated reports whether a sentence goes on after offset end, or a table does.
func punctuated(t Text, end int) bool {
	if t.SkipSpace(end) > end {
		return t.Match(" |", end) >= 0
	}
	return matchAny(t, punctuation[:], end) >= 0 || t.Match(".", end) == t.Len()
}

// before are what a quotation may follow without white space: after a letter or
// a digit a mark is an apostrophe, an inch, or closes.
var before = [...]string{
	"(", "[", "{", ":", ",", "=", ">", "<", "/", "-", "*", "_", "|", "+", `"`, "'", "`", `\`, "“", "‘", "（", "：", "，", "。", "—",
}

// mayOpen reports whether a quotation may begin at offset at. A letter before it
// may say of which kind a string is, as in Python.
func mayOpen(t Text, at int) bool {
	if at == 0 || t.SpaceBefore(at) < at || endsInAny(t, before[:], at) {
		return true
	}
	for _, kind := range [...]string{"r", "f", "b", "u"} {
		if of := t.MatchBefore(kind, at); of == 0 || of > 0 && (t.SpaceBefore(of) < of || endsInAny(t, before[:], of)) {
			return true
		}
	}
	return false
}

// endsInAny reports whether one of words ends at offset to.
func endsInAny(t Text, words []string, to int) bool {
	for _, w := range words {
		if t.MatchBefore(w, to) >= 0 {
			return true
		}
	}
	return false
}

// inLine says whether the marker stands in a code span or a string of its line. A
// string of prose may have a mark too many: it says less.
func (q *quotes) inLine(t Text, start, end int) quoting {
	last, _ := q.nextLines.first(t, "\n", nil, end)
	switch last {
	case end:
		return unquoted
	case -1:
		last = t.Len()
	}
	tick, _ := q.nextTicks.first(t, "`", nil, end)
	mark, _ := q.nextMarks.first(t, `"`, nil, end)
	if (tick < 0 || tick > last) && (mark < 0 || mark > last) {
		return unquoted
	}
	q.readTo(t, start)
	closes := -1
	if q.open != noDelim {
		closes = q.closes(t, end, last)
	}
	switch {
	case closes < 0:
		return unquoted
	case q.open == quoteMark && !q.json && (q.opened < start || closes > end):
		return loosely
	}
	return surely
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
			q.open, q.opened, q.json = d, end, inJSON(t, at)
		}
	}
}

// inJSON reports whether what begins at offset at stands where a string in JSON or
// an argument of a call does.
func inJSON(t Text, at int) bool {
	for to := t.SpaceBefore(at); to < at; to = t.SpaceBefore(at) {
		at = to
	}
	return endsInAny(t, []string{"{", "[", "(", `":`, `",`, "=", "(r", "(f", "(b"}, at)
}

// closes is where what is open is closed between from and last, -1 for nowhere. It
// looks at the next few marks only.
func (q *quotes) closes(t Text, from, last int) int {
	for range 16 {
		at, end, d := delimiter(t, &q.nextTicks, &q.nextMarks, from)
		if at < 0 || at >= last {
			break
		}
		if d == q.open {
			return at
		}
		from = end
	}
	return -1
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
