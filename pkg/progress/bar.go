package progress

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Style is what a terminal can show.
type Style struct {
	Color bool // the caller obeys NO_COLOR
	ASCII bool // no other characters
}

// part is a piece of a bar's line. Where a terminal is narrow, those of the
// highest rank are left out first.
type part struct {
	text  string
	rank  int
	color string
}

// Columns of the bar itself.
const (
	barLeast = 8
	barMost  = 32
	barRank  = 5
)

// Bar is the line of a terminal of that width, which it does not fill, in case
// the last column wraps:
//
//	gen  61% ━━━━━━━━━━━───────  812/1319  26.1/min  860 tok/s  0.4% no thinking  ETA 19m
//
// What is left out on a narrow one is what matters least.
func Bar(name string, f Figures, width int, style Style) string {
	name = printable(name)
	parts := barParts(&f)
	hasBar := f.Total > 0
	for {
		used := utf8.RuneCountInString(name)
		for _, p := range parts {
			used += 2 + utf8.RuneCountInString(p.text)
		}
		room := width - 1 - used - len("  99% ")
		if hasBar && room >= barLeast {
			return name + progressBar(&f, min(room, barMost), style) + join(parts, style)
		}
		if used < width && (!hasBar || leastNeeded(parts) < barRank) {
			return name + join(parts, style)
		}
		if len(parts) == 0 {
			return string([]rune(name)[:min(max(0, width-1), utf8.RuneCountInString(name))])
		}
		parts = withoutLeast(parts)
	}
}

// barParts are the figures in the order in which they are shown.
func barParts(f *Figures) (parts []part) {
	show := func(known bool, rank int, color, format string, args ...any) {
		if known {
			parts = append(parts, part{printable(fmt.Sprintf(format, args...)), rank, color})
		}
	}
	if f.Total >= 0 {
		show(true, 0, "", "%s", count(f))
	} else {
		show(true, 0, "", "%d done", f.Done)
	}
	show(f.Failed > 0, 1, red, "%d failed", f.Failed)
	show(f.Dead > 0, 1, red, "%d dead", f.Dead)
	show(f.Bad > 0, 1, red, "%d bad", f.Bad)
	show(f.PerMinute >= 0, 3, "", "%s/min", Amount(f.PerMinute))
	show(f.PerMinute >= 0 && f.Tokens >= 0, 6, "", "%s tok/s", Amount(f.TokensPerSecond))
	show(f.Without >= 0, 4, warn(f.Without), "%s no thinking", Percent(f.Without))
	show(f.Retried > 0, 9, "", "%d retried", f.Retried)
	show(f.Oldest >= 0, 7, "", "oldest %s", Duration(f.Oldest))
	show(f.Lag >= 0, 8, "", "lag %s", Duration(f.Lag))
	show(f.Took >= 0, 2, "", "took %s", Duration(f.Took))
	show(f.ETA >= 0, 2, "", "ETA %s", Duration(f.ETA))
	show(f.Note != "", 1, yellow, "%s", f.Note)
	return parts
}

// warn is the color of a share of answers without thinking: some models answer
// the easiest prompts without, more than one in twenty is worth a look.
func warn(share float64) string {
	if share > 0.05 {
		return yellow
	}
	return ""
}

func leastNeeded(parts []part) (rank int) {
	for _, p := range parts {
		rank = max(rank, p.rank)
	}
	return rank
}

func withoutLeast(parts []part) []part {
	rank := leastNeeded(parts)
	return slices.DeleteFunc(parts, func(p part) bool { return p.rank == rank })
}

func join(parts []part, style Style) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString("  " + paint(p.text, p.color, style))
	}
	return b.String()
}

// progressBar is " 61% ━━━───": done, failed, and what is left.
func progressBar(f *Figures, width int, style Style) string {
	share := min(1, float64(f.Over())/float64(f.Total))
	full, empty := "━", "─"
	if style.ASCII {
		full, empty = "=", "-"
	}
	over := int(share * float64(width))
	failed := int(float64(f.Over()-f.Done) / float64(f.Total) * float64(width))
	return fmt.Sprintf(" %3d%% ", int(100*share)) +
		paint(strings.Repeat(full, max(0, over-failed)), green, style) +
		paint(strings.Repeat(full, min(over, failed)), red, style) +
		paint(strings.Repeat(empty, width-over), dim, style)
}

// Of ECMA-48, Select Graphic Rendition.
const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	dim    = "\x1b[2m"
	plain  = "\x1b[0m"
)

func paint(text, color string, style Style) string {
	if color == "" || text == "" || !style.Color {
		return text
	}
	return color + text + plain
}
