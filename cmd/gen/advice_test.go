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
	told(t, 69, []string{gone + ": ", "connection refused", "is the server up, and the address right? curl " + gone + "/v1/models tells"}, "--server", gone)
	told(t, 69, []string{"no such socket", "curl --unix-socket '/no/such.sock' http://localhost/openai/v1/models"}, "--server", "unix:/no/such.sock:/openai")
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
