package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPromptsThatAlwaysFail: where many of them come first, the others are asked all
// the same, for the server answers the probe's question in between.
func TestPromptsThatAlwaysFail(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", jsonType)
		if r.Method != "POST" {
			io.WriteString(w, `{"data":[{"id":"m"}]}`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte("poison")) {
			w.WriteHeader(500)
			io.WriteString(w, `{"error":{"message":"out of memory"}}`)
			return
		}
		io.WriteString(w, `{"choices":[{"index":0,"message":{"content":"<think>t</think>a"},"finish_reason":"stop"}]}`)
	}))
	t.Cleanup(s.Close)
	var in strings.Builder
	for i := range 40 {
		fmt.Fprintf(&in, `{"id":"bad-%d","prompt":"poison %d"}`+"\n", i, i)
	}
	archive := filepath.Join(t.TempDir(), "raw.jsonl")
	code, _, log := gen(t, in.String()+prompts(40), "--server", s.URL, "-c", "8", "--attempts", "2", "--progress", "never", "-o", archive)
	if code != 1 || !strings.Contains(log, "80 in = 40 done + 40 failed") {
		t.Fatalf("exit %d\n%s", code, log)
	}
	probes, err := os.ReadFile(archive + ".probe")
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(probes, []byte(`"probe":true`)); n < 3 {
		t.Errorf("%d probes: the server was not tried with them", n)
	}
	for _, l := range parseLines(t, string(probes)) {
		if !strings.Contains(l.received(), "<think>") {
			t.Errorf("a trial got %s", l.received())
		}
	}
}
