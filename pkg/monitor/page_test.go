package monitor

import (
	"strings"
	"testing"
)

// What people and servers write is text on the page, whatever it is.
func TestPageEscapes(t *testing.T) {
	const hostile = `</script><img src=x onerror="alert(1)">'"&|` + "\u2028"
	b := NewBook(About{Run: hostile, Host: hostile, Archive: hostile}, []string{hostile}, "dataset", epoch)
	b.Model(hostile)
	b.Wanted(0, hostile, 1)
	b.Sent(hostile, 0, hostile, hostile, epoch)
	b.Kept(&Attempt{ID: hostile, Server: hostile, Group: hostile, Code: hostile, Message: hostile, At: epoch})
	b.Kept(&Attempt{ID: hostile, Server: hostile, Group: hostile, Status: hostile, Rules: []string{hostile}, Thinking: hostile, Content: hostile, Finish: hostile, At: epoch})
	for _, state := range []State{Running, Draining, Stopped} {
		page := string(newSite().appendPage(nil, b.Figures(Live{Slots: []int{1}, State: state, Why: hostile, Exit: 3}, at(1))))
		if strings.Contains(page, "<img") || strings.Contains(page, `onerror="`) || strings.Count(page, "<script") != 1 || strings.Contains(page, "ZgotmplZ") {
			t.Errorf("%s", page)
		}
	}
}

// What turns the direction of writing turns nothing but itself.
func TestPageIsolatesDirections(t *testing.T) {
	const turned = "\u202eid"
	b := NewBook(About{}, []string{"all"}, "dataset", epoch)
	b.Kept(&Attempt{ID: turned + "1", Server: "a", Group: turned + "2", Thinking: "hm", Finish: turned + "3", At: epoch})
	b.Kept(&Attempt{ID: turned + "4", Server: turned + "5", Code: "http.5xx", At: epoch})
	page := string(newSite().appendPage(nil, b.Figures(Live{Slots: []int{1}, State: Running}, at(1))))
	for _, n := range []string{"1", "2", "3", "4", "5"} {
		if !strings.Contains(page, "<bdi>"+turned+n+"</bdi>") {
			t.Errorf("%s stands among others' text", n)
		}
	}
}

func TestPath(t *testing.T) {
	f := func(values []float64, area bool, want string) {
		t.Helper()
		if got := path(values, 10, area); got != want {
			t.Errorf("%v: %s, want %s", values, got, want)
		}
	}
	f(nil, false, "")
	f([]float64{5}, false, "M0 50.0")
	f([]float64{0, 10, 20}, false, "M0 100.0L500 0.0L1000 0.0")
	f([]float64{0, -1, 5}, false, "M0 100.0M1000 50.0")
	f([]float64{-1, 5, 10}, true, "M500 50.0L1000 0.0V100H500Z")
}

func TestRoundUp(t *testing.T) {
	f := func(x, want float64) {
		t.Helper()
		if got := roundUp(x); got < want*0.999 || got > want*1.001 {
			t.Errorf("%g: %g, want %g", x, got, want)
		}
	}
	f(0, 1)
	f(0.05, 0.05)
	f(0.051, 0.075)
	f(26.1, 30)
	f(100, 100)
	f(101, 150)
	f(9.9, 10)
}

func TestThousands(t *testing.T) {
	f := func(n int64, want string) {
		t.Helper()
		if got := thousands(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	f(0, "0")
	f(999, "999")
	f(1234, "1.23k")
	f(99960, "100k")
	f(999600, "1.00M")
	f(45600000, "45.6M")
	f(12345678901234, "12346G")
}
