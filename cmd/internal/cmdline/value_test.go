package cmdline

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestParseSize(t *testing.T) {
	f := func(text string, want int64) {
		t.Helper()
		got, err := ParseSize(text)
		if (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
	f("1", 1)
	f("010", 10)
	f("64K", 64<<10)
	f("64k", 64<<10)
	f("64KiB", 64<<10)
	f("64KB", 64<<10)
	f("3M", 3<<20)
	f("1G", 1<<30)
	f("2T", 2<<40)
	f("9223372036854775807", math.MaxInt64)
	f("8388607T", 8388607<<40)
	f("1B", 1)
	for _, wrong := range []string{"", "0", "-1", "K", "1X", "1KK", "1.5G", "1 K", "0x10", "9223372036854775808", "8388608T", "1KBB", "1i"} {
		f(wrong, -1)
	}
}

func TestSizeString(t *testing.T) {
	for _, want := range []string{"1", "1023", "1K", "1025", "64K", "1M", "1G", "3T"} {
		n, err := ParseSize(want)
		if got := NewSize(n).String(); err != nil || got != want {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
}

func TestLimit(t *testing.T) {
	f := func(text string, bad, total int64, want bool) {
		t.Helper()
		l, err := ParseLimit(text)
		if err != nil || l.Allows(bad, total) != want || l.String() != text {
			t.Errorf("%q: %v, %v", text, l, err)
		}
	}
	f("0", 0, 10, true)
	f("0", 1, 10, false)
	f("5", 5, 5, true)
	f("5", 6, 1000, false)
	f("1", 1, 1, true)
	f("1", 2, 2, false)
	f("1.0", 2, 2, true)
	f("100%", 2, 2, true)
	f("1%", 1, 100, true)
	f("1%", 2, 100, false)
	f("0.01", 1, 100, true)
	f(".5", 1, 2, true)
	f("0%", 0, 0, true)
	for _, wrong := range []string{"", "-1", "1.5", "101%", "x", "nan", "inf", "0x1p-2", "%", "1%%", "-0.1"} {
		if l, err := ParseLimit(wrong); err == nil {
			t.Errorf("%q is %v", wrong, l)
		}
	}
	for permille := int64(1); permille <= 1000; permille++ { // at the limit, not beyond
		for _, text := range []string{fmt.Sprintf("%d.%d%%", permille/10, permille%10), fmt.Sprintf("%.3f", float64(permille)/1000)} {
			if l, _ := ParseLimit(text); !l.Allows(permille, 1000) || l.Allows(permille*7+1, 7000) {
				t.Errorf("%s of 1000: %v", text, l)
			}
		}
	}
	if l := new(Limit); l.String() != "0" || l.Allows(1, 1) {
		t.Error("the zero limit allows none")
	}
}

func TestCleanAndQuote(t *testing.T) {
	f := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	f(Clean("a\x1b]0;title\x07b\x00\x7f\u009bc", 80), "a]0;titlebc")
	f(Clean("a\r\n\tb", 80), "a  b")
	f(Clean("grüße 思考 👍🏽", 80), "grüße 思考 👍🏽")
	f(Clean("a\u202eb\u200bc\u2028d", 80), "abcd")
	f(Clean("a\xffb", 80), "a\ufffdb")
	f(Clean("思考", 4), "思…")
	f(Quote("a\x1b\xff\n"), `"a\x1b\xff\n"`)
	f(Quote(strings.Repeat("é", 41)), `"`+strings.Repeat("é", 40)+`"…`)
	f(Quote("x"+strings.Repeat("é", 41)), `"x`+strings.Repeat("é", 39)+`"…`)
}

func TestNearest(t *testing.T) {
	f := func(name string, want ...string) {
		t.Helper()
		if got := newGrammar(command(nil)).nearest(name); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	f("ouput", "output")
	f("headers", "header")
	f("strem", "stream")
	f("ver", "verbose", "version")
	f("zst", "zstd", "zstd-level")
	f("x")
	f("nothing-like-it")
}
