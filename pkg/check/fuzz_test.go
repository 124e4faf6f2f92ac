package check

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// FuzzLoop: a loop that is found is one.
func FuzzLoop(f *testing.F) {
	f.Add([]byte(strings.Repeat("Let me check the sum once more. ", 60)))
	f.Add([]byte(prose(2_000, 1) + strings.Repeat("no ", 300)))
	f.Add([]byte(mixed(40)))
	f.Add([]byte(strings.Repeat("\\", 1_000)))
	f.Fuzz(func(t *testing.T, text []byte) {
		if !jsonscan.Valid([]byte(`"` + string(text) + `"`)) {
			return
		}
		var l loopFinder
		found, ok := l.find(text)
		if !ok {
			return
		}
		if found.at < 0 || found.at+found.length > len(text) || len(found.unit) == 0 || found.times < 4 {
			t.Fatalf("impossible loop %+v in %d bytes", found, len(text))
		}
		if strings.Count(string(text), string(found.unit)) == 0 {
			t.Fatalf("%q is not in the text", found.unit)
		}
		if !jsonscan.Valid([]byte(`"` + string(found.unit) + `"`)) {
			t.Fatalf("%q is not a whole text", found.unit)
		}
	})
}

// FuzzBadCharacter compares with a slow search in the decoded text.
func FuzzBadCharacter(f *testing.F) {
	for _, s := range []string{`a\u0000`, `\\b`, `\\\b`, `\ud83d\ude00`, `\ud83d`, `\ude00\ud83d`, "\uFFFD", `\ufffd`, `\n\t\r`, "\x7f", `😀\/`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, inside string) {
		var d jsonscan.Doc
		if d.Scan([]byte(`"`+inside+`"`)) != nil {
			return
		}
		text := d.Root().Text()
		want := false
		decoded := text.AppendTo(nil)
		for len(decoded) > 0 {
			r, n := utf8.DecodeRune(decoded)
			want = want || r == utf8.RuneError || r == 0x7f || r < ' ' && r != '\n' && r != '\t' && r != '\r'
			decoded = decoded[n:]
		}
		if at, what := badCharacter(text); (at >= 0) != want {
			t.Fatalf("%q: at %d %s, want %v", inside, at, what, want)
		}
	})
}

// FuzzAppendUsual: two texts come out the same when they decode to the same, and
// only then.
func FuzzAppendUsual(f *testing.F) {
	f.Add(`\u003ca\/\u00e9`, `<a/é`)
	f.Add(`\ud83d\ude00\n\u000A`, `😀\u000a\n`)
	f.Add(`\ud83d\uD83D`, `\uD83d\ud83d`)
	f.Add(`\u005c\u0022\b\u0008\u001F`, `\\\"\u0008\b\u001f`)
	f.Fuzz(func(t *testing.T, a, b string) {
		text := func(inside string) (jsonscan.Text, bool) {
			var d jsonscan.Doc
			err := d.Scan([]byte(`"` + inside + `"`))
			return d.Root().Text(), err == nil
		}
		for _, other := range []string{a, b} {
			x, ok := text(a)
			y, ok2 := text(other)
			if !ok || !ok2 {
				return
			}
			usual, same := string(appendUsual(nil, x.Raw)), string(appendUsual(nil, y.Raw))
			if (usual == same) != (x.String() == y.String()) {
				t.Fatalf("%q and %q become %q and %q", a, other, usual, same)
			}
			if x.Flags&(jsonscan.HidesASCII|jsonscan.HidesOther) == 0 && !strings.Contains(a, `\u`) && usual != a {
				t.Fatalf("%q becomes %q", a, usual)
			}
			if again, ok := text(usual); !ok || again.String() != x.String() {
				t.Fatalf("%q becomes %q", a, usual)
			}
		}
	})
}

// FuzzCheck: no text of a model makes a checker panic, and how a text is
// spelled in JSON makes no difference to what is found of markers.
func FuzzCheck(f *testing.F) {
	f.Add("Hm.</think> So", "<|im_end|>", `{"a":`)
	f.Add("`<think>`", "\"◁think▷\"", `{"a":1,"a":2}`)
	f.Add("<｜tool▁calls▁begin｜>", "```\n[THINK]\n```\n", "")
	c := NewChecker(DefaultPolicy())
	f.Fuzz(func(t *testing.T, reasoning, content, arguments string) {
		reasoning, content = strings.ToValidUTF8(reasoning, ""), strings.ToValidUTF8(content, "")
		s := record.Sample{
			ID: record.StringID("a"), Reasoning: jsonscan.Quote(reasoning), Content: jsonscan.Quote(content),
			ToolCalls: []record.ToolCall{{Name: jsonscan.Quote("f"), Arguments: jsonscan.Quote(arguments)}},
		}
		plain := leaks(c, &s)
		s.Reasoning, s.Content = spelled(t, reasoning), spelled(t, content)
		if other := leaks(c, &s); other != plain {
			t.Fatalf("%q %q: leaked-marker %v, with other spelling %v", reasoning, content, plain, other)
		}
	})
}

func leaks(c *Checker, s *record.Sample) bool {
	for _, f := range c.Check(s) {
		if f.Rule == "leaked-marker" {
			return true
		}
	}
	return false
}

// spelled is s as encoding/json spells it: with \u003c for <.
func spelled(t *testing.T, s string) jsonscan.Text {
	quoted, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	var d jsonscan.Doc
	if err := d.Scan(quoted); err != nil {
		t.Fatal(err)
	}
	return d.Root().Text()
}

// FuzzCharacters: a text's characters are those of its decoded form.
func FuzzCharacters(f *testing.F) {
	for _, s := range []string{`a\u00e9é\n`, `\ud83d\ude00\ud83d`, "😀\\u200b", `\\u00a0\/`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, inside string) {
		var d jsonscan.Doc
		if d.Scan([]byte(`"`+inside+`"`)) != nil {
			return
		}
		var want string
		if err := json.Unmarshal([]byte(`"`+inside+`"`), &want); err != nil {
			t.Fatal(err)
		}
		var got []rune
		for r := range characters(d.Root().Text()) {
			got = append(got, r)
		}
		if string(got) != want { // lone surrogates are U+FFFD in both
			t.Fatalf("%q: %q, want %q", inside, got, want)
		}
	})
}
