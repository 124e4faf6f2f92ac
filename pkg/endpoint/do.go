package endpoint

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Request is what to send.
type Request struct {
	Method string // "" is POST
	Path   string // "/v1/chat/completions"
	Body   []byte // sent as it is, but see RequestID; must not change until Do returns
	Stream bool   // an event stream is asked for: a cut is stream.cut, not body.cut

	// RequestID names this sending among all. A server that gives up requests by name
	// (see [Endpoint.Info]) gets it as the first member of the body, "rid", and is
	// told to give up when no whole answer came. Others never see it.
	RequestID string
}

// Reply is what came.
type Reply struct {
	Response *record.Response // nil when nothing that is HTTP came
	// Error is nil when the status is 2xx and the body came whole. Its code is
	// one of connect, dns, tls, timeout.*, body.cut, stream.cut, aborted,
	// http.429, http.5xx, http.4xx (also for redirects), context-overflow, and
	// body.not-completion for an encoding that cannot be undone. Its message is
	// in plain words and holds no secret.
	Error      *record.Error
	Started    time.Time
	Timing     record.Timing // Queued: until a connection was ready
	RetryAfter string        // the header, "" when there is none
	// Suspended is how long this process stood still meanwhile, see [Pulse]. A
	// failure says little then: what broke may be but the connection.
	Suspended time.Duration
	// Sent is the body as it was sent, when that is not the request's: it got a name.
	Sent []byte
	// Aborted says that the server was told to give up the request by its name,
	// and was content.
	Aborted bool

	contentType string
}

// Status is the HTTP status, 0 when nothing came.
func (r *Reply) Status() int {
	if r.Response == nil {
		return 0
	}
	return r.Response.Status
}

// ContentType is the header, "" when there is none.
func (r *Reply) ContentType() string { return r.contentType }

// raceWindow bounds how long after sending a lost connection is taken for one
// that the server had closed while it was idle. A server that dies later had
// taken the request.
const raceWindow = 2 * time.Second

// Do sends a request and reads the whole answer; redirects are not followed.
//
// It is sent once, with one exception. A server may close an idle connection at
// the very moment a request goes out on it. When a connection that was used
// before is lost, right after sending and before any byte of an answer, the
// request was not taken, and it is sent again at once on a new connection. What
// happens there is the answer.
func (e *Endpoint) Do(ctx context.Context, r Request) Reply {
	defer e.pulse.Start()()
	started := time.Now()
	var named []byte
	if r.RequestID != "" && e.aborts.Load() {
		if named = withName(r.Body, r.RequestID); named != nil {
			r.Body = named
		}
	}
	t := e.pool.take()
	a := e.attempt(ctx, t, &r, started)
	e.pool.give(t)
	if a.raced(ctx) {
		a = e.attempt(ctx, e.fresh, &r, started)
	}
	reply := a.reply
	reply.Started = started
	reply.Timing = a.times()
	reply.Suspended = e.pulse.lostSince(started)
	reply.Sent = named
	if named != nil && a.abandoned() {
		reply.Aborted = e.Abort(context.WithoutCancel(ctx), r.RequestID) == nil
	}
	return reply
}

// attempt is one sending of a request.
type attempt struct {
	reply   Reply
	watch   watch
	err     error // of the transport
	started time.Time

	mu        sync.Mutex // the rest is set by the transport's goroutines
	reused    bool
	connected time.Time // a connection was ready
	answered  time.Time // the first byte came
	noTLS     bool      // the handshake failed
}

func (a *attempt) times() record.Timing {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := record.Timing{Total: time.Since(a.started)}
	if !a.connected.IsZero() {
		t.Queued = a.connected.Sub(a.started)
	}
	if !a.answered.IsZero() {
		t.FirstByte = a.answered.Sub(a.started)
	}
	return t
}

func (e *Endpoint) attempt(ctx context.Context, t *http.Transport, r *Request, started time.Time) *attempt {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	a := &attempt{started: started, watch: watch{timeouts: e.timeouts, pulse: e.pulse, cancel: cancel}}
	a.watch.begin(started)
	defer a.watch.stop()
	resp, err := t.RoundTrip(e.request(httptrace.WithClientTrace(ctx, a.trace()), r))
	if err != nil {
		a.err = err
		a.reply.Error = e.lost(ctx, a)
		return a
	}
	defer resp.Body.Close()
	e.receive(ctx, a, r, resp)
	return a
}

// request builds the HTTP request. Its body can be sent again by the transport
// when a connection turns out to be closed before the first byte was written.
func (e *Endpoint) request(ctx context.Context, r *Request) *http.Request {
	method := r.Method
	if method == "" {
		method = http.MethodPost
	}
	u := e.url(r.Path)
	h := &http.Request{Method: method, URL: u, Host: u.Host, Header: e.header, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	if e.host != "" {
		h.Host = e.host
	}
	if len(r.Body) > 0 {
		h.ContentLength = int64(len(r.Body))
		h.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(r.Body)), nil }
		h.Body, _ = h.GetBody()
	}
	return h.WithContext(ctx)
}

func (a *attempt) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.reused, a.connected = info.Reused, time.Now()
			a.watch.connected()
		},
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.noTLS = err != nil
		},
		GotFirstResponseByte: func() {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.answered = time.Now()
			a.watch.answered()
		},
	}
}

// raced reports whether the connection was lost to the keep-alive race, see Do.
func (a *attempt) raced(ctx context.Context) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.err != nil && a.reused && a.answered.IsZero() && ctx.Err() == nil && a.reply.Error.Code == "connect" &&
		time.Since(a.connected) < raceWindow
}

// receive reads the answer.
func (e *Endpoint) receive(ctx context.Context, a *attempt, r *Request, resp *http.Response) {
	raw, err := readBody(resp, &a.watch, e.maxBody)
	raw, encoding, undone := decode(raw, resp.Header.Get("Content-Encoding"), err != nil)
	a.reply.RetryAfter = e.words(resp.Header.Get("Retry-After"), maxValue)
	a.reply.contentType = e.words(resp.Header.Get("Content-Type"), maxValue)
	sum := sha256.Sum256(raw)
	a.reply.Response = &record.Response{
		Status:  resp.StatusCode,
		ID:      e.words(requestID(resp.Header), maxValue),
		Headers: e.allowed(resp.Header),
		Raw:     raw,
		SHA256:  hex.EncodeToString(sum[:]),
		Decoded: encoding,
	}
	switch {
	case resp.StatusCode/100 != 2:
		a.reply.Error = e.refused(resp, raw)
	case err != nil:
		a.reply.Error = e.broken(ctx, a, r, err)
	case undone != nil:
		a.reply.Error = &record.Error{Code: "body.not-completion", Message: e.words(undone.Error(), maxWords)}
	}
}
