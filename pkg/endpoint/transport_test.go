package endpoint

import (
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSocketNames(t *testing.T) {
	f := func(url, name, socket, chat string) {
		t.Helper()
		a, err := parseURL(url)
		if err != nil || a.name != name || a.socket != socket || a.url("/v1/chat/completions").String() != chat {
			t.Errorf("%s: %v\n%s %s %s", url, err, a.name, a.socket, a.url("/v1/chat/completions"))
		}
	}
	const usual = "http://localhost/v1/chat/completions"
	for _, url := range []string{"unix:/run/x.sock", "unix:///run/x.sock", "http+unix:///run/x.sock", "http+unix://%2Frun%2Fx.sock",
		"unix:/run/x.sock/v1", "unix:/run/x.sock:/v1/", "http+unix://%2frun%2fx.sock/v1/chat/completions", " unix:/run/x.sock "} {
		f(url, "unix:/run/x.sock", "/run/x.sock", usual)
	}
	f("unix:x.sock", "unix:x.sock", "x.sock", usual)
	f("unix:/run/x.sock:/openai/v4", "unix:/run/x.sock:/openai/v4", "/run/x.sock", "http://localhost/openai/v4/chat/completions")
	f("unix:/run/x.sock?key="+secret, "unix:/run/x.sock", "/run/x.sock", usual+"?key="+secret)
	bad := func(url, want string) {
		t.Helper()
		if _, err := parseURL(url); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v, want %s", url, err, want)
		}
	}
	f("unix:@vllm", "unix:@vllm", "@vllm", usual)
	bad("unix://u:"+secret+"@/run/x.sock", "no user and password")
	bad("unix:", "names no socket")
	bad("unix:?key="+secret, "names no socket")
	bad("http+unix:///", "names no socket")
	bad("unix:/"+strings.Repeat("a", 200), "at most 107 bytes")
}

func TestSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	e := newEndpoint(t, Config{URL: "unix:" + path, Proxy: true})
	if reply := ask(t, e, false); reply.Error == nil || reply.Error.Code != "connect" || reply.Error.Message != path+": no such socket" {
		t.Errorf("%+v", reply.Error)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Host+r.URL.Path) }))
	s.Listener.Close()
	s.Listener = l
	s.Start()
	t.Cleanup(s.Close)
	for range 3 {
		if reply := ask(t, e, false); reply.Error != nil || received(&reply) != "localhost/v1/chat/completions" {
			t.Errorf("%+v %s", reply.Error, received(&reply))
		}
	}
}

func TestCAFile(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ca := file("ca.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}))
	if reply := ask(t, newEndpoint(t, Config{URL: s.URL, CAFile: ca}), false); reply.Error != nil || received(&reply) != "HTTP/1.1" {
		t.Errorf("%+v %s", reply.Error, received(&reply))
	}
	if reply := ask(t, newEndpoint(t, Config{URL: s.URL}), false); reply.Error == nil || reply.Error.Code != "tls" {
		t.Errorf("without the file: %+v", reply.Error)
	}
	f := func(path, want string) {
		t.Helper()
		if _, err := New(Config{URL: s.URL, CAFile: path}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	f(file("no.pem", []byte("hello")), "holds none in PEM")
	f(filepath.Join(dir, "missing"), "no such file")
}
