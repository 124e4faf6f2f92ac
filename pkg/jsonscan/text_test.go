package jsonscan

import "testing"

var finds = []struct{ raw, marker string }{
	{`a</think>b`, "</think>"},
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

var quotes_ = []struct{ decoded, raw string }{
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
	for _, c := range quotes_ {
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
