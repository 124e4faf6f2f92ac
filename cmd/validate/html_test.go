package main

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/cmd/internal/browser"
)

// hostile are texts that would do something on a careless page.
func hostile() []string {
	return []string{
		`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(2)>`, `'><svg onload=alert(3)>`, `</style><style>*{display:none}</style>`,
		`<!--`, `]]>`, `{{.}}`, `javascript:alert(4)`, `&lt;b&gt;`, "a\u2028b\u2029c", "\u202Eesrever\u202C", "\u2066hidden\u2069", "nul\x00 esc\x1b[31m del\x7f", "e\u0301 \u200b\ufeff\u00ad",
		`</mark></bdi></pre></details></main><h1>owned</h1>`, strings.Repeat("W", 300),
	}
}

// pageOf is the URL of the HTML report about some lines.
func pageOf(t *testing.T, lines []string, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "gate.html")
	args = append([]string{"--check", "--report", "html", "--report-file", file, "--max-findings", "200"}, args...)
	if code, _, stderr := validate(strings.Join(lines, "\n"), args...); code > 1 {
		t.Fatal(stderr)
	}
	return (&url.URL{Scheme: "file", Path: file}).String()
}

// TestPageHoldsItsGround shows a page about data that tries to take it over, in
// a browser: nothing of it is obeyed, and all of it is to be read.
func TestPageHoldsItsGround(t *testing.T) {
	var lines []string
	for i, text := range hostile() {
		quoted := jsonString(text)
		lines = append(lines, fmt.Sprintf(`{"id":%s,"dataset":%s,"reasoning":"Hm. <|im_end|> %s","content":%s,"finish_reason":%s,"model":%s,"meta":{"n":%d}}`,
			quoted, quoted, strings.Trim(quoted, `"`), quoted, quoted, quoted, i))
	}
	tab := browser.Open(t, pageOf(t, lines, "--by", "dataset"), browser.Desktop)
	if said := tab.Messages(); len(said) > 0 {
		t.Errorf("the browser says %q", said)
	}
	for _, element := range []string{"script", "img", "h1", "iframe", "object", "link", "svg[onload]", "[onerror]", "a:not([href^='#'])"} {
		if n := tab.Count(element); n != 0 {
			t.Errorf("the page has %d %s", n, element)
		}
	}
	browser.Eval[bool](tab, "document.querySelectorAll('details').forEach(d => d.open = true) ?? true")
	text := browser.Eval[string](tab, "document.body.innerText")
	for _, want := range []string{`</script><script>alert(1)</script>`, `"><img src=x onerror=alert(2)>`, `{{.}}`, `&lt;b&gt;`, "⟨U+202E⟩esrever⟨U+202C⟩", "nul⟨U+0000⟩ esc⟨U+001B⟩[31m del⟨U+007F⟩", "a⟨U+2028⟩b", "<!--"} {
		if !strings.Contains(text, want) {
			t.Errorf("nobody can read %q", want)
		}
	}
	if i := strings.IndexFunc(text, isUnseen); i >= 0 {
		t.Errorf("the page shows what nobody sees: %q", text[max(0, i-20):i+10])
	}
	if n := tab.Count("mark"); n < len(lines) {
		t.Errorf("%d pieces are marked of %d records", n, len(lines))
	}
}

// isUnseen knows what turns the direction of writing or hides.
func isUnseen(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || 0x202A <= r && r <= 0x202E || 0x2066 <= r && r <= 0x2069 || r == 0x200B || r == 0xFEFF || r == 0x2028
}

// jsonString is a JSON string of what may hold control bytes.
func jsonString(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

// TestPage looks at what a page says, on all that people have: nothing runs out
// of the screen, and light and dark differ.
func TestPage(t *testing.T) {
	var lines []string
	for i := range 200 {
		reasoning, finish := strings.Repeat("Hm. ", i%17+1), "stop"
		if i%20 == 7 {
			reasoning, finish = "", "length"
		}
		lines = append(lines, fmt.Sprintf(`{"id":"q%d","dataset":"set %d","reasoning":%q,"content":"So %d.","finish_reason":%q}`, i, i%3, reasoning, i, finish))
	}
	lines = append(lines, `{"id":"m","dataset":"set 1","reasoning":"Let me see.</think>","content":"So.","finish_reason":"stop"}`)
	tab := browser.Open(t, pageOf(t, lines, "--by", "dataset"), browser.Desktop)
	backgrounds := map[string]bool{}
	for _, screen := range []browser.Screen{browser.Desktop, browser.Phone, {Width: 360, Height: 740, Dark: true}} {
		tab.On(screen)
		if said := tab.Messages(); len(said) > 0 {
			t.Errorf("%+v: the browser says %q", screen, said)
		}
		if over := browser.Eval[int](tab, "document.documentElement.scrollWidth - innerWidth"); over > 0 {
			t.Errorf("%+v: the page is %d pixels wider than the screen", screen, over)
		}
		backgrounds[browser.Eval[string](tab, "getComputedStyle(document.body).backgroundColor")] = true
		if got := tab.Text("header"); !strings.Contains(got, "gate fail") || !strings.Contains(got, "records\n201") || !strings.Contains(got, "truncated hits 10 of 201 records") {
			t.Errorf("%+v: the verdict is %q", screen, got)
		}
		if got := tab.Text("mark"); got != "</think>" && tab.Count("mark") != 1 {
			t.Errorf("%+v: %d marks, the first is %q", screen, tab.Count("mark"), got)
		}
		if n := tab.Count("rect.reasoning") * tab.Count("rect.content") * tab.Count("rect.fail") * tab.Count("rect.pass") * tab.Count(".heat td.h3"); n == 0 {
			t.Errorf("%+v: a chart is empty", screen)
		}
		if unseen := browser.Eval[int](tab, "[...document.querySelectorAll('rect')].filter(r => !(r.getBBox().height > 0 && r.getBBox().width > 0)).length"); unseen > 0 {
			t.Errorf("%+v: %d bars cannot be seen", screen, unseen)
		}
	}
	if len(backgrounds) != 2 {
		t.Errorf("light and dark: %v", backgrounds)
	}
}
