package endpoint

import (
	"net/http"
	"sync"
	"time"
)

const (
	// quietTime is how long a connection is left alone behind an answer. A proxy that
	// sends an answer twice sends the second one then, or net/http would take it for
	// the answer to the next request; it closes a connection on which something
	// comes that nobody asked for.
	quietTime = time.Second
	// resting is how many connections rest at most. Where answers come so fast that
	// more would, the one that rested longest has rested enough.
	resting = 64
)

// pool is the connections to a server, each in a transport of its own: they are
// taken in the order in which they came back.
type pool struct {
	open  func() *http.Transport // one that keeps a connection
	quiet time.Duration

	mu     sync.Mutex
	idle   []rested // the one that rests longest first
	closed bool
}

// rested is a connection that nobody uses, by now perhaps closed.
type rested struct {
	*http.Transport
	since time.Time
}

// take is a transport for one exchange, which give takes back.
func (p *pool) take() *http.Transport {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > resting || n > 0 && time.Since(p.idle[0].since) >= p.quiet {
		t := p.idle[0].Transport
		p.idle = p.idle[1:]
		return t
	}
	return p.open()
}

func (p *pool) give(t *http.Transport) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		t.CloseIdleConnections()
		return
	}
	now := time.Now()
	for len(p.idle) > 0 && now.Sub(p.idle[0].since) > idleConn { // its connection is closed
		p.idle[0].CloseIdleConnections()
		p.idle = p.idle[1:]
	}
	p.idle = append(p.idle, rested{t, now})
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.idle {
		r.CloseIdleConnections()
	}
	p.idle, p.closed = nil, true
}
