package progress

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Line is the text off a terminal, without control bytes:
//
//	gen: 812/1319 done, 26.1 answers/min, 860 tok/s, 0.4% without thinking, 3 retried, 0 failed, oldest 4m, lag 2ms, ETA 19m
//
// What is not known is left out; dead and bad are shown when there are any.
func Line(name, unit string, f Figures) string {
	parts := []string{name + ": " + count(&f) + " done"}
	if f.Took >= 0 {
		parts[0] += " in " + Duration(f.Took)
	}
	show := func(known bool, format string, args ...any) {
		if known {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	show(f.PerMinute >= 0, "%s %s/min", Amount(f.PerMinute), unit)
	show(f.PerMinute >= 0 && f.Tokens >= 0, "%s tok/s", Amount(f.TokensPerSecond))
	show(f.Without >= 0, "%s without thinking", Percent(f.Without))
	show(true, "%d retried, %d failed", f.Retried, f.Failed)
	show(f.Dead > 0, "%d dead", f.Dead)
	show(f.Bad > 0, "%d bad", f.Bad)
	show(f.Oldest >= 0, "oldest %s", Duration(f.Oldest))
	show(f.Lag >= 0, "lag %s", Duration(f.Lag))
	show(f.ETA >= 0, "ETA %s", Duration(f.ETA))
	show(f.Note != "", "%s", f.Note)
	return printable(strings.Join(parts, ", "))
}

// count is "812/1319", or "812" where nobody knows how many there are.
func count(f *Figures) string {
	if f.Total < 0 {
		return fmt.Sprint(f.Done)
	}
	return fmt.Sprintf("%d/%d", f.Done, f.Total)
}

// Amount is a number of about three digits: 0.42, 26.1, 860, 12400.
func Amount(x float64) string {
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

// Percent is a share in percent, with the digits that tell a small one from none
// and a large one from all: 0%, 0.02%, 3.1%, 61%, 99.98%, 100%.
func Percent(share float64) string {
	p := 100 * share
	switch {
	case p <= 0:
		return "0%"
	case p >= 100:
		return "100%"
	case p < 0.01:
		return "<0.01%"
	case p > 99.99:
		return ">99.99%"
	case p < 1 || p > 99:
		return trimZeros(fmt.Sprintf("%.2f", p)) + "%"
	case p < 9.95:
		return trimZeros(fmt.Sprintf("%.1f", p)) + "%"
	}
	return fmt.Sprintf("%.0f%%", p)
}

func trimZeros(s string) string { return strings.TrimRight(strings.TrimRight(s, "0"), ".") }

// Duration is d in its two largest units: 3ms, 40s, 19m, 3h20m, 2d4h.
func Duration(d time.Duration) string {
	switch {
	case d < 999500*time.Microsecond && d > 0:
		return fmt.Sprintf("%dms", (d+time.Millisecond/2)/time.Millisecond)
	case d < 59500*time.Millisecond:
		return fmt.Sprintf("%ds", int(d.Seconds()+0.5))
	case d < 59*time.Minute+30*time.Second:
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
