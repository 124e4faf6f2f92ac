package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// clampedLine is what the clamp tests look at in a line.
type clampedLine struct {
	Retried, Dead bool
	Error         *struct{ Code string }
	Request       struct {
		Body        json.RawMessage
		SHA256      string `json:"sha256"`
		Fingerprint string
		ClampedFrom int64 `json:"clamped_from"`
	}
}

func readClamped(t *testing.T, path string) (lines []clampedLine) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var l clampedLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(l.Request.Body); hex.EncodeToString(sum[:]) != l.Request.SHA256 {
			t.Errorf("the sha256 is not that of the body as it was sent: %s", line)
		}
		lines = append(lines, l)
	}
	return lines
}

// maxTokensOf is what a line asked for.
func (l *clampedLine) maxTokens() int {
	var q struct {
		MaxTokens int `json:"max_tokens"`
	}
	json.Unmarshal(l.Request.Body, &q)
	return q.MaxTokens
}

// TestClamp: what does not fit the context is asked again with what is left, the
// archive says so, and the same command resumes it.
func TestClamp(t *testing.T) {
	const input = `{"id":"a","prompt":"one two three"}`
	for _, engine := range []string{"sglang", "vllm"} {
		archive := filepath.Join(t.TempDir(), "raw.jsonl")
		args := []string{"--server", "sim:?latency=0&context=100&tokens=20&engine=" + engine, "--max-tokens", "100", "--progress", "never", "-o", archive}
		code, _, log := gen(t, input, append(args, "--clamp-max-tokens")...)
		if code != 0 || !strings.Contains(log, "1 done") || !strings.Contains(log, "(1 with clamped max_tokens)") {
			t.Fatalf("%s: exit %d\n%s", engine, code, log)
		}
		lines := readClamped(t, archive)
		if len(lines) != 2 || lines[0].Error == nil || lines[0].Error.Code != "context-overflow" || !lines[0].Retried || lines[0].Dead || lines[1].Error != nil {
			t.Fatalf("%s: %+v", engine, lines)
		}
		if n := lines[1].maxTokens(); n >= 100 || n < 90 || lines[1].Request.ClampedFrom != 100 || lines[0].Request.ClampedFrom != 0 {
			t.Errorf("%s: asked for %d, clamped from %d", engine, n, lines[1].Request.ClampedFrom)
		}
		if code, _, log := gen(t, input, args...); code != 0 || !strings.Contains(log, "(1 done before)") {
			t.Errorf("%s: resumed: exit %d\n%s", engine, code, log)
		}
	}
}

// Without the flag, with one attempt, and where nothing is left, it is dead.
func TestOverflowIsDead(t *testing.T) {
	f := func(prompt string, flags ...string) {
		t.Helper()
		args := append([]string{"--server", "sim:?latency=0&context=20", "--max-tokens", "20", "--progress", "never"}, flags...)
		code, out, log := gen(t, fmt.Sprintf(`{"id":"a","prompt":%q}`, prompt), args...)
		if code != 1 || !strings.Contains(log, "1 dead") || !strings.Contains(out, `"dead":true`) || strings.Count(out, "\n") != 1 {
			t.Errorf("%q %v: exit %d\n%s%s", prompt, flags, code, out, log)
		}
		if advises := strings.Contains(log, "the prompt fits"); advises != (prompt == "one two" && len(flags) == 0) {
			t.Errorf("%q %v: advises %v", prompt, flags, advises)
		}
	}
	f("one two")
	f("one two", "--clamp-max-tokens", "--attempts", "1")
	f(strings.Repeat("word ", 30), "--clamp-max-tokens")
}

// vLLM since 0.13 does not count a prompt that it refuses: it is asked. It also
// wants one token more than it says.
func TestClampAsksForTheCount(t *testing.T) {
	const words = `{"error":{"message":"You passed 11 input tokens and requested 90 output tokens. However, the model's context length is only 100 tokens, ` +
		`resulting in a maximum input length of 10 tokens. Please reduce the length of the input prompt.","type":"BadRequestError"}}`
	counts := true
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			MaxTokens int `json:"max_tokens"`
		}
		json.NewDecoder(r.Body).Decode(&q)
		switch {
		case r.URL.Path == "/v1/models":
			io.WriteString(w, `{"data":[{"id":"m"}]}`)
		case r.URL.Path == "/tokenize" && counts:
			io.WriteString(w, `{"count":40,"max_model_len":100,"tokens":[]}`)
		case r.URL.Path != "/v1/chat/completions":
			http.NotFound(w, r)
		case q.MaxTokens > 59:
			w.WriteHeader(400)
			io.WriteString(w, words)
		default:
			io.WriteString(w, `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`)
		}
	}))
	t.Cleanup(s.Close)
	archive := filepath.Join(t.TempDir(), "raw.jsonl")
	ask := func(id string) (int, string) {
		code, _, log := gen(t, fmt.Sprintf(`{"id":%q,"prompt":"q"}`, id), "--server", s.URL, "--max-tokens", "90", "--clamp-max-tokens", "--progress", "never", "-o", archive)
		return code, log
	}
	if code, log := ask("a"); code != 0 {
		t.Fatalf("exit %d\n%s", code, log)
	}
	var asked []int
	for _, l := range readClamped(t, archive) {
		asked = append(asked, l.maxTokens())
	}
	if fmt.Sprint(asked) != "[90 60 59]" {
		t.Errorf("asked for %v", asked)
	}
	counts = false
	if code, log := ask("b"); code != 1 || !strings.Contains(log, "1 dead") {
		t.Errorf("without a count: exit %d\n%s", code, log)
	}
}
