package endpoint

import (
	"context"
	"net"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Config describes a server and how to speak to it.
type Config struct {
	// URL is http://host:port or https://…; a path such as /v1 is tolerated and
	// not doubled. A user and password are sent as Basic authorization, a query
	// is added to each request; neither is ever shown.
	URL      string
	Name     string      // shown instead of the URL, for a server that has none ("sim:?…")
	Timeouts Timeouts    // zero fields are no limit; see DefaultTimeouts
	Header   [][2]string // more request headers; their values count as secrets
	APIKey   string      // sent as "Authorization: Bearer …"
	MaxConns int         // connections at a time, 0 is no limit
	Proxy    bool        // obey HTTP_PROXY, HTTPS_PROXY and NO_PROXY

	// Dial replaces the network, for a server in this process.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Timeouts are the clocks of an exchange; 0 is no limit.
type Timeouts struct {
	Connect   time.Duration // name look-up, TCP and TLS
	FirstByte time.Duration // from the connection to the first byte of the answer
	Idle      time.Duration // without any byte, once bytes came
	Total     time.Duration // of everything
}

// DefaultTimeouts are those of the command line.
func DefaultTimeouts() Timeouts {
	return Timeouts{Connect: 10 * time.Second, Idle: 10 * time.Minute}
}

// Endpoint is one server.
type Endpoint struct{}

// New checks the configuration. It does not connect.
func New(c Config) (*Endpoint, error) { panic("todo") }

// Name is the server as it may be shown and archived: scheme, host and port,
// and a path if it has one besides /v1.
func (e *Endpoint) Name() string { panic("todo") }

// Close closes idle connections.
func (e *Endpoint) Close() { panic("todo") }

// Request is what to send.
type Request struct {
	Method string // "" is POST
	Path   string // "/v1/chat/completions"
	Body   []byte // sent as it is
	Stream bool   // an event stream is asked for: a cut is stream.cut, not body.cut
}

// Reply is what came.
type Reply struct {
	Response *record.Response // nil when nothing that is HTTP came
	// Error is nil when the status is 2xx and the body came whole. Its code is
	// one of connect, dns, tls, timeout.*, body.cut, stream.cut, aborted,
	// http.429, http.5xx, http.4xx (also for redirects) and context-overflow.
	Error      *record.Error
	Timing     record.Timing // Queued: until a connection was ready
	Started    time.Time
	RetryAfter string // the header, "" when there is none
}

// Status is the HTTP status, 0 when nothing came.
func (r *Reply) Status() int { panic("todo") }

// ContentType is the header, "" when there is none.
func (r *Reply) ContentType() string { panic("todo") }

// Do sends a request and reads the whole answer.
func (e *Endpoint) Do(ctx context.Context, r Request) Reply { panic("todo") }

// Models asks /v1/models for the names of the models.
func (e *Endpoint) Models(ctx context.Context) ([]string, error) { panic("todo") }

// Model is the name of the one model served. The error, often an *[Error],
// names the models when there are several.
func (e *Endpoint) Model(ctx context.Context) (string, error) { panic("todo") }

// Error is a failed reply as an error.
type Error struct {
	Status int // 0 when nothing came
	record.Error
	RetryAfter string
}

func (e *Error) Error() string { panic("todo") }

// Info is what a server tells about itself; fields it does not tell are "" and 0.
type Info struct {
	Engine          string // "sglang", "vllm"
	Version         string
	ReasoningParser string // "" also when it has none
	ToolParser      string
	ContextLength   int
	Simulated       bool
}

// Info asks what the server is. ok is false when it does not tell.
func (e *Endpoint) Info(ctx context.Context) (info Info, ok bool) { panic("todo") }

// Abort asks an SGLang server to give up the request with that rid.
func (e *Endpoint) Abort(ctx context.Context, rid string) error { panic("todo") }

// Verdict is what to do about a failure.
type Verdict struct {
	Retry    bool          // ask again, it counts as an attempt
	SlowDown bool          // ask again later, it does not count
	Dead     bool          // asking again cannot help
	Stop     bool          // the server refuses all: stop the run, mark nothing
	After    time.Duration // not before; 0: back off as usual
}

// Classify judges a failure by its code; status and retryAfter refine it.
func Classify(status int, retryAfter, code string) Verdict { panic("todo") }
