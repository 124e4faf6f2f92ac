package simulator

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// maxRequest bounds a request's body.
const maxRequest = 256 << 20

// Server is a simulated server. It is safe for concurrent use.
type Server struct {
	config   Config
	family   *family
	slots    chan struct{} // nil: no limit
	arrivals arrivals
	active   active
	stats    counters
}

// New returns a server; it listens nowhere yet. The error says what is wrong in c.
func New(c Config) (*Server, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	s := &Server{config: c, family: familyOf(c.Family)}
	if c.Slots > 0 {
		s.slots = make(chan struct{}, c.Slots)
	}
	return s, nil
}

// Serve answers connections of l until ctx is done, and closes l. It returns nil
// when ctx ended it.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	var conns sync.WaitGroup
	server := &http.Server{
		Handler:     s,
		IdleTimeout: s.config.IdleClose,
		ErrorLog:    log.New(io.Discard, "", 0),
		BaseContext: func(net.Listener) context.Context { return context.WithValue(ctx, serving{}, ctx) },
		ConnState: func(_ net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				conns.Add(1)
			case http.StateClosed, http.StateHijacked:
				conns.Done()
			}
		},
	}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	err := server.Serve(l)
	if stop() { // the listener failed
		server.Close()
	}
	conns.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// route is a method and what it does.
type route struct {
	method string
	handle func(s *Server, w http.ResponseWriter, r *http.Request)
}

// routes of an engine, by path.
var routes = map[string]map[string]route{
	"": {
		"/v1/models":           {"GET", (*Server).models},
		"/v1/chat/completions": {"POST", func(s *Server, w http.ResponseWriter, r *http.Request) { s.answer(w, r, chat) }},
		"/v1/completions":      {"POST", func(s *Server, w http.ResponseWriter, r *http.Request) { s.answer(w, r, completion) }},
		"/v1/responses":        {"POST", func(s *Server, w http.ResponseWriter, r *http.Request) { s.answer(w, r, responses) }},
		"/tokenize":            {"POST", (*Server).tokenize},
		"/metrics":             {"GET", (*Server).metrics},
		"/health":              {"GET", func(*Server, http.ResponseWriter, *http.Request) {}},
	},
	"sglang": {
		"/generate":        {"POST", func(s *Server, w http.ResponseWriter, r *http.Request) { s.answer(w, r, generate) }},
		"/abort_request":   {"POST", (*Server).abort},
		"/server_info":     {"GET", (*Server).info},
		"/get_server_info": {"GET", (*Server).info},
		"/health_generate": {"GET", func(*Server, http.ResponseWriter, *http.Request) {}},
	},
	"vllm": {
		"/version": {"GET", (*Server).version},
	},
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Server", "thinkpipe-simulator")
	to, ok := routes[""][r.URL.Path]
	if !ok {
		to, ok = routes[s.config.Engine][r.URL.Path]
	}
	switch {
	case !ok:
		s.write(w, http.StatusNotFound, []byte(`{"detail":"Not Found"}`))
	case to.method != r.Method:
		w.Header().Set("Allow", to.method)
		s.write(w, http.StatusMethodNotAllowed, []byte(`{"detail":"Method Not Allowed"}`))
	default:
		to.handle(s, w, r)
	}
}

// sleep waits; false when the client went away or the request was aborted.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
