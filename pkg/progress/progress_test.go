package progress

import (
	"strings"
	"testing"
	"time"
)

var epoch = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func TestLine(t *testing.T) {
	f := func(f Figures, want string) {
		t.Helper()
		if got := Line("gen", "answers", f); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	f(Figures{Counts: Counts{Total: 1319, Done: 812, Retried: 3, Tokens: 1}, PerMinute: 26.1, TokensPerSecond: 860, ETA: 19 * time.Minute},
		"gen: 812/1319 done, 26.1 answers/min, 860 tok/s, 3 retried, 0 failed, ETA 19m")
	f(Figures{Counts: Counts{Total: -1, Done: 5, Tokens: -1}, PerMinute: 0.42, ETA: -1},
		"gen: 5 done, 0.42 answers/min, 0 retried, 0 failed")
	f(Figures{Counts: Counts{Total: 9, Tokens: 0}, PerMinute: -1, ETA: -1}, "gen: 0/9 done, 0 retried, 0 failed")
	f(Figures{Counts: Counts{Total: 9, Done: 1, Failed: 2, Dead: 3, Bad: 4, Tokens: 0, Note: "draining"}, PerMinute: 12400, ETA: 0},
		"gen: 1/9 done, 12400 answers/min, 0 tok/s, 0 retried, 2 failed, 3 dead, 4 bad, ETA 0s, draining")
	f(Figures{Counts: Counts{Tokens: -1, Note: "a\x1b[31mb\r\nc\u009b\xffd\u2028"}, PerMinute: -1, ETA: -1},
		"gen: 0/0 done, 0 retried, 0 failed, a[31mbcd")
}

func TestDuration(t *testing.T) {
	f := func(d time.Duration, want string) {
		t.Helper()
		if got := duration(d); got != want {
			t.Errorf("%v: %s, want %s", d, got, want)
		}
	}
	f(0, "0s")
	f(39600*time.Millisecond, "40s")
	f(19*time.Minute+10*time.Second, "19m")
	f(3*time.Hour+20*time.Minute, "3h20m")
	f(time.Hour+59*time.Minute+50*time.Second, "2h00m")
	f(52*time.Hour, "2d4h")
}

func TestPlainLinesEverySoOften(t *testing.T) {
	var out strings.Builder
	m := New(Config{Name: "gen", Unit: "answers", Out: &out, Every: 10 * time.Second}, Counts{Total: 100, Before: 40, Done: 40}, epoch)
	for s := range 21 {
		m.Update(Counts{Total: 100, Before: 40, Done: 40 + int64(s), Tokens: int64(100 * s)}, epoch.Add(time.Duration(s)*time.Second))
	}
	m.Finish(Counts{Total: 100, Before: 40, Done: 61, Tokens: 2100}, epoch.Add(21*time.Second))
	want := "gen: 50/100 done, 60.0 answers/min, 100 tok/s, 0 retried, 0 failed, ETA 50s\n" +
		"gen: 60/100 done, 60.0 answers/min, 100 tok/s, 0 retried, 0 failed, ETA 40s\n" +
		"gen: 61/100 done, 60.0 answers/min, 100 tok/s, 0 retried, 0 failed, ETA 39s\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestRatesAreOfTheLastMinute(t *testing.T) {
	var r rates
	done := int64(0)
	for s := range 600 {
		if s >= 300 { // nothing for five minutes, then two a second
			done += 2
		}
		r.add(&Counts{Done: done, Total: 2000}, epoch.Add(time.Duration(s)*time.Second))
	}
	f := r.figures(Counts{Done: done, Total: 2000}, epoch.Add(599*time.Second))
	if f.PerMinute != 120 || f.ETA != 700*time.Second {
		t.Errorf("%.1f a minute, ETA %v; want 120, 11m40s", f.PerMinute, f.ETA)
	}
	if len(r.samples) > 62 {
		t.Errorf("keeps %d samples", len(r.samples))
	}
}

func TestTerminal(t *testing.T) {
	var out strings.Builder
	m := New(Config{Name: "gen", Unit: "answers", Out: &out, Terminal: true, Color: true, Width: 30}, Counts{}, epoch)
	m.Write([]byte("before\n"))
	m.Update(Counts{Done: 1, Total: 9}, epoch.Add(everyTerminal))
	m.Update(Counts{Done: 2, Total: 9}, epoch.Add(everyTerminal+1)) // too early
	m.Write([]byte("message\n"))
	m.Finish(Counts{Done: 3, Total: 9, Failed: 1}, epoch.Add(2*everyTerminal))
	want := "before\n" +
		"\r\x1b[Kgen: 1/9 done, 0 retried, 0 …" +
		"\r\x1b[Kmessage\n" +
		"\r\x1b[Kgen: 1/9 done, 0 retried, 0 …" +
		"\r\x1b[K\x1b[31mgen: 3/9 done, 0 retried, 1 …\x1b[0m\n"
	if out.String() != want {
		t.Errorf("got  %q\nwant %q", out.String(), want)
	}
}

func TestDue(t *testing.T) {
	m := New(Config{Out: &strings.Builder{}}, Counts{}, epoch)
	if d := m.Due(epoch.Add(time.Second)); d != everyElse-time.Second {
		t.Errorf("due in %v", d)
	}
	if d := m.Due(epoch.Add(time.Hour)); d != 0 {
		t.Errorf("due in %v", d)
	}
}
