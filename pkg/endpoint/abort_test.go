package endpoint

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// sglangServer answers as handle says and notes what it was asked.
type sglangServer struct {
	mu    sync.Mutex
	asked []string
}

func (s *sglangServer) serve(t *testing.T, handle http.HandlerFunc) string {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/server_info" {
			io.WriteString(w, `{"model_path":"m","version":"0.5.6"}`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.asked = append(s.asked, r.URL.Path+" "+string(body))
		s.mu.Unlock()
		if r.URL.Path != "/abort_request" {
			handle(w, r)
		}
	})
}

func (s *sglangServer) all() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.asked, "\n")
}

// ample is time for a server to see a request, also on a busy machine.
const ample = 500 * time.Millisecond

func TestAbandonedRequestsAreAborted(t *testing.T) {
	const named, abort = `/generate {"rid":"ex_1","text":"a"}`, "\n" + `/abort_request {"rid":"ex_1"}`
	hang := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	half := func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "half")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(code) }
	}
	f := func(name string, handle http.HandlerFunc, code string, want string) {
		t.Helper()
		var s sglangServer
		var limits Timeouts
		if strings.HasPrefix(code, "timeout.") {
			limits = Timeouts{FirstByte: ample, Idle: ample}
		}
		e := newEndpoint(t, Config{URL: s.serve(t, handle), Timeouts: limits})
		if _, ok := e.Info(t.Context()); !ok {
			t.Fatal("no SGLang")
		}
		e.pool.quiet = 0
		reply := e.Do(t.Context(), Request{Path: "/generate", Body: []byte(`{"text":"a"}`), RequestID: "ex_1"})
		if (reply.Error == nil) != (code == "") || code != "" && reply.Error.Code != code {
			t.Errorf("%s: %+v, want %s", name, reply.Error, code)
		}
		if got := s.all(); got != want || reply.Aborted != strings.Contains(want, "abort") {
			t.Errorf("%s: aborted %v, asked\n%s\nwant\n%s", name, reply.Aborted, got, want)
		}
	}
	f("silent", hang, "timeout.first-byte", named+abort)
	f("silent in the middle", half, "timeout.idle", named+abort)
	f("cut", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "connect", named+"\n"+named+abort) // the first time on a used connection
	f("a gateway gave up", status(504), "http.5xx", named+abort)
	f("refused", status(400), "http.4xx", named)
	f("busy", status(503), "http.5xx", named)
	f("answered", status(200), "", named)
}

func TestGivenUpByTheCallerIsAborted(t *testing.T) {
	var s sglangServer
	ctx, cancel := context.WithCancel(t.Context())
	e := newEndpoint(t, Config{URL: s.serve(t, func(w http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})})
	e.Info(t.Context())
	reply := e.Do(ctx, Request{Path: "/generate", Body: []byte(`{"text":"a"}`), RequestID: "ex_2"})
	if reply.Error == nil || reply.Error.Code != "aborted" || !reply.Aborted || !strings.HasSuffix(s.all(), `/abort_request {"rid":"ex_2"}`) {
		t.Errorf("%+v, aborted %v\n%s", reply.Error, reply.Aborted, s.all())
	}
}

// Servers that did not say they are SGLang see no name and no abort.
func TestOthersAreNotAborted(t *testing.T) {
	var s sglangServer
	e := newEndpoint(t, Config{
		URL:      s.serve(t, func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }),
		Timeouts: Timeouts{FirstByte: ample},
	})
	reply := e.Do(t.Context(), Request{Path: "/generate", Body: []byte(`{"text":"a"}`), RequestID: "ex_1"})
	if s.all() != `/generate {"text":"a"}` || reply.Aborted {
		t.Errorf("asked %s, aborted %v", s.all(), reply.Aborted)
	}
}

// A server that is gone, or answers no abort, does not hold anybody up for ever.
func TestAbortOfADeadServer(t *testing.T) {
	t.Parallel()
	url := raw(t, func(c *net.TCPConn) { untilClosed(c) })
	e := newEndpoint(t, Config{URL: url, Timeouts: Timeouts{FirstByte: 30 * time.Millisecond}})
	e.aborts.Store(true)
	if reply := e.Do(t.Context(), Request{Path: "/generate", Body: []byte(`{"text":"a"}`), RequestID: "ex_1"}); reply.Aborted {
		t.Error("aborted")
	}
}

func TestWithName(t *testing.T) {
	f := func(body, want string) {
		t.Helper()
		if got := string(withName([]byte(body), `a"b`)); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	f(`{"text":"x"}`, `{"rid":"a\"b","text":"x"}`)
	f(" \n{ \"text\" : 1 } ", "{\"rid\":\"a\\\"b\",\"text\" : 1 } ")
	f(`{"a":"rid"}`, `{"rid":"a\"b","a":"rid"}`)
	f(`{"rid":"own"}`, "")
	f(`{}`, "")
	f(`[1]`, "")
	f("", "")
}
