package endpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Config describes a server and how to speak to it.
type Config struct {
	// URL is http://host:port or https://…; a path such as /v1 is tolerated and
	// not doubled. A user and password are sent as Basic authorization, a query
	// is added to each request; neither is ever shown. A unix socket is
	// unix:/path, also with a path of the server: unix:/path:/prefix.
	URL      string
	Name     string      // shown instead of the URL, for a server that has none ("sim:?…")
	Timeouts Timeouts    // zero fields are no limit; see DefaultTimeouts
	Header   [][2]string // more request headers; their values count as secrets
	APIKey   string      // sent as "Authorization: Bearer …"
	Proxy    bool        // obey HTTP_PROXY, HTTPS_PROXY and NO_PROXY
	CAFile   string      // PEM certificates to trust besides the system's
	Pulse    *Pulse      // shared with others; nil: one of its own

	// Dial replaces the network, for a server in this process.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Timeouts are the clocks of an exchange; 0 is no limit.
type Timeouts struct {
	Connect   time.Duration // name look-up and TCP, and once more for TLS
	FirstByte time.Duration // from the connection to the first byte of the answer
	Idle      time.Duration // without any byte, once bytes came; headers must be whole within it
	Total     time.Duration // of everything, waiting for a connection included
}

// DefaultTimeouts are those of the command line: an answer that is not streamed
// may be silent for as long as it takes. Dead hosts are found by TCP keep-alive.
func DefaultTimeouts() Timeouts {
	return Timeouts{Connect: 10 * time.Second, Idle: 10 * time.Minute}
}

const (
	// idleConn is shorter than the 5 s after which uvicorn, and so SGLang and
	// vLLM, close an idle connection: requests seldom meet a closing one.
	idleConn = 4 * time.Second
	// maxHeader is far above what any server sends.
	maxHeader = 1 << 20
	// maxBody keeps a server that never stops from eating all memory. As text in
	// an archive it still fits the longest line that the filters read by default.
	maxBody = 512 << 20
	// readBuffer is per connection; larger reads go past it to the caller's buffer.
	readBuffer = 4 << 10
)

// Endpoint is one server.
type Endpoint struct {
	address
	timeouts Timeouts
	pulse    *Pulse
	header   http.Header
	host     string   // a Host header of the caller's
	secrets  []string // never to be shown
	pool     pool
	fresh    *http.Transport // never reuses a connection
	maxBody  int64
	aborts   atomic.Bool // the server gives up requests by their name
}

// New checks the configuration. It does not connect.
func New(c Config) (*Endpoint, error) {
	a, err := parseURL(c.URL)
	if err != nil {
		return nil, err
	}
	if c.Name != "" {
		a.name, a.renamed = c.Name, true
	}
	roots, err := c.roots()
	if err != nil {
		return nil, err
	}
	e := &Endpoint{address: a, timeouts: c.Timeouts, pulse: cmp.Or(c.Pulse, new(Pulse)), maxBody: maxBody, header: http.Header{
		"Content-Type":    {"application/json"},
		"Accept-Encoding": {"identity"},
		"User-Agent":      {"thinkpipe"},
		"Accept":          {"application/json, text/event-stream"},
	}}
	if err := e.setHeaders(c); err != nil {
		return nil, err
	}
	e.secrets = spellings(e.secrets)
	e.pool.open, e.pool.quiet = func() *http.Transport { return transport(c, a.socket, roots) }, quietTime
	e.fresh = e.pool.open()
	e.fresh.DisableKeepAlives = true
	return e, nil
}

// reserved headers would break the framing or the promise to keep exact bytes.
var reserved = []string{"Accept-Encoding", "Connection", "Content-Length", "Expect", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

func (e *Endpoint) setHeaders(c Config) error {
	if e.authorization != "" {
		e.header.Set("Authorization", e.authorization)
	}
	e.secrets = e.address.secrets()
	if c.APIKey != "" {
		if strings.ContainsFunc(c.APIKey, notInHeader) {
			return errors.New("the API key has a line end or another control character")
		}
		e.header.Set("Authorization", "Bearer "+c.APIKey)
		e.secrets = append(e.secrets, c.APIKey)
	}
	for _, h := range c.Header {
		name := textproto.CanonicalMIMEHeaderKey(h[0])
		switch {
		case name == "" || strings.ContainsFunc(name, notInName):
			return fmt.Errorf("header name %q is not valid", h[0])
		case slices.Contains(reserved, name):
			return fmt.Errorf("header %s is set by the client", name)
		case strings.ContainsFunc(h[1], notInHeader):
			return fmt.Errorf("the value of header %s has a line end or another control character", name)
		case name == "Host":
			e.host = h[1]
			continue
		}
		e.header.Set(name, h[1])
		e.secrets = append(e.secrets, h[1], h[1][strings.LastIndexByte(h[1], ' ')+1:])
	}
	return nil
}

func notInHeader(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }

// notInName: see "token" in RFC 9110, section 5.6.2.
func notInName(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
}

// Authorized reports whether requests carry a key, or a user and password.
func (e *Endpoint) Authorized() bool { return e.header.Get("Authorization") != "" }

// Close closes idle connections.
func (e *Endpoint) Close() { e.pool.close() }
