package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/provenance"
)

// told holds an exit code and words that a run must tell.
func told(t *testing.T, want int, words []string, args ...string) (stdout string) {
	t.Helper()
	code, out, log := gen(t, `{"id":"a","prompt":"q"}`, append(args, "--progress", "never")...)
	if code != want {
		t.Errorf("%v: exit %d, want %d\n%s", args, code, want, log)
	}
	for _, w := range words {
		if !strings.Contains(log, w) {
			t.Errorf("%v: %q is not told:\n%s", args, w, log)
		}
	}
	return out + log
}

func TestUnreachable(t *testing.T) {
	gone := closedPort(t)
	told(t, 69, []string{gone + ": ", "connection refused", "is the server up, and the address right? curl '" + gone + "/v1/models' tells"}, "--server", gone)
	told(t, 69, []string{"no such socket", "curl --unix-socket '/no/such.sock' 'http://localhost/openai/v1/models'"}, "--server", "unix:/no/such.sock:/openai")
	busy := deafPort(t)
	told(t, 69, []string{busy + ": no connection to ", "within 300ms"}, "--server", busy, "--timeout", "connect=300ms")
}

// deafPort is the URL of a server that takes no connection: as many wait already as
// its queue holds.
func deafPort(t *testing.T) string {
	t.Helper()
	open := func() int {
		fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { syscall.Close(fd) })
		return fd
	}
	server := open()
	err := errors.Join(syscall.Bind(server, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}), syscall.Listen(server, 0))
	at, nameErr := syscall.Getsockname(server)
	if err = errors.Join(err, nameErr); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		waiting := open()
		syscall.SetNonblock(waiting, true)
		syscall.Connect(waiting, at)
	}
	return fmt.Sprintf("http://127.0.0.1:%d", at.(*syscall.SockaddrInet4).Port)
}

