package endpoint

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// raw serves connections by hand: each gets handle after one request was read.
func raw(t *testing.T, handle func(c *net.TCPConn)) string {
	t.Helper()
	return accept(t, func(c *net.TCPConn) {
		if readRequest(bufio.NewReader(c)) == nil {
			handle(c)
		}
	})
}

// accept serves connections, each in a goroutine of its own.
func accept(t *testing.T, serve func(c *net.TCPConn)) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	t.Cleanup(func() { l.Close(); all.Wait() })
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { defer c.Close(); serve(c.(*net.TCPConn)) })
		}
	})
	return "http://" + l.Addr().String()
}

func readRequest(r *bufio.Reader) error {
	req, err := http.ReadRequest(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, req.Body)
	return err
}

// untilClosed waits for the client to give up.
func untilClosed(c net.Conn) { io.Copy(io.Discard, c) }

// trickle sends text again and again until the client gives up.
func trickle(c net.Conn, text string) {
	for {
		if _, err := io.WriteString(c, text); err != nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func newEndpoint(t *testing.T, c Config) *Endpoint {
	t.Helper()
	e, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func ask(t *testing.T, e *Endpoint, stream bool) Reply {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	return e.Do(ctx, Request{Path: "/v1/chat/completions", Body: []byte(`{"messages":[]}`), Stream: stream})
}

func TestHostileServers(t *testing.T) {
	f := func(name, answer string, end func(c *net.TCPConn), stream bool, wantCode, wantWords, wantRaw string) {
		t.Helper()
		url := raw(t, func(c *net.TCPConn) {
			io.WriteString(c, answer)
			if end != nil {
				end(c)
			}
		})
		var limits Timeouts
		if strings.HasPrefix(wantCode, "timeout.") {
			limits = Timeouts{FirstByte: ample, Idle: ample}
		}
		reply := ask(t, newEndpoint(t, Config{URL: url, Timeouts: limits}), stream)
		if reply.Error == nil {
			t.Errorf("%s: no error", name)
			return
		}
		if reply.Error.Code != wantCode || !strings.Contains(reply.Error.Message, wantWords) {
			t.Errorf("%s: %+v, want %s with %q", name, *reply.Error, wantCode, wantWords)
		}
		if got := received(&reply); got != wantRaw {
			t.Errorf("%s: received %q, want %q", name, got, wantRaw)
		}
	}
	reset := func(c *net.TCPConn) { c.SetLinger(0) }
	head := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

	f("closed before anything", "", nil, false, "connect", "connection closed by the server", "")
	f("reset before anything", "", reset, false, "connect", "connection reset", "")
	f("silent", "", func(c *net.TCPConn) { untilClosed(c) }, false, "timeout.first-byte", "within 500ms", "")
	f("header never whole", "HTTP/1.1 200 OK\r\nX-A: ", func(c *net.TCPConn) { untilClosed(c) }, false, "timeout.idle", "500ms", "")
	f("not HTTP", "SSH-2.0-OpenSSH_9.6\r\n\r\n", nil, false, "connect", "malformed HTTP", "")
	f("garbage status", "HTTP/1.1 abc OK\r\n\r\n", nil, false, "connect", "malformed HTTP status", "")
	f("header that trickles", "HTTP/1.1 200 OK\r\n", func(c *net.TCPConn) { trickle(c, "X-A: b\r\n") }, false, "timeout.idle", "500ms", "")
	f("interim answers without end", "", func(c *net.TCPConn) { trickle(c, "HTTP/1.1 103 Early Hints\r\n\r\n") }, false, "timeout.idle", "500ms", "")
	f("two lengths", head+"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", nil, false, "connect", "Content-Length", "")
	f("length below 0", head+"Content-Length: -1\r\n\r\n{}", nil, false, "connect", "Content-Length", "")
	f("chunk of negative size", head+"Transfer-Encoding: chunked\r\n\r\n-1\r\n{}", nil, false, "body.cut", "", "")
	f("chunk beyond all numbers", head+"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}", nil, false, "body.cut", "", "")
	f("unknown transfer encoding", head+"Transfer-Encoding: gzip\r\n\r\n{}", nil, false, "connect", "transfer encoding", "")
	f("length not reached", head+"Content-Length: 100\r\n\r\n{\"choi", nil, false, "body.cut", "after 6 bytes: connection closed", `{"choi`)
	f("stream: length not reached", head+"Content-Length: 100\r\n\r\n{\"choi", nil, true, "stream.cut", "after 6 bytes", `{"choi`)
	f("chunk cut", head+"Transfer-Encoding: chunked\r\n\r\nff\r\ndata: {", nil, true, "stream.cut", "after 7 bytes", "data: {")
	f("last chunk missing", head+"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n", nil, false, "body.cut", "after 2 bytes", "{}")
	f("bad chunk", head+"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n", nil, false, "body.cut", "after 2 bytes", "{}")
	f("event stream cut", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 9\r\n\r\ndata", nil, false, "stream.cut", "", "data")
	f("silent in the middle", head+"Content-Length: 100\r\n\r\n{\"choi", func(c *net.TCPConn) { untilClosed(c) }, false, "timeout.idle", "no byte for 500ms", `{"choi`)
	f("error cut", "HTTP/1.1 500 Oh\r\nContent-Length: 100\r\n\r\nout of mem", nil, false, "http.5xx", "500 Internal Server Error: out of mem", "out of mem")
	f("upgrade", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", nil, false, "http.4xx", "101", "")
	f("unknown encoding", head+"Content-Encoding: br\r\nContent-Length: 3\r\n\r\nabc", nil, false, "body.not-completion", `content-encoding "br"`, "abc")
	f("not gzip", head+"Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc", nil, false, "body.not-completion", `content-encoding "gzip"`, "abc")

	// What never ends is bounded, without any clock.
	f("headers without end", head+strings.Repeat("X-A: "+strings.Repeat("a", 1000)+"\r\n", 1200), nil, false, "connect", "headers exceeded", "")
	f("interim answers at once", strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 1<<16), nil, false, "connect", "", "")
	f("header of one endless line", "HTTP/1.1 200 OK\r\nX-A: "+strings.Repeat("a", 2<<20), nil, false, "connect", "headers exceeded", "")
	f("endless trailer", head+"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"+strings.Repeat("X-A: b\r\n", 1<<16), nil, false, "body.cut", "after 2 bytes", "{}")
	f("endless chunk extension", head+"Transfer-Encoding: chunked\r\n\r\n2;"+strings.Repeat("a", 1<<16), nil, false, "body.cut", "", "")
}

// An answer without end is given up, whatever it is made of.
func TestEndlessAnswer(t *testing.T) {
	for _, line := range []string{strings.Repeat("a", 1000), "data: x\n\n", "\n"} {
		url := raw(t, func(c *net.TCPConn) {
			io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
			for err := error(nil); err == nil; _, err = io.WriteString(c, line) {
			}
		})
		e := newEndpoint(t, Config{URL: url})
		e.maxBody = 100_000
		reply := ask(t, e, false)
		if reply.Error == nil || reply.Error.Code != "body.cut" || !strings.Contains(reply.Error.Message, "too long") || len(reply.Response.Raw) > 300_000 {
			t.Errorf("%.20q: %+v, %d bytes", line, reply.Error, len(reply.Response.Raw))
		}
	}
}

func received(r *Reply) string {
	if r.Response == nil {
		return ""
	}
	return string(r.Response.Raw)
}

func TestResetInTheMiddle(t *testing.T) {
	read := make(chan bool)
	url := raw(t, func(c *net.TCPConn) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
		io.WriteString(c, "half")
		<-read
		c.SetLinger(0)
	})
	e := newEndpoint(t, Config{URL: url})
	done := make(chan Reply)
	go func() { done <- ask(t, e, false) }()
	read <- true
	reply := <-done
	if reply.Error == nil || reply.Error.Code != "body.cut" {
		t.Errorf("got %+v", reply.Error)
	}
}

// A trickle of bytes is no silence, however long it lasts.
func TestTrickleIsNotIdle(t *testing.T) {
	t.Parallel()
	const idle, n = 2 * time.Second, 25
	url := raw(t, func(c *net.TCPConn) {
		fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", n)
		for range n {
			time.Sleep(idle / (n - 4))
			io.WriteString(c, "x")
		}
	})
	reply := ask(t, newEndpoint(t, Config{URL: url, Timeouts: Timeouts{Idle: idle}}), false)
	if reply.Error != nil || len(reply.Response.Raw) != n {
		t.Errorf("an answer that trickles was given up: %+v", reply.Error)
	}
}

func TestTotalTime(t *testing.T) {
	url := raw(t, func(c *net.TCPConn) {
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nx")
		untilClosed(c)
	})
	reply := ask(t, newEndpoint(t, Config{URL: url, Timeouts: Timeouts{Total: ample}}), false)
	if reply.Error == nil || reply.Error.Code != "timeout.total" || received(&reply) != "x" {
		t.Errorf("total time: %+v", reply.Error)
	}
}

func TestUnaskedCompression(t *testing.T) {
	text := strings.Repeat(`{"choices":[]} `, 100)
	pack := func(w io.WriteCloser) { io.WriteString(w, text); w.Close() }
	var gz, zl, fl, zs bytes.Buffer
	pack(gzip.NewWriter(&gz))
	pack(zlib.NewWriter(&zl))
	w, _ := flate.NewWriter(&fl, 6)
	pack(w)
	z, _ := zstd.NewWriter(&zs)
	pack(z)
	f := func(encoding, want string, packed []byte, sent int) {
		t.Helper()
		url := raw(t, func(c *net.TCPConn) {
			fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n%s", encoding, len(packed), packed[:sent])
		})
		reply := ask(t, newEndpoint(t, Config{URL: url}), false)
		if sent < len(packed) {
			if reply.Error == nil || reply.Error.Code != "body.cut" || reply.Response.Decoded != want || !strings.HasPrefix(text, received(&reply)) {
				t.Errorf("%s cut: %+v %q", encoding, reply.Error, received(&reply))
			}
			return
		}
		if reply.Error != nil || received(&reply) != text || reply.Response.Decoded != want {
			t.Errorf("%s: %+v, %d bytes, undone %q", encoding, reply.Error, len(received(&reply)), reply.Response.Decoded)
		}
	}
	f("gzip", "gzip", gz.Bytes(), gz.Len())
	f("GZIP", "gzip", gz.Bytes(), gz.Len())
	f("deflate", "deflate", zl.Bytes(), zl.Len())
	f("deflate", "deflate", fl.Bytes(), fl.Len())
	f("zstd", "zstd", zs.Bytes(), zs.Len())
	f("gzip", "gzip", gz.Bytes(), gz.Len()-6)
	f("identity", "", []byte(text), len(text))
}

// The keep-alive race: the server takes one request per connection, leaves the
// connection open, and drops it when the next request comes.
func TestKeepAliveRace(t *testing.T) {
	for _, reset := range []bool{false, true} {
		url := raw(t, func(c *net.TCPConn) {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
			readRequest(bufio.NewReader(c))
			if reset {
				c.SetLinger(0)
			}
		})
		e := newEndpoint(t, Config{URL: url})
		e.pool.quiet = 0
		for i := range 20 {
			if reply := ask(t, e, false); reply.Error != nil {
				t.Fatalf("request %d (reset %v): %+v", i, reset, *reply.Error)
			}
		}
	}
}

func TestFreshConnectionIsNotAskedAgain(t *testing.T) {
	var asked atomic.Int32
	url := raw(t, func(c *net.TCPConn) { asked.Add(1) })
	e := newEndpoint(t, Config{URL: url})
	if reply := ask(t, e, false); reply.Error == nil || reply.Error.Code != "connect" {
		t.Errorf("got %+v", reply.Error)
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

func TestAborted(t *testing.T) {
	arrived := make(chan bool)
	url := raw(t, func(c *net.TCPConn) { arrived <- true; untilClosed(c) })
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	reply := newEndpoint(t, Config{URL: url}).Do(ctx, Request{Path: "/generate"})
	if reply.Error == nil || reply.Error.Code != "aborted" {
		t.Errorf("got %+v", reply.Error)
	}
}

func TestNoConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	f := func(c Config, code, words string) {
		t.Helper()
		reply := ask(t, newEndpoint(t, c), false)
		if reply.Error == nil || reply.Error.Code != code || !strings.Contains(reply.Error.Message, words) {
			t.Errorf("%s: %+v, want %s with %q", c.URL, reply.Error, code, words)
		}
		if reply.Response != nil {
			t.Errorf("%s: a response", c.URL)
		}
	}
	f(Config{URL: "http://" + l.Addr().String()}, "connect", l.Addr().String()+": connection refused")
	silent := func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }
	f(Config{URL: "http://host:1", Dial: silent, Timeouts: Timeouts{Connect: 20 * time.Millisecond}}, "timeout.connect", "no connection to host:1 within 20ms")
	unknown := func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "gpu17", IsNotFound: true}}
	}
	f(Config{URL: "http://gpu17", Dial: unknown}, "dns", `look up "gpu17": no such host`)

	plain := raw(t, func(c *net.TCPConn) {})
	f(Config{URL: strings.Replace(plain, "http:", "https:", 1), Timeouts: Timeouts{Connect: 5 * time.Second}}, "tls", "connection closed")
	insecure := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	f(Config{URL: strings.Replace(insecure, "http:", "https:", 1)}, "tls", "the server speaks plain HTTP")
	unsigned := httptest.NewTLSServer(http.NotFoundHandler())
	unsigned.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(unsigned.Close)
	f(Config{URL: unsigned.URL}, "tls", "certificate signed by unknown authority")
}
