package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// server gives each prompt the response that reply makes for its text.
func server(t *testing.T, reply func(w http.ResponseWriter, prompt string)) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models" {
			io.WriteString(w, `{"object":"list","data":[{"id":"demo-model"}]}`)
			return
		}
		var body struct {
			Messages []struct{ Content string }
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || len(body.Messages) == 0 {
			http.Error(w, "bad request", http.StatusBadRequest)
			return
		}
		reply(w, body.Messages[len(body.Messages)-1].Content)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// archived is what the cases look at in a line.
type archived struct {
	ID       string `json:"custom_id"`
	Retried  bool
	Dead     bool
	Error    *struct{ Code, Message string }
	Response *struct {
		Body   json.RawMessage
		Text   *string
		SHA256 string `json:"sha256"`
	}
}

func (a *archived) received() string {
	if a.Response.Text != nil {
		return *a.Response.Text
	}
	return string(a.Response.Body)
}

func parseLines(t *testing.T, text string) (lines []archived) {
	t.Helper()
	for line := range strings.Lines(text) {
		var a archived
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		lines = append(lines, a)
	}
	return lines
}

func readCase(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "cases", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// chunks writes text in pieces of n bytes, each flushed on its own.
func chunks(w http.ResponseWriter, text string, n int) {
	w.Header().Set("Content-Type", "text/event-stream")
	for len(text) > 0 {
		k := min(n, len(text))
		io.WriteString(w, text[:k])
		w.(http.Flusher).Flush()
		text = text[k:]
	}
}

// TestStreamCases sends whole streams in pieces of every size that tells.
func TestStreamCases(t *testing.T) {
	f := func(name string, exit int, code string) {
		t.Helper()
		text := readCase(t, name+"/input.sse")
		for _, n := range []int{1, 2, 3, 5, 7, 64, len(text)} {
			url := server(t, func(w http.ResponseWriter, _ string) { chunks(w, text, n) })
			got, out, log := gen(t, `{"id":"input","prompt":"q"}`, "--server", url, "--stream", "--attempts", "1", "--progress", "never")
			if got != exit {
				t.Fatalf("%s in pieces of %d: exit %d, want %d\n%s", name, n, got, exit, log)
			}
			lines := parseLines(t, out)
			if len(lines) != 1 || lines[0].received() != text {
				t.Fatalf("%s in pieces of %d: the archive does not hold what was sent: %s", name, n, out)
			}
			if e := lines[0].Error; (e == nil) != (code == "") || e != nil && e.Code != code {
				t.Errorf("%s in pieces of %d: error %+v, want %q", name, n, e, code)
			}
		}
	}
	f("025-comments-no-space-usage-chunk", 0, "")
	f("033-multibyte-any-chunk", 0, "")
	f("027-error-object-mid-stream", 1, "stream.error")
}

// TestFalse200 holds that a status of 200 is no answer, that failures are asked
// again by the next run, and that a pretty-printed body keeps its bytes.
func TestFalse200(t *testing.T) {
	bodies := map[string]struct{ kind, text string }{}
	var prompts strings.Builder
	for line := range strings.Lines(readCase(t, "041-error-envelope-and-html/input.jsonl")) {
		var c struct {
			ID, Content_Type, Response_Text string
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		bodies[c.ID] = struct{ kind, text string }{c.Content_Type, c.Response_Text}
		fmt.Fprintf(&prompts, `{"id":%q,"prompt":%q}`+"\n", c.ID, c.ID)
	}
	var mu sync.Mutex
	asked := map[string]int{}
	url := server(t, func(w http.ResponseWriter, prompt string) {
		mu.Lock()
		asked[prompt]++
		mu.Unlock()
		w.Header().Set("Content-Type", bodies[prompt].kind)
		io.WriteString(w, bodies[prompt].text)
	})
	archive := filepath.Join(t.TempDir(), "raw.jsonl")
	for range 2 {
		code, _, log := gen(t, prompts.String(), "--server", url, "--attempts", "1", "--progress", "never", "-o", archive)
		if code != 1 || !strings.Contains(log, "3 in = 1 done + 2 failed + 0 dead + 0 bad + 0 pending") {
			t.Fatalf("exit %d\n%s", code, log)
		}
		if !strings.Contains(log, "upstream overloaded") {
			t.Errorf("the server's words are not told:\n%s", log)
		}
	}
	data, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	lines := parseLines(t, string(data))
	if len(lines) != 5 {
		t.Errorf("%d lines, want 3 of the first run and 2 of the second", len(lines))
	}
	for _, line := range lines {
		if line.received() != bodies[line.ID].text {
			t.Errorf("%s: %q was archived, %q was sent", line.ID, line.received(), bodies[line.ID].text)
		}
	}
	if asked["fe-1"] != 2 || asked["fe-2"] != 2 || asked["fe-3"] != 1 {
		t.Errorf("asked %v", asked)
	}
}

// TestTornLine resumes an archive whose last line was cut in the middle of a
// character.
func TestTornLine(t *testing.T) {
	const name = "053-torn-last-line-then-resume/"
	torn := readCase(t, name+"input.jsonl")
	archive := filepath.Join(t.TempDir(), "raw.jsonl")
	if err := os.WriteFile(archive, []byte(torn), 0o666); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var asked []string
	url := server(t, func(w http.ResponseWriter, prompt string) {
		mu.Lock()
		asked = append(asked, prompt)
		mu.Unlock()
		io.WriteString(w, `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`)
	})
	code, _, log := gen(t, readCase(t, name+"prompts.jsonl"), "--server", url, "--no-probe", "--progress", "never", "-o", archive)
	if code != 0 || !strings.Contains(log, "raw.jsonl.torn") {
		t.Fatalf("exit %d\n%s", code, log)
	}
	if len(asked) != 2 {
		t.Errorf("asked %q, want two", asked)
	}
	whole := torn[:strings.LastIndexByte(torn, '\n')+1]
	data, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(data), whole) {
		t.Errorf("the whole lines did not stay as they were")
	}
	if got := parseLines(t, string(data)[len(whole):]); len(got) != 2 {
		t.Errorf("%d new lines", len(got))
	}
	rest, err := os.ReadFile(archive + ".torn")
	if err != nil || string(rest) != torn[len(whole):] {
		t.Errorf("the torn bytes are %q (%v)", rest, err)
	}
}

// TestKeysAreHidden lets a server repeat the key in the words of an error inside a
// 200: neither the log nor error.message may hold it.
func TestKeysAreHidden(t *testing.T) {
	const key = "sk-very-secret-0123456789"
	t.Setenv("GEN_TEST_KEY", key)
	url := server(t, func(w http.ResponseWriter, _ string) {
		io.WriteString(w, `{"error":{"message":"no credit for `+key+`"}}`)
	})
	code, out, log := gen(t, `{"id":"a","prompt":"q"}`, "--server", url, "--api-key-env", "GEN_TEST_KEY", "--attempts", "1", "--progress", "never")
	lines := parseLines(t, out)
	if code != 1 || len(lines) != 1 || !strings.Contains(lines[0].Error.Message, "no credit") {
		t.Fatalf("exit %d: %s%s", code, out, log)
	}
	if strings.Contains(log+lines[0].Error.Message, key) {
		t.Errorf("the key is told: %s %+v", log, lines[0].Error)
	}
}
