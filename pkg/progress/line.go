package progress

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Counts are a run's figures at one moment.
type Counts struct {
	Total   int64 // -1 unknown
	Before  int64 // of Done, by earlier runs: not in the rates
	Done    int64
	Retried int64
	Failed  int64
	Dead    int64
	Bad     int64
	Tokens  int64  // -1: not shown
	Note    string // shown at the end: "paused", "draining"
}

// over is how many prompts need nothing more.
func (c *Counts) over() int64 { return c.Done + c.Failed + c.Dead + c.Bad }

// Figures are what a line shows.
type Figures struct {
	Counts
	PerMinute       float64       // -1: not known yet
	TokensPerSecond float64       // shown with PerMinute, unless Tokens is -1
	ETA             time.Duration // -1 unknown
}

// Line is the text, without control bytes:
//
//	gen: 812/1319 done, 26.1 answers/min, 860 tok/s, 3 retried, 0 failed, ETA 19m
//
// Dead and bad are shown when there are any.
func Line(name, unit string, f Figures) string {
	parts := []string{fmt.Sprintf("%s: %d done", name, f.Done)}
	if f.Total >= 0 {
		parts[0] = fmt.Sprintf("%s: %d/%d done", name, f.Done, f.Total)
	}
	if f.PerMinute >= 0 {
		parts = append(parts, amount(f.PerMinute)+" "+unit+"/min")
		if f.Tokens >= 0 {
			parts = append(parts, amount(f.TokensPerSecond)+" tok/s")
		}
	}
	parts = append(parts, fmt.Sprintf("%d retried, %d failed", f.Retried, f.Failed))
	if f.Dead > 0 {
		parts = append(parts, fmt.Sprintf("%d dead", f.Dead))
	}
	if f.Bad > 0 {
		parts = append(parts, fmt.Sprintf("%d bad", f.Bad))
	}
	if f.ETA >= 0 {
		parts = append(parts, "ETA "+duration(f.ETA))
	}
	if f.Note != "" {
		parts = append(parts, f.Note)
	}
	return printable(strings.Join(parts, ", "))
}

// amount is a number of about three digits: 0.42, 26.1, 860, 12400.
func amount(x float64) string {
	switch {
	case x == 0:
		return "0"
	case x < 1:
		return fmt.Sprintf("%.2f", x)
	case x < 99.95:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// duration is d in its two largest units: 40s, 19m, 3h20m, 2d4h.
func duration(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()+0.5))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()+0.5))
	case d < 48*time.Hour:
		d = d.Round(time.Minute)
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	}
	d = d.Round(time.Hour)
	return fmt.Sprintf("%dd%dh", int(d.Hours())/24, int(d.Hours())%24)
}

// printable drops control bytes, line ends and what is not UTF-8.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, s)
}

// fit cuts a line to a terminal's width, where a longer one could not be redrawn.
func fit(s string, width int) string {
	if utf8.RuneCountInString(s) < width {
		return s
	}
	return string([]rune(s)[:max(0, width-2)]) + "…"
}
