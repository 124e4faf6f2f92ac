package endpoint

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// dialError is an error of connecting.
type dialError struct {
	err     error
	address string
	limit   time.Duration
}

func (e *dialError) Error() string { return e.err.Error() }
func (e *dialError) Unwrap() error { return e.err }

// lost says why nothing came.
func (e *Endpoint) lost(ctx context.Context, a *attempt) *record.Error {
	if f := cancelled(ctx, a.err); f != nil {
		return f
	}
	code, words := connecting(a.err)
	switch {
	case code == "" && a.failedTLS():
		code, words = "tls", "handshake: "+plain(a.err)
	case code == "":
		code, words = "connect", "before any answer: "+plain(a.err)
	}
	return &record.Error{Code: code, Message: e.words(words, maxWords)}
}

// broken says why the rest of an answer is missing.
func (e *Endpoint) broken(ctx context.Context, a *attempt, r *Request, err error) *record.Error {
	if f := cancelled(ctx, err); f != nil {
		return f
	}
	code := "body.cut"
	if r.Stream || strings.HasPrefix(a.reply.contentType, "text/event-stream") {
		code = "stream.cut"
	}
	words := fmt.Sprintf("after %d bytes: %s", len(a.reply.Response.Raw), plain(err))
	return &record.Error{Code: code, Message: e.words(words, maxWords)}
}

// cancelled says whether a clock ran out or the caller gave up.
func cancelled(ctx context.Context, err error) *record.Error {
	var t *timeout
	cause := context.Cause(ctx)
	if errors.As(cause, &t) || errors.As(err, &t) {
		return &record.Error{Code: t.code, Message: t.words}
	}
	if ctx.Err() != nil {
		return &record.Error{Code: "aborted", Message: "given up by the client"}
	}
	return nil
}

// connecting judges errors of names, TCP and TLS; code is "" for others.
func connecting(err error) (code, words string) {
	var dial *dialError
	var dns *net.DNSError
	var netErr net.Error
	var header tls.RecordHeaderError
	isDial := errors.As(err, &dial)
	timedOut := errors.As(err, &netErr) && netErr.Timeout() || errors.Is(err, context.DeadlineExceeded)
	switch {
	case isDial && timedOut:
		return "timeout.connect", fmt.Sprintf("no connection to %s within %v", dial.address, dial.limit)
	case errors.As(err, &dns):
		return "dns", fmt.Sprintf("look up %q: %s", cut(dns.Name, 80), dns.Err)
	case isDial:
		return "connect", dial.address + ": " + plain(err)
	case strings.Contains(err.Error(), "TLS handshake timeout"): // net/http keeps its type to itself
		return "timeout.connect", "no TLS handshake in time"
	case errors.As(err, &header) && string(header.RecordHeader[:]) == "HTTP/":
		return "tls", "the server speaks plain HTTP: write http:// instead of https://"
	}
	return "", ""
}

func (a *attempt) failedTLS() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.noTLS
}

// plain is a transport's error in plain words, without the URL, which may hold a key.
func plain(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection reset by the server"
	case errors.Is(err, syscall.ETIMEDOUT), errors.Is(err, os.ErrDeadlineExceeded):
		return "the host no longer answers"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "no route to the host"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF),
		strings.Contains(err.Error(), "server closed idle connection"):
		return "connection closed by the server"
	case errors.Is(err, syscall.ENOENT):
		return "no such socket"
	case errors.Is(err, syscall.EMFILE):
		return "too many open files: raise the limit (ulimit -n)"
	}
	return err.Error()
}
