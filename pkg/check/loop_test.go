package check

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// prose is n bytes of sentences that do not repeat themselves.
func prose(n int, seed uint64) string {
	words := strings.Fields("the sum of two odd numbers is even because each leaves one when halved and " +
		"together these make a pair so we count again from left to right while keeping track")
	r := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	for b.Len() < n {
		for range 6 + r.IntN(9) {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		fmt.Fprintf(&b, "%d. ", r.IntN(1000))
	}
	return b.String()[:n]
}

// A finding shows what is repeated as a reader sees it, cut between characters.
func TestLoopDetail(t *testing.T) {
	f := func(unit, want string) {
		t.Helper()
		c := NewChecker(DefaultPolicy())
		s := record.Sample{Content: jsonscan.Quote(strings.Repeat(unit, 40))}
		if got := repetition(c, &s).detail; got != want {
			t.Errorf("found %s, want %s", got, want)
		}
	}
	f("So \\boxed{42} it is.\n", `40 times "So \\boxed{42} it is.\n" in content, 840 characters after 0`)
	f("ab"+strings.Repeat("éçà ", 16), `40 times "ab`+strings.Repeat("éçà ", 11)+`"… in content, 2640 characters after 0`)
}

func TestLoop(t *testing.T) {
	f := func(name, text string, want bool) {
		t.Helper()
		var l loopFinder
		if found, got := l.find(jsonscan.Quote(text).Raw); got != want {
			t.Errorf("%s: found %v, want %v: %d times %.60q (%d bytes of %d)", name, got, want, found.times, found.unit, found.length, len(text))
		}
	}
	before, after := prose(5_000, 1), prose(5_000, 2)
	in := func(s string) string { return before + s + after }

	f("one sentence", strings.Repeat("Let me check the sum once more, it should be twelve. ", 60), true)
	f("one sentence amid others", in(strings.Repeat("Let me check the sum once more, it should be twelve. ", 60)), true)
	f("one sentence at the end", before+strings.Repeat("Wait, no, that is wrong again. ", 20), true)
	f("a paragraph", in(strings.Repeat(prose(500, 3)+"\n\n", 8)), true)
	f("a page, until cut", before+strings.Repeat(prose(3_000, 4)+"\n\n", 9)[:25_000], true)
	f("a word", before+strings.Repeat("and ", 1_500), true)
	f("a Chinese sentence", in(strings.Repeat("让我再检查一遍，总和应该是十二。", 60)), true)
	f("an empty box", strings.Repeat(` \boxed{}.`, 300), true)
	f("nothing but !", strings.Repeat("!", 2_000), true)
	f("a letter", before+strings.Repeat("a", 6_000), true)
	f("digits without end", before+strings.Repeat("0, ", 4_000), true)
	f("two sentences with something new between them", before+mixed(400), true)

	f("nothing else", strings.Repeat("No. ", 100), true)
	f("newlines after a word", "So:"+strings.Repeat("\n", 300), true)
	f("newlines without end", in(strings.Repeat("\n", 700)), true)
	f("spaces without end", in(strings.Repeat(" \t", 400)), true)
	f("a short word", in(strings.Repeat("no ", 500)), true)
	f("a Chinese word", in(strings.Repeat("不是", 700)), true)

	f("short", strings.Repeat("No. ", 50), false)
	f("no no no", in(strings.Repeat("no ", 200)), false)
	f("half as many characters as bytes", before+strings.Repeat("让我再检查一遍，总和是十二。", 30), false)
	f("table of one row", in(strings.Repeat("| yes | no | n/a | 0 |\n", 80)), false)
	f("a line of code", in(strings.Repeat("    a[i] = b[i];\n", 60)), false)
	f("prose", prose(200_000, 5), false)
	f("a refrain", strings.Repeat(prose(700, 6)+"\n", 3), false)
	f("one sentence now and then", refrain(30), false)
	f("rulers and bullets", in(strings.Repeat("-", 500)+strings.Repeat("=*", 200)+strings.Repeat("\n", 300)), false)
	f("a table", in(tableOf(60)), false)
	f("a table of few values", in(strings.Repeat("| yes | no |\n", 40)), false)
	f("a number grid", in(strings.Repeat(strings.Repeat("0 ", 30)+"\n", 30)), false)
	f("code", in(code(80)), false)
	f("records", in(records(80)), false)
	f("counting", in(counting(300)), false)
}

// mixed is a loop that no period describes.
func mixed(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Let me check the sum once more. So it should be twelve after all. %s", strings.Repeat("Hm, ", i%3))
	}
	return b.String()
}

func refrain(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(prose(600, uint64(i)+10) + "\nWait, let me double check this step. ")
	}
	return b.String()
}

func tableOf(n int) string {
	var b strings.Builder
	b.WriteString("| step | value | ok |\n|------|-------|----|\n")
	for i := range n {
		fmt.Fprintf(&b, "| %4d | %5d | yes |\n", i, i*i)
	}
	return b.String()
}

func code(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "\tif err := step%d(ctx); err != nil {\n\t\treturn nil, fmt.Errorf(\"it failed: %%w\", err)\n\t}\n", i)
	}
	return b.String()
}

func records(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "  {\n    \"type\": \"object\",\n    \"required\": true,\n    \"name\": \"field%d\",\n    \"unit\": \"kilometres\"\n  },\n", i)
	}
	return b.String()
}

func counting(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "If a player can take %d tokens, then %d tokens are left. ", i, 3*i+1)
	}
	return b.String()
}

// Ten times the text takes about ten times as long, whatever it is.
func TestLoopIsLinear(t *testing.T) {
	took := func(text string) time.Duration {
		var l loopFinder
		start := time.Now()
		l.find([]byte(text))
		return time.Since(start)
	}
	f := func(name string, text func(n int) string) {
		t.Helper()
		short, long := text(100_000), text(1_000_000)
		for range 10 { // the machine may be busy just now
			a, b := took(short), took(long)
			if b < 60*a {
				return
			}
			t.Logf("%s: 0.1 MB take %v, 1 MB take %v", name, a, b)
		}
		t.Fail()
	}
	f("prose", func(n int) string { return prose(n, 1) })
	f("grid", func(n int) string { return strings.Repeat("0 0 0 1 0 0 0 0\n", n/16) })
	f("runs too short to count", func(n int) string { return strings.Repeat(strings.Repeat("ab ", 100)+prose(300, 7), n/600) })
	f("counting", func(n int) string { return counting(n / 55) })
	f("nearly periodic", func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			b.WriteString(strings.Repeat("Again and again it is so. ", 20) + fmt.Sprint(i))
		}
		return b.String()
	})
}
