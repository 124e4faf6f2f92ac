package jsonscan

import (
	"fmt"
	"strings"
	"testing"
)

func scan(t *testing.T, line string) *Doc {
	t.Helper()
	d := new(Doc)
	if err := d.Scan([]byte(line)); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestGet(t *testing.T) {
	root := scan(t, sample).Root()
	f := func(v Value, want string) {
		t.Helper()
		if string(v.Raw()) != want {
			t.Errorf("%q, want %q", v.Raw(), want)
		}
	}
	f(root.Get("id"), `"chatcmpl-1"`)
	f(root.Get("choices").Index(0).Get("message", "role"), `"assistant"`)
	f(root.Get("usage"), `{"prompt_tokens":61,"completion_tokens":412}`)
	f(root.Get("x"), `-1.25e-3`)
	f(root.Get("nope", "id"), ``)
	f(root.Get("id", "id"), ``)
	f(root.Get("ID"), ``)
	f(root.Get("choices").Index(1), ``)
	f(root.Get("choices").Index(-1), ``)
	f(root.Index(0), ``)
	f(Value{}, ``)
	if v := root.Get("nope"); v.Exists() || v.Kind() != None || v.Len() != 0 || v.Text().Raw != nil {
		t.Errorf("%v is something", v)
	}
	f(scan(t, `{"i\u0064":1}`).Root().Get("id"), `1`)
}

func TestKeys(t *testing.T) {
	f := func(line, want string) {
		t.Helper()
		var d Doc
		if err := d.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		if got := d.Root().Keys(); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
	f(`{}`, "none")
	f(`[1]`, "none")
	f(`{"a":{"b":1},"c\n":2}`, `"a", "c\n"`)
	f(`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1}`, `"a", "b", "c", "d", "e", "f", "g", "h", …`)
}

func TestDuplicate(t *testing.T) {
	f := func(line, want string, keys ...string) {
		t.Helper()
		d := scan(t, line)
		if v := d.Root().Get(keys...); d.Duplicate() != want || !v.Exists() {
			t.Errorf("Get(%q) of %s: duplicate %q, want %q", keys, line, d.Duplicate(), want)
		}
	}
	f(`{"a":1,"b":2}`, "", "a")
	f(`{"a":1,"b":2,"b":3}`, "", "a")
	f(`{"a":1,"b":2,"a":3}`, "a", "a")
	f(`{"id":1,"i\u0064":2}`, "id", "id")
	f(`{"a":{"b":{"c":1,"c":2}}}`, "a.b.c", "a", "b", "c")
	f(`{"":1,"":2}`, `""`, "")
	f(`{"x.y":{"z":1,"z":2}}`, `"x.y".z`, "x.y", "z")

	d := scan(t, `{"choices":[{},{"message":{"content":"a","content":"b"}}]}`)
	content := d.Root().Get("choices").Index(1).Get("message", "content")
	if d.Duplicate() != "choices[1].message.content" || !content.Text().Equal("a") {
		t.Errorf("%q, %s", d.Duplicate(), content.Raw())
	}
	if d.Scan([]byte(`{}`)); d.Duplicate() != "" {
		t.Errorf("%q is left over", d.Duplicate())
	}
}

func TestAnyDuplicate(t *testing.T) {
	f := func(line, want string) {
		t.Helper()
		if got := scan(t, line).AnyDuplicate(); got != want {
			t.Errorf("%.60s: %q, want %q", line, got, want)
		}
	}
	f(`{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}`, "")
	f(`[[],[{"x":{"y":1,"y":1}}]]`, "[1][0].x.y")
	f(`{"a":{"b":1,"b":2},"a":3}`, "a")
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, `"k%d":0,`, i)
	}
	f(`{`+many.String()+`"last":0}`, "")
	for _, k := range []int{0, 15, 16, 17, 99} {
		f(fmt.Sprintf(`{%s"k%d":0}`, many.String(), k), fmt.Sprintf("k%d", k))
	}
}

// TestTruncated cuts a line at every byte: each part is refused where it ends,
// and what stood whole before can be read.
func TestTruncated(t *testing.T) {
	var d Doc
	for n := range len(sample) {
		err := d.Scan([]byte(sample[:n]))
		if fault, ok := err.(*SyntaxError); !ok || fault.Offset != n || fault.UTF8 && !strings.HasPrefix(fault.Cause, "unexpected end") {
			t.Fatalf("%q: %v", sample[:n], err)
		}
		touch(d.Root())
		id := d.Root().Get("id")
		if whole := n >= len(`{"id":"chatcmpl-1"`); id.Exists() != whole {
			t.Fatalf("%q: id %q", sample[:n], id.Raw())
		}
		if v := d.Root().Get("usage", "prompt_tokens"); v.Exists() && string(v.Raw()) != "61" {
			t.Fatalf("%q: a cut number %q", sample[:n], v.Raw())
		}
	}
}

// TestAfterInvalidUTF8: such a line can be read to the end.
func TestAfterInvalidUTF8(t *testing.T) {
	var d Doc
	if err := d.Scan([]byte("{\"text\":\"a\xffb\",\"id\":\"x\"}")); err == nil {
		t.Fatal("invalid UTF-8 passes")
	}
	if id := d.Root().Get("id").Text(); !id.Equal("x") {
		t.Errorf("id %q", id.String())
	}
}

// TestAllocations: none for a line when the Doc has seen its like.
func TestAllocations(t *testing.T) {
	line := chatLine()
	var d Doc
	var buf []byte
	n := testing.AllocsPerRun(100, func() {
		if d.Scan(line) != nil {
			t.Fatal("not valid")
		}
		for _, choice := range d.Root().Get("choices").Elements() {
			content := choice.Get("message", "content").Text()
			at, end := content.Find("</think>", 0)
			buf = content.Slice(0, at).TrimSpace().AppendTo(buf[:0])
			buf = AppendString(buf, "a\n\"\xff")
			content.Match("</think>", end)
		}
		for key, v := range d.Root().Get("usage").Members() {
			v.Int()
			v.Float()
			key.Equal("prompt_tokens")
		}
		d.AnyDuplicate()
	})
	if n != 0 {
		t.Errorf("%v allocations a line", n)
	}
}
