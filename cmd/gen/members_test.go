package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestServersFile lets servers join, leave and come back while a run goes on.
func TestServersFile(t *testing.T) {
	var a, b atomic.Int64
	urlA, _ := simulated(t, "latency=10ms&tokens=20", func() { a.Add(1) })
	urlB, _ := simulated(t, "latency=10ms&tokens=20", func() { b.Add(1) })
	other := server(t, func(http.ResponseWriter, string) { t.Error("a server with another model was asked") })
	gone := closedPort(t)
	file := filepath.Join(t.TempDir(), "servers")
	list := func(lines ...string) { write(t, file, strings.Join(lines, "\n")) }
	more := func(n *atomic.Int64) {
		t.Helper()
		before := n.Load()
		await(t, "requests", func() bool { return n.Load() > before+5 })
	}

	list("# the first", urlA+" # here", "", "concurrency=2")
	p := start(t, "--servers-file", file, "-c", "7", "-o", filepath.Join(t.TempDir(), "raw.jsonl"))
	hangUp := func(words string) {
		t.Helper()
		p.Process.Signal(syscall.SIGHUP)
		p.logs(words)
	}
	feeding := make(chan bool)
	go func() {
		defer p.in.Close()
		for i := int64(0); ; i++ {
			for i > a.Load()+b.Load()+20 { // not far ahead
				select {
				case <-feeding:
					return
				case <-time.After(time.Millisecond):
				}
			}
			fmt.Fprintf(p.in, `{"id":"p%d","prompt":"q%d"}`+"\n", i, i)
		}
	}()
	more(&a)
	list(urlA, urlB, gone, other)
	hangUp("4 listed, 3 new, 0 gone; up to 7 requests in flight")
	p.logs(urlB + " joins")
	p.logs("connection refused; it joins once it answers")
	p.logs("this run asks")
	more(&b)

	list(urlB, "ftp://nowhere")
	hangUp("the servers stay as they are")
	list(urlB, "short-concurrency=3")
	hangUp(`"short-concurrency"= does not fit the lanes of this run: concurrency`)
	more(&a)

	list(urlB)
	hangUp("1 listed, 0 new, 3 gone; up to 7 requests in flight")
	await(t, "the last answers of a server that left", func() bool {
		before := a.Load()
		more(&b)
		return a.Load() == before
	})
	list(urlA)
	hangUp("1 listed, 1 new, 1 gone")
	p.logs(urlA + " joins")
	more(&a)
	close(feeding)
	if status := p.status(); status != 0 || !strings.Contains(p.log.String(), " 0 failed + 0 dead + 0 bad + 0 pending") {
		t.Errorf("%v\n%s", status, p.log.String())
	}
	for _, url := range []string{urlA, urlB} {
		if n := strings.Count(p.log.String(), url+" joins"); n != 1 {
			t.Errorf("%s joins %d times\n%s", url, n, p.log.String())
		}
	}
}

// closedPort is the URL of a server that is not there.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	return "http://" + l.Addr().String()
}

// A server that cannot be reached when the run begins does not keep the others
// from working, and joins when it is there.
func TestAwayAtFirst(t *testing.T) {
	url, _ := simulated(t, "latency=0&tokens=20", nil)
	gone := closedPort(t)
	code, _, log := gen(t, prompts(8), "--server", gone, "--server", url, "--progress", "never")
	if code != 0 || !strings.Contains(log, "8 done") || !strings.Contains(log, "connection refused; the others are asked") {
		t.Errorf("exit %d\n%s", code, log)
	}
	if code, _, log := gen(t, prompts(8), "--server", gone, "--server", closedPort(t), "--progress", "never"); code != 69 {
		t.Errorf("with none: exit %d\n%s", code, log)
	}
	p := start(t, "--server", gone, "--server", url)
	io.WriteString(p.in, prompts(1))
	p.logs("connection refused; the others are asked")
	l, err := net.Listen("tcp", strings.TrimPrefix(gone, "http://"))
	if err != nil {
		t.Skip("the port was taken meanwhile")
	}
	late := &http.Server{Handler: forward(t, url)}
	go late.Serve(l)
	t.Cleanup(func() { late.Close() })
	p.logs(gone + " joins")
	p.in.Close()
	if status := p.status(); status != 0 {
		t.Errorf("%v\n%s", status, p.log.String())
	}
}

// forward serves as another server does.
func forward(t *testing.T, url string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, err := http.NewRequestWithContext(r.Context(), r.Method, url+r.URL.Path, r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			if r.Context().Err() == nil { // nobody went away
				t.Error(err)
			}
			return
		}
		defer resp.Body.Close()
		w.WriteHeader(resp.StatusCode)
		io.Copy(w, resp.Body)
	})
}

func TestReadFleet(t *testing.T) {
	file := filepath.Join(t.TempDir(), "servers")
	f := func(text, urls, slots, fault string) {
		t.Helper()
		write(t, file, text)
		got, err := readFleet(file)
		if fault != "" {
			if err == nil || !strings.Contains(err.Error(), fault) {
				t.Errorf("%q: %v, want %q", text, err, fault)
			}
			return
		}
		if err != nil || fmt.Sprint(got.urls) != urls || fmt.Sprint(got.slots) != slots {
			t.Errorf("%q: %v %v %v", text, got.urls, got.slots, err)
		}
	}
	f("http://a:1\r\n# c\n\n  http://b:2  # d\nconcurrency=3", "[http://a:1 http://b:2]", "map[concurrency:3]", "")
	f("sim:?latency=5ms&slots=3\nlong-concurrency=3\nshort-concurrency=4\n", "[sim:?latency=5ms&slots=3]", "map[long-concurrency:3 short-concurrency:4]", "")
	f("", "", "", "names no server")
	f("concurrency=3\n", "", "", "names no server")
	f("http://a\nconcurrency=0\n", "", "", "servers:2: \"0\" is no number above 0")
	f("http://a\nhttp://a\n", "", "", "servers:2: this server is named twice")
	f("http://user:pass@a/?x-concurrency=5\n", "[http://user:pass@a/?x-concurrency=5]", "map[]", "")
	f("http://user:pass@a 64\n", "", "", "servers:1: a line is one URL")
	f(strings.Repeat("#", maxFleet+1), "", "", "is larger than")
	if _, err := readFleet(file + ".none"); err == nil {
		t.Error("a file that is not there was read")
	}
}