// TestWrongKey: a server that refuses says why, and the key is not told.
func TestWrongKey(t *testing.T) {
	const key = "sk-very-secret-0123456789"
	t.Setenv("GEN_TEST_KEY", key)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models" && r.URL.RawQuery == "" && r.Header.Get("X-Open") == "" {
			w.WriteHeader(401)
		} else if r.URL.Path == "/v1/models" {
			io.WriteString(w, `{"data":[{"id":"m"}]}`)
			return
		} else {
			w.WriteHeader(403)
		}
		io.WriteString(w, `{"error":{"message":"`+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")+` may not ask"}}`)
	}))
	t.Cleanup(s.Close)
	t.Setenv("GEN_TEST_OPEN", "open")
	archive := filepath.Join(t.TempDir(), "raw.jsonl")
	f := func(words []string, flags ...string) {
		t.Helper()
		if all := told(t, 76, words, append(flags, "--server", s.URL, "-o", archive)...); strings.Contains(all, key) {
			t.Errorf("%v: the key is told:\n%s", flags, all)
		}
	}
	f([]string{"401 Unauthorized", "may not ask", "--api-key-env NAME"})
	f([]string{"401 Unauthorized", "*** may not ask", "with this key"}, "--api-key-env", "GEN_TEST_KEY")
	f([]string{"403 Forbidden", "*** may not ask", "with this key", "nothing was marked as failed", "1 pending"},
		"--api-key-env", "GEN_TEST_KEY", "--header", "X-Open=env:GEN_TEST_OPEN")
}

// TestLockedArchive: the second run names the process that has the archive.
func TestLockedArchive(t *testing.T) {
	arrived := make(chan bool, 1)
	url, _ := simulated(t, "stall=1", func() {
		select {
		case arrived <- true:
		default:
		}
	})
	archive := filepath.Join(t.TempDir(), "raw.jsonl")
	p := start(t, "--server", url, "-o", archive, "--grace", "0s")
	io.WriteString(p.in, prompts(1))
	<-arrived
	told(t, 75, []string{"is being written by process " + strconv.Itoa(p.Process.Pid)}, "--server", url, "-o", archive)
	p.Process.Signal(syscall.SIGTERM)
	p.in.Close()
	p.status()
}

// TestAdvice: a hint is about the command that was given.
func TestAdvice(t *testing.T) {
	const all, resumes = "without -o the same command asks everything again; where standard output was kept in FILE, --skip-done FILE", "the same command resumes"
	archive := func() string { return filepath.Join(t.TempDir(), "raw.jsonl") }
	f := func(want int, words, not string, args ...string) {
		t.Helper()
		out := told(t, want, strings.Split(words, "|"), args...)
		for word := range strings.SplitSeq(not, "|") {
			if not != "" && strings.Contains(out, word) {
				t.Errorf("%v: %q is told:\n%s", args, word, out)
			}
		}
	}
	few := []string{"--server", "sim:?latency=0", "--expect-count", "2"}
	f(3, "what came of them is on standard output", "archived;", few...)
	f(3, "what came of them is archived", "", append(few, "-o", archive())...)

	overdue := []string{"--server", "sim:?latency=0&fail=500:1", "--deadline", "1ms", "--no-probe"}
	f(75, all, resumes, overdue...)
	f(75, resumes, "without", append(overdue, "-o", archive())...)
	f(75, resumes+" without --no-resume", "", append(overdue, "-o", archive(), "--no-resume")...)

	refused := []string{"--server", "sim:?latency=0&fail=401:1"}
	f(76, "nothing was marked as failed: "+all, resumes, refused...)
	f(76, "nothing was marked as failed: "+all, resumes, append(refused, "--no-probe")...)
	f(76, "nothing was marked as failed: "+resumes, "without", append(refused, "-o", archive())...)

	full := []string{"--server", "sim:?latency=0&context=20", "--max-tokens", "20", "--no-probe"}
	f(1, "--clamp-max-tokens asks for those that are left", "--retry", full...)
	f(1, "with --retry context-overflow of dead ones", "", append(full, "-o", archive())...)
	f(1, "context-overflow", "--clamp-max-tokens", append(full, "--attempts", "1")...)

	bad := []string{"--server", "sim:?latency=0&bad-after=1", "--require", "reasoning", "--no-probe", "--samples", "40", "--seed", "1"}
	f(76, "what was made is on standard output|this one is simulated", "is kept|"+resumes, bad...)
	f(76, "what was made is kept", "standard output", append(bad, "-o", archive())...)

	cut := []string{"--server", "sim:?latency=0"}
	f(0, "; --max-tokens N allows more", "", append(cut, "--max-tokens", "8")...)
	f(0, "; --long-max-tokens N allows more", "", append(cut, "--short-concurrency", "1", "--long-concurrency", "1", "--short-max-tokens", "7", "--long-max-tokens", "8")...)

	field := []string{"--server", "sim:?latency=0", "--require", "reasoning-field"}
	f(76, "SGLang splits it off with --reasoning-parser kimi_k2|this one is simulated: parser=on|gen probe shows", "", field...)
	f(76, "completions and generate never are", "SGLang splits", append(field, "--api", "completions", "--max-tokens", "999")...)
	code, _, log := gen(t, "", append([]string{"probe"}, field...)...)
	if code != 76 || !strings.Contains(log, "SGLang splits it off") || strings.Contains(log, "gen probe shows") {
		t.Errorf("exit %d, gen probe advises gen probe:\n%s", code, log)
	}
}

// TestRehearsal: options of a real server are named with those of the simulated one
// only where that answers.
func TestRehearsal(t *testing.T) {
	p := probed{info: provenance.Server{Engine: "vllm", Version: "0.20.0"}}
	if got := p.rehearsal(); got != nil {
		t.Errorf("of vLLM: %q", got)
	}
	f := func(engine, word string, want bool) {
		t.Helper()
		p := probed{info: provenance.Server{Engine: engine}, seen: seen{thought: 5, source: "content"}}
		_, off := noThinking.lack(&p)
		p.seen.thought = 0
		_, on := thinking.lack(&p)
		if got := strings.Contains(strings.Join(append(off, on...), "\n"), word); got != want {
			t.Errorf("%s: %s is told: %v", engine, word, got)
		}
	}
	f("vllm", "--reasoning-budget", false)
	f("llama.cpp", "--reasoning-budget", true)
	f("", "--reasoning-budget", true)
}

// The hint of a refusal is about what the server refuses.
func TestRefusalHints(t *testing.T) {
	for status, hint := range map[int]string{
		302: "is elsewhere: --server takes the URL", 401: "--api-key-env NAME", 402: "has no credit left",
		404: "--api and --model choose others", 407: "wants user and password in its URL",
	} {
		url := server(t, func(w http.ResponseWriter, _ string) { w.WriteHeader(status) })
		told(t, 76, []string{strconv.Itoa(status), "hint: ", hint}, "--server", url, "--model", "m", "--no-probe")
	}
	s := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	told(t, 69, []string{"x509: ", "hint: --ca-file FILE trusts"}, "--server", s.URL)
}

// A server is named once.
func TestModelHints(t *testing.T) {
	for body, words := range map[string]string{
		`{"data":[]}`:                      " names no model\n",
		`{"data":[{"id":"a"},{"id":"b"}]}`: " serves 2 models, name one of them: ",
		`<html>`:                           "/v1/models: not JSON: ",
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) }))
		t.Cleanup(s.Close)
		told(t, 76, []string{"gen: " + s.URL + words, "hint: --model NAME names the model"}, "--server", s.URL)
	}
}
