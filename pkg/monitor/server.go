package monitor

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

// Limits of what a client may cost the run.
const (
	readTimeout  = 5 * time.Second // of a request
	writeTimeout = 5 * time.Second // of a page, or of one event
	idleTimeout  = time.Minute
	maxHeader    = 16 << 10
	maxClients   = 64 // connections at a time; others wait
	farewell     = 2 * time.Second
)

// Server shows the latest figures. Its methods may be used by several goroutines.
type Server struct {
	listener net.Listener
	hosts    hosts
	site     *site

	mu      sync.Mutex
	figures *Figures
	fresh   chan struct{} // closed when there are newer figures
}

// Listen opens the address, see [ParseAddr]: figures are shown as soon as Serve
// is called.
func Listen(addr string) (*Server, error) {
	host, port, err := ParseAddr(addr)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	return &Server{listener: limit(l, maxClients), hosts: newHosts(host), site: newSite(), fresh: make(chan struct{})}, nil
}

// URL is where the page is.
func (s *Server) URL() string { return "http://" + s.hosts.shown(s.listener.Addr()) + "/" }

// Publish shows figures from now on. They must not be changed any more.
func (s *Server) Publish(f *Figures) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.figures = f
	close(s.fresh)
	s.fresh = make(chan struct{})
}

// latest are the figures now, and what is closed when they are old.
func (s *Server) latest() (*Figures, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.figures, s.fresh
}

// Serve answers until ctx is done. Then whoever looks is sent what was published
// last, for two seconds at most. The error says why it ended before.
func (s *Server) Serve(ctx context.Context) error {
	ctx, ending := context.WithCancel(ctx)
	defer ending()
	server := &http.Server{
		Handler: s.handler(ctx), ReadHeaderTimeout: readTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader, ErrorLog: log.New(io.Discard, "", 0),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(s.listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	// Its own time: that of ctx is over.
	patience, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	if server.Shutdown(patience) != nil {
		server.Close()
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Close gives the address back when Serve is not called.
func (s *Server) Close() error { return s.listener.Close() }

// limited is a listener with at most so many connections at a time.
type limited struct {
	net.Listener
	free   chan struct{}
	closed chan struct{}
	once   sync.Once
}

func limit(l net.Listener, n int) net.Listener {
	return &limited{Listener: l, free: make(chan struct{}, n), closed: make(chan struct{})}
}

func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.free <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	return &counted{Conn: c, free: l.free}, nil
}

func (l *limited) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// counted is a connection that gives its place back.
type counted struct {
	net.Conn
	free chan struct{}
	once sync.Once
}

func (c *counted) Close() error {
	c.once.Do(func() { <-c.free })
	return c.Conn.Close()
}
