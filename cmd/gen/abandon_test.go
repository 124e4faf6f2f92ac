package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/simulator"
)

// simulated serves a simulated model; each request to it goes through before.
func simulated(t *testing.T, keys string, before func()) (url string, gauge func(name string) string) {
	t.Helper()
	config, err := simulator.Parse(keys)
	if err != nil {
		t.Fatal(err)
	}
	sim, err := simulator.New(config)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" && before != nil {
			before()
		}
		sim.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL, func(name string) string {
		w := httptest.NewRecorder()
		sim.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
		found := regexp.MustCompile(`(?m)^` + name + ` (\S+)$`).FindStringSubmatch(w.Body.String())
		if found == nil {
			t.Fatalf("no %s in\n%s", name, w.Body)
		}
		return found[1]
	}
}

// eventually waits until a gauge is zero: a server notices in its own time that a
// connection was closed.
func eventually(t *testing.T, gauge func(string) string, name string) {
	t.Helper()
	await(t, name+" to be 0", func() bool { return gauge(name) == "0" })
}

func prompts(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"p%d","prompt":"What is %d plus %d?"}`+"\n", i, i, i)
	}
	return b.String()
}

// TestStalledServer: one of two servers never answers and keeps the slots of those
// who went away without a word. Its requests are aborted and asked elsewhere.
func TestStalledServer(t *testing.T) {
	for engine, running := range map[string]string{"sglang": "sglang:num_running_reqs", "vllm": "vllm:num_requests_running"} {
		zombie := map[string]string{"sglang": "1", "vllm": "0"}[engine]
		well, _ := simulated(t, "latency=5ms&tokens=20&engine="+engine, nil)
		stalled, gauge := simulated(t, "stall=1&slots=4&engine="+engine+"&zombie="+zombie, nil)
		code, out, log := gen(t, prompts(24), "--server", stalled, "--server", well, "-c", "8", "--timeout", "total=300ms", "--progress", "never", "--no-probe")
		if code != 0 || !strings.Contains(log, "24 in = 24 done") {
			t.Fatalf("%s: exit %d\n%s", engine, code, log)
		}
		if n := strings.Count(out, `"code":"timeout.total"`); n < 3 {
			t.Errorf("%s: %d requests stalled: the test shows nothing", engine, n)
		}
		if engine == "sglang" { // aborted before gen asked elsewhere
			if n := gauge("simulator_abandoned"); n != "0" {
				t.Errorf("%s slots are held by abandoned requests", n)
			}
		}
		eventually(t, gauge, running)
	}
}

// TestGraceOver: what a drain gives up keeps no slot either.
func TestGraceOver(t *testing.T) {
	arrived := make(chan bool, 100)
	url, gauge := simulated(t, "stall=1&zombie=1", func() { arrived <- true })
	p := start(t, "--server", url, "-c", "4", "--grace", "50ms", "--no-probe")
	io.WriteString(p.in, prompts(8))
	for range 4 {
		<-arrived
	}
	p.Process.Signal(syscall.SIGTERM)
	if status := p.status(); status.Signal() != syscall.SIGTERM || !strings.Contains(p.log.String(), "given up") {
		t.Errorf("%v\n%s", status, p.log.String())
	}
	eventually(t, gauge, "sglang:num_running_reqs")
	if n := gauge("simulator_aborted_total"); n != "4" {
		t.Errorf("%s of 4 were aborted", n)
	}
}
