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

// AppendTable appends the rules that found something, and the groups; nothing
// when there are none.
func (r *Report) AppendTable(dst []byte) []byte {
	if found := r.worstFirst(); len(found) > 0 {
		dst = appendRules(dst, found)
	}
	if len(r.Groups) > 0 {
		if len(dst) > 0 {
			dst = append(dst, '\n')
		}
		dst = r.appendGroups(dst)
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

func appendRules(dst []byte, rules []Rule) []byte {
	rows := [][]string{{"rule", "level", "count", "rate", "limit"}}
	for i := range rules {
		r := &rules[i]
		rows = append(rows, []string{r.Name, r.Level, strconv.FormatInt(r.Count, 10), percent(r.Rate), r.limit()})
	}
	return appendTable(dst, rows, []int{2, 3, 4})
}

// What a table of groups shows in a terminal of 80 columns.
const (
	mostGroups = 20
	nameWidth  = 27 // characters
)

// appendGroups appends the groups, each with the rule that hit most of it.
func (r *Report) appendGroups(dst []byte) []byte {
	rows := [][]string{{clean(ends(cmp.Or(r.By, "group"), nameWidth)), "records", "passed", "failed", "most"}}
	for i := range r.Groups[:min(mostGroups, len(r.Groups))] {
		g := &r.Groups[i]
		rows = append(rows, []string{clean(ends(g.Name, nameWidth)), strconv.FormatInt(g.Records, 10), strconv.FormatInt(g.Passed, 10), strconv.FormatInt(g.Failed, 10), g.most()})
	}
	dst = appendTable(dst, rows, []int{1, 2, 3})
	if more := len(r.Groups) - mostGroups; more > 0 {
		dst = fmt.Appendf(dst, "… and %s\n", plural(int64(more), "more group"))
	}
	return dst
}

// most is the rule with the most findings, what fails before what warns.
func (g *Group) most() string {
	found := (&Report{Rules: g.Rules}).worstFirst()
	if len(found) == 0 {
		return ""
	}
	return found[0].Name + " " + percent(found[0].Rate)
}

// appendTable appends rows in columns; those of right are numbers.
func appendTable(dst []byte, rows [][]string, right []int) []byte {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			if !slices.Contains(right, i) {
				fmt.Fprintf(&line, "%-*s  ", width[i], cell)
				continue
			}
			fmt.Fprintf(&line, "%*s  ", width[i], cell)
		}
		dst = append(append(dst, strings.TrimRight(line.String(), " ")...), '\n')
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

// percent shows small shares with the digits that tell them from 0, and only all
// as 100%.
func percent(share float64) string {
	s := strconv.FormatFloat(share*100, 'f', 1, 64)
	switch {
	case s == "0.0" && share > 0:
		s = strconv.FormatFloat(share*100, 'g', 2, 64)
	case s == "100.0" && share < 1:
		s = ">99.9"
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

// ends keeps the beginning and the end of a long name: names of models and paths
// begin alike.
func ends(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	tail := most / 2
	return string(r[:most-tail-1]) + "…" + string(r[len(r)-tail:])
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
