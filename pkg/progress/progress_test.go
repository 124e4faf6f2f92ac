package progress

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var epoch = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// unknown are figures of which nothing but the counts is known.
func unknown(c Counts) Figures {
	return Figures{Counts: c, PerMinute: -1, Without: -1, Oldest: -1, Lag: -1, ETA: -1, Took: -1}
}

func TestLine(t *testing.T) {
	f := func(f Figures, want string) {
		t.Helper()
		if got := Line("gen", "answers", f); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	f(unknown(Counts{Total: 9, Tokens: 0}), "gen: 0/9 done, 0 retried, 0 failed")
	five := unknown(Counts{Total: -1, Done: 5, Tokens: -1})
	five.PerMinute = 0.42
	f(five, "gen: 5 done, 0.42 answers/min, 0 retried, 0 failed")
	many := unknown(Counts{Total: 9, Done: 1, Failed: 2, Dead: 3, Bad: 4, Tokens: 0, Note: "draining"})
	many.PerMinute, many.Without, many.ETA = 12400, 1, 0
	f(many, "gen: 1/9 done, 12400 answers/min, 0 tok/s, 100% without thinking, 0 retried, 2 failed, 3 dead, 4 bad, ETA 0s, draining")
	f(unknown(Counts{Tokens: -1, Note: "a\x1b[31mb\r\nc\u009b\xffd\u2028"}), "gen: 0/0 done, 0 retried, 0 failed, a[31mbcd")
}

func TestDuration(t *testing.T) {
	f := func(d time.Duration, want string) {
		t.Helper()
		if got := Duration(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
	f(0, "0s")
	f(400*time.Microsecond, "0ms")
	f(2*time.Millisecond, "2ms")
	f(960*time.Millisecond, "960ms")
	f(999600*time.Microsecond, "1s")
	f(39600*time.Millisecond, "40s")
	f(59600*time.Millisecond, "1m")
	f(19*time.Minute+10*time.Second, "19m")
	f(59*time.Minute+40*time.Second, "1h00m")
	f(3*time.Hour+20*time.Minute, "3h20m")
	f(time.Hour+59*time.Minute+50*time.Second, "2h00m")
	f(52*time.Hour, "2d4h")
}

// A share that is not none or all never looks like it.
func TestPercent(t *testing.T) {
	f := func(share float64, want string) {
		t.Helper()
		if got := Percent(share); got != want {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
	f(0, "0%")
	f(1e-9, "<0.01%")
	f(0.0002, "0.02%")
	f(0.004, "0.4%")
	f(0.031, "3.1%")
	f(0.0999, "10%")
	f(0.614, "61%")
	f(0.9949, "99.49%")
	f(0.99999, ">99.99%")
	f(1, "100%")
}

func TestPlainLinesEverySoOften(t *testing.T) {
	var out strings.Builder
	var rates Rates
	m := New(Config{Name: "gen", Unit: "answers", Out: &out, Every: 10 * time.Second}, epoch)
	counts := func(s int) Counts {
		return Counts{Total: 100, Before: 40, Done: 40 + int64(s), Tokens: int64(100 * s)}
	}
	for s := range 21 {
		c, now := counts(s), epoch.Add(time.Duration(s)*time.Second)
		rates.Add(&c, now)
		m.Update(rates.Figures(c, now), now)
	}
	m.Finish(rates.Final(counts(21), epoch.Add(21*time.Second)))
	want := "gen: 50/100 done, 60.0 answers/min, 100 tok/s, 0 retried, 0 failed, ETA 50s\n" +
		"gen: 60/100 done, 60.0 answers/min, 100 tok/s, 0 retried, 0 failed, ETA 40s\n" +
		"gen: 61/100 done in 21s, 60.0 answers/min, 100 tok/s, 0 retried, 0 failed\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// What an archive had before is met while prompts are read, and is no work done.
func TestRatesPassOverWhatWasDoneBefore(t *testing.T) {
	var r Rates
	for s := range 11 {
		c := Counts{Total: 1000, Before: int64(50 * s), Done: int64(51 * s), Tokens: -1}
		r.Add(&c, epoch.Add(time.Duration(s)*time.Second))
	}
	f := r.Figures(Counts{Total: 1000, Before: 500, Done: 510, Tokens: -1}, epoch.Add(10*time.Second))
	if f.PerMinute != 60 || f.ETA != 490*time.Second {
		t.Errorf("%.1f a minute, ETA %v; want 60, 8m10s", f.PerMinute, f.ETA)
	}
}

func TestRatesAreOfTheLastMinute(t *testing.T) {
	var r Rates
	done := int64(0)
	for s := range 600 {
		if s >= 300 { // nothing for five minutes, then two a second
			done += 2
		}
		r.Add(&Counts{Done: done, Total: 2000}, epoch.Add(time.Duration(s)*time.Second))
	}
	c, now := Counts{Done: done, Total: 2000}, epoch.Add(599*time.Second)
	if f := r.Figures(c, now); f.PerMinute != 120 || f.ETA != 700*time.Second {
		t.Errorf("%.1f a minute, ETA %v; want 120, 11m40s", f.PerMinute, f.ETA)
	}
	if f := r.Final(c, now); Amount(f.PerMinute) != "60.1" || f.Took != 599*time.Second || f.ETA != -1 {
		t.Errorf("in all %.1f a minute, took %v, ETA %v", f.PerMinute, f.Took, f.ETA)
	}
	if len(r.samples) > 62 {
		t.Errorf("keeps %d samples", len(r.samples))
	}
}

func TestTerminal(t *testing.T) {
	var out strings.Builder
	m := New(Config{Name: "gen", Unit: "answers", Out: &out, Terminal: true, Style: Style{Color: true}, Width: func() int { return 30 }}, epoch)
	m.Write([]byte("before\n"))
	m.Update(unknown(Counts{Done: 1, Total: 9}), epoch.Add(everyTerminal))
	m.Update(unknown(Counts{Done: 2, Total: 9}), epoch.Add(everyTerminal+1)) // too early
	m.Update(unknown(Counts{Done: 1, Total: 9}), epoch.Add(2*everyTerminal)) // nothing new
	m.Write([]byte("message\n"))
	m.Finish(unknown(Counts{Done: 3, Total: 9, Failed: 1}))
	one := "gen  11% \x1b[32m━\x1b[0m\x1b[2m──────────────\x1b[0m  1/9"
	want := "before\n" +
		"\r" + one + "\x1b[K" +
		"\r\x1b[Kmessage\n" + one +
		"\rgen  3/9  \x1b[31m1 failed\x1b[0m\x1b[K\n"
	got := out.String()
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

var styling = regexp.MustCompile("\x1b\\[[0-9]*m")

// A bar fits any terminal, says the count wherever it has room, and has neither
// color nor foreign characters where it must not.
func TestBarFits(t *testing.T) {
	f := Figures{
		Counts:    Counts{Total: 88088, Done: 2900, Failed: 4, Dead: 1, Retried: 12, Tokens: 9, Note: "draining"},
		PerMinute: 26.1, TokensPerSecond: 860, Without: 0.98, Oldest: time.Hour, Lag: time.Second, ETA: 50 * time.Hour, Took: -1,
	}
	for width := range 200 {
		text := styling.ReplaceAllString(Bar("gen", f, width, Style{Color: true}), "")
		if n := utf8.RuneCountInString(text); n >= max(1, width) {
			t.Errorf("%d columns of %d: %s", n, width, text)
		}
		if width > 16 && !strings.Contains(text, "2900/88088") {
			t.Errorf("%d columns: %s", width, text)
		}
		if ascii := Bar("gen", f, width, Style{ASCII: true}); strings.ContainsFunc(ascii, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("%d columns: %q", width, ascii)
		}
	}
}

// A bar calls what is not well by the words of the account.
func TestBarWords(t *testing.T) {
	f := Figures{Counts: Counts{Total: 9, Failed: 2, Dead: 3, Bad: 4, Tokens: -1}, PerMinute: -1, Without: -1, Oldest: -1, Lag: -1, ETA: -1, Took: -1}
	if text := Bar("gen", f, 120, Style{ASCII: true}); !strings.HasSuffix(text, "0/9  2 failed  3 dead  4 bad") {
		t.Error(text)
	}
}

func TestDue(t *testing.T) {
	m := New(Config{Out: &strings.Builder{}}, epoch)
	if d := m.Due(epoch.Add(time.Second)); d != everyElse-time.Second {
		t.Errorf("due in %v", d)
	}
	if d := m.Due(epoch.Add(time.Hour)); d != 0 {
		t.Errorf("due in %v", d)
	}
}
