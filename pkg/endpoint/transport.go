package endpoint

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
)

// transport is for HTTP/1.1 only: one request on a connection, so that closing
// it tells the server to stop, and one slow answer never holds up another.
func transport(c Config, socket string, roots *x509.CertPool) *http.Transport {
	t := &http.Transport{
		DialContext:            dialer(c, socket),
		TLSHandshakeTimeout:    c.Timeouts.Connect,
		TLSClientConfig:        &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		DisableCompression:     true,
		IdleConnTimeout:        idleConn,
		MaxResponseHeaderBytes: maxHeader,
		ReadBufferSize:         readBuffer,
		Protocols:              new(http.Protocols),
	}
	t.Protocols.SetHTTP1(true)
	if c.Proxy && c.Dial == nil && socket == "" {
		t.Proxy = http.ProxyFromEnvironment
	}
	return t
}

// ErrCertificates is in the error of a CAFile that cannot be used.
var ErrCertificates = errors.New("certificates")

// roots are the system's certificates and those of the file; nil is the system's.
func (c *Config) roots() (*x509.CertPool, error) {
	if c.CAFile == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(c.CAFile)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrCertificates, err)
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%w: %q holds none in PEM", ErrCertificates, c.CAFile)
	}
	return roots, nil
}

// dialer connects within the time and marks its errors as its own.
func dialer(c Config, socket string) func(ctx context.Context, network, address string) (net.Conn, error) {
	dial := c.Dial
	if dial == nil {
		dial = (&net.Dialer{KeepAliveConfig: net.KeepAliveConfig{
			Enable: true, Idle: 30 * time.Second, Interval: 15 * time.Second, Count: 6,
		}}).DialContext
	}
	limit := c.Timeouts.Connect
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if socket != "" {
			network, address = "unix", socket
		}
		if limit > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, limit)
			defer cancel()
		}
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, &dialError{err, address, limit}
		}
		return conn, nil
	}
}
