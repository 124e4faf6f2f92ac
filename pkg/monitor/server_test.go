package monitor

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// serve shows figures on a free port until the test ends, or stop is called.
func serve(t *testing.T, f *Figures) (s *Server, stop func()) {
	t.Helper()
	s, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if f != nil {
		s.Publish(f)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	stopped := false
	stop = func() {
		cancel()
		if !stopped {
			stopped = true
			if err := <-ended; err != nil {
				t.Errorf("serve: %v", err)
			}
		}
	}
	t.Cleanup(stop)
	return s, stop
}

func ask(t *testing.T, method, url, host string) (status int, header http.Header, body string) {
	t.Helper()
	r, err := http.NewRequest(method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(data)
}

func TestPathsAndMethods(t *testing.T) {
	s, _ := serve(t, busy().Figures(live(107), at(120)))
	f := func(method, path string, status int, contentType string) {
		t.Helper()
		got, h, _ := ask(t, method, s.URL()+path, "")
		if got != status || !strings.HasPrefix(h.Get("Content-Type"), contentType) {
			t.Errorf("%s /%s: %d, %s", method, path, got, h.Get("Content-Type"))
		}
		if csp := h.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'") || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s /%s: %v", method, path, h)
		}
	}
	f("GET", "", 200, "text/html")
	f("HEAD", "", 200, "text/html")
	f("GET", "page.css", 200, "text/css")
	f("GET", "page.js", 200, "text/javascript")
	f("GET", "api/run", 200, "application/json")
	f("GET", "metrics", 200, "text/plain; version=0.0.4")
	f("HEAD", "events", 200, "text/event-stream")
	f("GET", "nothing", 404, "")
	f("GET", "page/page.html", 404, "")
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
		f(method, "", 405, "text/plain")
		f(method, "api/run", 405, "text/plain")
	}
}

// A page of another site that has a name of its own led here sees nothing.
func TestHostIsChecked(t *testing.T) {
	s, _ := serve(t, busy().Figures(live(107), at(120)))
	f := func(host string, status int) {
		t.Helper()
		if got, _, body := ask(t, "GET", s.URL()+"api/run", host); got != status {
			t.Errorf("Host %s: %d %s", host, got, body)
		}
	}
	f("localhost:1234", 200)
	f("LOCALHOST", 200)
	f("127.0.0.1", 200)
	f("[::1]:9090", 200)
	f("192.0.2.7:9090", 200)
	f("evil.example", 403)
	f("localhost.evil.example:9090", 403)
	f("127.0.0.1.evil.example", 403)
}

func TestHosts(t *testing.T) {
	f := func(given, header string, want bool) {
		t.Helper()
		if got := (hosts{given: given, own: "node7"}).allow(header); got != want {
			t.Errorf("--monitor %s:1, Host %s: %v", given, header, got)
		}
	}
	f("0.0.0.0", "node7:9090", true)
	f("0.0.0.0", "node7.evil.example:9090", false)
	f("monitor.example", "monitor.example", true)
	f("monitor.example", "Monitor.Example.", true)
	f("0.0.0.0", "", false)
	f("0.0.0.0", ":9090", false)
}

func TestParseAddr(t *testing.T) {
	f := func(addr, host, port string) {
		t.Helper()
		h, p, err := ParseAddr(addr)
		if h != host || p != port || (err != nil) != (port == "") {
			t.Errorf("%s: %s, %s, %v", addr, h, p, err)
		}
	}
	f(":9090", "127.0.0.1", "9090")
	f("9090", "127.0.0.1", "9090")
	f("0.0.0.0:0", "0.0.0.0", "0")
	f("[::1]:80", "::1", "80")
	f("host.example:1", "host.example", "1")
	f("host", "", "")
	f(":99999", "", "")
	f("a:b:c", "", "")
	f("", "", "")
}

func TestPortInUse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := Listen(l.Addr().String()); !errors.Is(err, syscall.EADDRINUSE) {
		t.Errorf("%v", err)
	}
}

func TestBeforeTheFirstFigures(t *testing.T) {
	s, _ := serve(t, nil)
	for _, path := range []string{"", "api/run", "metrics"} {
		if status, h, _ := ask(t, "GET", s.URL()+path, ""); status != 503 || h.Get("Retry-After") == "" {
			t.Errorf("/%s: %d", path, status)
		}
	}
}

// event reads one event: a page.
func event(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			var page string
			if err := json.Unmarshal([]byte(data), &page); err != nil {
				t.Fatal(err)
			}
			return page
		}
	}
}

// Whoever looks gets each page, and the last one although the run ends at once.
func TestEventsUntilTheEnd(t *testing.T) {
	b := busy()
	s, stop := serve(t, b.Figures(live(107), at(120)))
	resp, err := http.Get(s.URL() + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	events := bufio.NewReader(resp.Body)
	if page := event(t, events); !strings.Contains(page, `data-state="running"`) {
		t.Error(page)
	}
	s.Publish(b.Figures(live(110), at(121)))
	if page := event(t, events); !strings.Contains(page, "<b>110</b> of 200 done") {
		t.Error(page)
	}
	l := live(111)
	l.State, l.Exit, l.Why = Stopped, 76, "41 answers without thinking\nhint: start the server with --reasoning-parser"
	s.Publish(b.Figures(l, at(122)))
	stop()
	page := event(t, events)
	for _, want := range []string{`data-state="stopped"`, "exit 76", "<p>41 answers without thinking</p>", "<b>111</b> of 200 done"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
	if rest, err := io.ReadAll(events); err != nil || strings.TrimSpace(string(rest)) != "" {
		t.Errorf("%v: %q", err, rest)
	}
}

// A client that does not read holds up neither the figures nor the end.
func TestSlowClientsAreLeft(t *testing.T) {
	b := busy()
	s, stop := serve(t, b.Figures(live(107), at(120)))
	for range 3 {
		c, err := net.Dial("tcp", s.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		io.WriteString(c, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
	}
	for i := range 200 {
		s.Publish(b.Figures(live(107), at(121+float64(i))))
	}
	stop() // comes back
}

// There are only so many connections; the next waits until one is closed.
func TestConnectionsAreLimited(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := limit(inner, 1)
	accepted := make(chan net.Conn, 2)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				close(accepted)
				return
			}
			accepted <- c
		}
	}()
	for range 2 {
		c, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	first := <-accepted
	if len(accepted) != 0 {
		t.Error("the second did not wait")
	}
	first.Close()
	first.Close() // gives one place back
	<-accepted
	l.Close()
	if _, open := <-accepted; open {
		t.Error("a third")
	}
}
