package jsonscan

import (
	"slices"
	"strings"
	"testing"
)

var finds = []struct{ raw, marker string }{
	{`a</think>b`, "</think>"},
	{`\\`, `\`},
	{`\"\u0022\\\"`, `"`},
	{`a<\/think>b\u003c/think\u003E`, "</think>"},
	{`\u003c\u002F\u0074hink>`, "</think>"},
	{`\\u003c/think>`, "</think>"},
	{`\think>think>`, "think>"},
	{`\nothing nothing`, "nothing"},
	{`\\\nn`, "n"},
	{`\u006e\u00e9`, "6e"},
	{`a\\\\\"b`, `\"`},
	{`\u25c1think\u25B7 ◁think▷`, "◁think▷"},
	{`\ud83d\ude00 😀 \ud83d \ude00`, "😀"},
	{`\ud83dx\ud83d\ud83d\ude00`, "😀"},
	{`a\n\u000a\n\nb`, "\n\n"},
	{`\t\u0020 \r\n x \u0020\t`, "x"},
	{`\\n`, "n"}, {`a\\u0020`, " "}, {`aaab`, "aab"}, {``, ""}, {`abc`, ""},
}

var quoted = []struct{ decoded, raw string }{
	{"", ""},
	{"plain", "plain"},
	{"a\"b\\c/d<e>&", `a\"b\\c/d<e>&`},
	{"\n\t\r\b\f\x00\x1b\x7f", `\n\t\r\b\f\u0000\u001b` + "\x7f"},
	{"é漢😀", "é漢😀"},
	{"\xed\xa0\xbd", `\ud83d`},
	{"x\xed\xb8\x80y", `x\ude00y`},
}

func TestFind(t *testing.T) {
	for _, c := range finds {
		var d Doc
		if err := d.Scan([]byte(`"` + c.raw + `"`)); err != nil {
			t.Fatal(err)
		}
		checkFind(t, d.Root().Text(), c.marker)
	}
}

func TestQuote(t *testing.T) {
	for _, c := range quoted {
		if got := Quote(c.decoded); string(got.Raw) != c.raw || got.String() != c.decoded {
			t.Errorf("Quote(%q): %s, back %q", c.decoded, got.Raw, got.String())
		}
	}
	for _, s := range []string{"a\xffb", "\xc3", "\xed\xa0"} {
		if got := Quote(s).String(); got == s || Quote(got).String() != got {
			t.Errorf("Quote(%q): %q", s, got)
		}
	}
}

// scanText is the text of a JSON string.
func scanText(t *testing.T, raw string) Text {
	t.Helper()
	var d Doc
	if err := d.Scan([]byte(`"` + raw + `"`)); err != nil {
		t.Fatal(err)
	}
	return d.Root().Text()
}

func TestFlags(t *testing.T) {
	f := func(raw string, want Flags) {
		t.Helper()
		for pad := range 70 { // through every path of the kernel
			fill := strings.Repeat("x", pad)
			if got := scanText(t, fill+raw+fill).Flags; got != want {
				t.Fatalf("%q after %d bytes: flags %04b, want %04b", raw, pad, got, want)
			}
		}
	}
	f(`plain`, 0)
	f(`\n\"\\`, Escaped)
	f(`\/`, Escaped|HidesASCII)
	f(`\u003c`, Escaped|HidesASCII)
	f(`\u00e9`, Escaped|HidesOther)
	f(`\u25c1\u007F`, Escaped|HidesASCII|HidesOther)
	f(`é`, NonASCII)
	f(`\té`, Escaped|NonASCII)
}

// TestJoin: a pair of surrogates may come in two texts, and joining never
// writes into the line that a text came from.
func TestJoin(t *testing.T) {
	line := []byte(`["a\ud83d","\ude00b"]`)
	var d Doc
	if err := d.Scan(line); err != nil {
		t.Fatal(err)
	}
	first, second := d.Root().Index(0).Text(), d.Root().Index(1).Text()
	if got := first.Join(second); got.String() != "a😀b" || !got.Equal("a😀b") {
		t.Errorf("joined: %q", got.String())
	}
	first.Slice(0, 1).Join(second)
	first.TrimSpace().Join(second)
	if string(line) != `["a\ud83d","\ude00b"]` {
		t.Errorf("the line became %s", line)
	}
}

func TestTrimSpace(t *testing.T) {
	f := func(raw, want string) {
		t.Helper()
		if got := scanText(t, raw).TrimSpace(); string(got.Raw) != want {
			t.Errorf("%q trimmed: %q, want %q", raw, got.Raw, want)
		}
	}
	f(``, ``)
	f(` \n\t\r\u000a `, ``)
	f(`\u0020x\n`, `x`)
	f(`x\\n`, `x\\n`)
	f(`x\\\n`, `x\\`)
	f(`x\\u0020`, `x\\u0020`)
	f(`\u00a0x\f`, `\u00a0x\f`)
}

func TestNext(t *testing.T) {
	f := func(raw string, want ...rune) {
		t.Helper()
		text := Text{Raw: []byte(raw), Flags: Escaped}
		var got []rune
		for at := 0; at < text.Len(); {
			var r rune
			r, at = text.Next(at)
			got = append(got, r)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %x, want %x", raw, got, want)
		}
	}
	f("")
	f(`a\"\\\u003c\n`, 'a', '"', '\\', '<', '\n')
	f(`é\u00e9`, 0xc3, 0xa9, 0xe9)
	f(`\ud83d\ude00\ud83d`, 0x1f600, 0xd83d)
}

func TestRunesCountsCharacters(t *testing.T) {
	f := func(quoted string, want int) {
		t.Helper()
		var d Doc
		if err := d.Scan([]byte(quoted)); err != nil {
			t.Fatal(err)
		}
		if got := d.Root().Text().Runes(); got != want {
			t.Errorf("%s: %d, want %d", quoted, got, want)
		}
	}
	f(`""`, 0)
	f(`"añ世😀"`, 4)
	f(`"a\n\u00f1\ud83d\ude00é"`, 5)
	f(`"\ud83d"`, 1)
}
