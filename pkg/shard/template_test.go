package shard

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

func scan(t testing.TB, line string) jsonscan.Value {
	t.Helper()
	d := new(jsonscan.Doc)
	if err := d.Scan([]byte(line)); err != nil {
		t.Fatal(err)
	}
	return d.Root()
}

func TestTemplate(t *testing.T) {
	f := func(template, line, want string) {
		t.Helper()
		tpl, err := ParseTemplate(template)
		if err != nil {
			t.Fatal(err)
		}
		group, err := tpl.AppendGroup(nil, scan(t, line), 8)
		if got := Path(string(group), 3); err != nil || got != want {
			t.Errorf("%s of %s: %q, %v, want %q", template, line, got, err, want)
		}
	}
	f("out.jsonl", `{}`, "out.jsonl")
	f("out/{shard}-of-{shards}.jsonl", `{}`, "out/00003-of-8.jsonl")
	f("{a}/{b.c}/{shard}.zst", `{"a":"漢 字","b":{"c":17}}`, "漢 字/17/00003.zst")
	f("{a}{a}", `{"a":"\u0078.y"}`, "x.yx.y")
	f("{ok}", `{"ok":true}`, "true")
	f("{shard}/{shard}", `{}`, "00003/00003")
	f("{lane}", `{"lane":"long"}`, "long")
}

func TestTemplateRefusesValues(t *testing.T) {
	tpl, err := ParseTemplate("out/{v}.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	f := func(v, cause string) {
		t.Helper()
		_, err := tpl.AppendGroup(nil, scan(t, `{`+v+`}`), 1)
		if err == nil || !strings.Contains(err.Error(), `field "v" `+cause) {
			t.Errorf("%.60s: %v, want %q", v, err, cause)
		}
	}
	f(``, "is missing")
	f(`"v":null`, "is of kind null")
	f(`"v":{}`, "is of kind object")
	f(`"v":["a"]`, "is of kind array")
	f(`"v":""`, "is empty")
	f(`"v":".."`, "could leave")
	f(`"v":"."`, "could leave")
	f(`"v":"a..b"`, "could leave")
	f(`"v":"\u002e\u002e"`, "could leave")
	f(`"v":"a/b"`, "has a slash")
	f(`"v":"a\/b"`, "has a slash")
	f(`"v":"a\\b"`, "has a slash")
	f(`"v":"a\u0000b"`, "has a slash")
	f(`"v":"a\nb"`, "has a slash")
	f(`"v":"a\u007fb"`, "has a slash")
	f(`"v":"a\u009bb"`, "has a slash") // a terminal takes it for an escape
	f(`"v":"-rf"`, "begins with a hyphen")
	f(`"v":-1`, "begins with a hyphen")
	f(`"v":"\ud800"`, "has half a surrogate pair")

	long := strings.Repeat("x", 300)
	if _, err := tpl.AppendGroup(nil, scan(t, `{"v":"`+long+`"}`), 1); err == nil {
		t.Error("a name of 300 bytes passes")
	}
	bare, _ := ParseTemplate("{v}")
	if _, err := bare.AppendGroup(nil, scan(t, `{"v":"a.partial"}`), 1); err == nil {
		t.Error("the name of an unfinished file passes")
	}
}

func TestParseTemplateRefuses(t *testing.T) {
	for _, s := range []string{"{", "a{b", "{}", "}", "a}b", "{a{b}}", "a\x00"} {
		if _, err := ParseTemplate(s); err == nil {
			t.Errorf("%q passes", s)
		}
	}
}

// FuzzTemplate: whatever the value, the file is in the template's folder, one
// level deep, and different groups are different files.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"a", "..", "../x", "/etc", "-", "", "a\x00", ".", "...", "\\", "ä", "a b"} {
		f.Add(s, "x")
	}
	tpl, err := ParseTemplate("out/{v}-{w}/{shard}")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, v, w string) {
		line := jsonscan.AppendString([]byte(`{"v":`), v)
		line = append(jsonscan.AppendString(append(line, `,"w":`...), w), '}')
		group, err := tpl.AppendGroup(nil, scan(t, string(line)), 4)
		if err != nil {
			return
		}
		path := Path(string(group), 2)
		if filepath.Clean(path) != path || filepath.Dir(filepath.Dir(path)) != "out" || filepath.Base(path) != "00002" || strings.Contains(path, "\x00") {
			t.Errorf("%q and %q make %q", v, w, path)
		}
	})
}
