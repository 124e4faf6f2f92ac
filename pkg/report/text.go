package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// AppendText appends the report for people: the rules that found something,
// worst first, the findings in their order, and the verdict. Control bytes of
// the data are dropped.
func (r *Report) AppendText(dst []byte) []byte {
	dst = r.AppendTable(dst)
	for i := range r.Findings {
		dst = r.Findings[i].appendText(dst)
	}
	if more := r.Unshown(); more > 0 {
		dst = fmt.Appendf(dst, "… and %s\n", plural(more, "more finding"))
	}
	return append(append(dst, r.Verdict()...), '\n')
}

// AppendTable appends the rules that found something, nothing when none did.
func (r *Report) AppendTable(dst []byte) []byte {
	if found := r.worstFirst(); len(found) > 0 {
		return appendTable(dst, found)
	}
	return dst
}

// Unshown is how many findings were counted and are not among the examples.
func (r *Report) Unshown() int64 {
	n := -int64(len(r.Findings))
	for i := range r.Rules {
		n += r.Rules[i].Count
	}
	return n
}

// Verdict is the last line: "gate: fail: " and why, in plain words.
func (r *Report) Verdict() string {
	line := "gate: " + r.Gate
	if len(r.Why) > 0 {
		line += ": " + strings.Join(r.Why, "; ")
	}
	return clean(fmt.Sprintf("%s (%s, %d passed, %d failed)", line, plural(r.Records, "record"), r.Passed, r.Failed))
}

// worstFirst are the rules that found something: what fails before what warns,
// then by count.
func (r *Report) worstFirst() []Rule {
	found := slices.DeleteFunc(slices.Clone(r.Rules), func(r Rule) bool { return r.Count == 0 })
	slices.SortStableFunc(found, func(a, b Rule) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(b.Count, a.Count))
	})
	return found
}

func appendTable(dst []byte, rules []Rule) []byte {
	rows := [][]string{{"rule", "level", "count", "rate", "limit"}}
	for i := range rules {
		r := &rules[i]
		rows = append(rows, []string{r.Name, r.Level, strconv.FormatInt(r.Count, 10), percent(r.Rate), r.limit()})
	}
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		line := fmt.Sprintf("%-*s  %-*s  %*s  %*s  %*s", width[0], row[0], width[1], row[1],
			width[2], row[2], width[3], row[3], width[4], row[4])
		dst = append(append(dst, strings.TrimRight(line, " ")...), '\n')
	}
	return dst
}

func (r *Rule) limit() string {
	switch {
	case r.NoLimit:
		return ""
	case r.Limit > 0 && r.Limit < 1:
		return percent(r.Limit)
	}
	return strconv.FormatFloat(r.Limit, 'f', -1, 64)
}

// percent shows small shares with the digits that tell them from 0.
func percent(share float64) string {
	s := strconv.FormatFloat(share*100, 'f', 1, 64)
	if s == "0.0" && share > 0 {
		s = strconv.FormatFloat(share*100, 'g', 2, 64)
	}
	return strings.TrimSuffix(s, ".0") + "%"
}

// appendText appends `file:line: id "x": rule: detail`.
func (f *Finding) appendText(dst []byte) []byte {
	var b strings.Builder
	if f.File != "" {
		fmt.Fprintf(&b, "%s:%d: ", f.File, f.Line)
	}
	if f.ID != "" {
		fmt.Fprintf(&b, "id %q: ", cut(f.ID, shown))
	}
	if f.Level == "warn" {
		b.WriteString("warning: ")
	}
	return append(append(dst, clean(b.String()+f.String())...), '\n')
}

// String is what was found, without its place and level: `sample 1: rule: detail`.
func (f *Finding) String() string {
	var b strings.Builder
	if f.Sample != 0 || f.Choice != 0 {
		fmt.Fprintf(&b, "sample %d", f.Sample)
		if f.Choice != 0 {
			fmt.Fprintf(&b, " choice %d", f.Choice)
		}
		b.WriteString(": ")
	}
	b.WriteString(f.Rule)
	if f.Detail != "" {
		b.WriteString(": " + cut(f.Detail, 4*shown))
	}
	return b.String()
}

const shown = 80 // bytes of an id

// cut ends a long text between characters.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// clean drops what a terminal would obey.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case r == ' ' || unicode.IsGraphic(r):
			return r
		}
		return -1
	}, s)
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.FormatInt(n, 10) + " " + what + "s"
}
