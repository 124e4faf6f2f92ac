package browser

import (
	"bytes"
	"os"
	"slices"
	"testing"
)

// A page that does what a page must not is noticed.
func TestTab(t *testing.T) {
	file := t.TempDir() + "/page.html"
	html := `<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><title>x</title><h1>So.</h1><script>alert(1)</script>`
	if err := os.WriteFile(file, []byte(html), 0o600); err != nil {
		t.Fatal(err)
	}
	dark := Phone
	dark.Dark = true
	tab := Open(t, "file://"+file, dark)
	if got := tab.Text("h1"); got != "So." {
		t.Errorf("the page says %q", got)
	}
	if n := tab.Count("script"); n != 1 {
		t.Errorf("%d scripts", n)
	}
	if width := Eval[int](tab, "innerWidth"); width != 360 {
		t.Errorf("%d pixels wide", width)
	}
	if !Eval[bool](tab, "matchMedia('(prefers-color-scheme: dark)').matches") {
		t.Error("the page is light")
	}
	if !slices.ContainsFunc(tab.Messages(), func(m string) bool { return bytes.Contains([]byte(m), []byte("Content Security Policy")) }) {
		t.Errorf("the browser says nothing of a script: %q", tab.Messages())
	}
	if png := tab.Screenshot(300); !bytes.HasPrefix(png, []byte("\x89PNG")) {
		t.Errorf("%d bytes that are no picture", len(png))
	}
}
