package endpoint

import (
	"bufio"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// twice serves what it was asked, and the same again: when the next request is there,
// at the latest after some time.
func twice(t *testing.T, after time.Duration) (url string) {
	t.Helper()
	return accept(t, func(c *net.TCPConn) { serveTwice(c, after) })
}

func serveTwice(c net.Conn, after time.Duration) {
	r := bufio.NewReader(c)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		asked, _ := io.ReadAll(req.Body)
		answer := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(asked), asked)
		if after == 0 { // in one packet
			io.WriteString(c, answer+answer)
			continue
		}
		io.WriteString(c, answer)
		c.SetReadDeadline(time.Now().Add(after))
		r.Peek(1)
		c.SetReadDeadline(time.Time{})
		io.WriteString(c, answer)
	}
}

// TestAnsweredTwice: an answer that a proxy sends again is nobody else's.
func TestAnsweredTwice(t *testing.T) {
	log.SetOutput(io.Discard) // net/http's
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	for _, after := range []time.Duration{0, time.Microsecond, 10 * time.Millisecond} {
		e := newEndpoint(t, Config{URL: twice(t, after)})
		var wrong atomic.Int64
		var all sync.WaitGroup
		for g := range 8 {
			all.Go(func() {
				for n := range resting / 8 { // so that all may rest
					want := fmt.Sprintf(`{"asked":"%d-%d"}`, g, n)
					reply := e.Do(t.Context(), Request{Path: "/v1/chat/completions", Body: []byte(want)})
					if reply.Error != nil || string(reply.Response.Raw) != want {
						wrong.Add(1)
					}
				}
			})
		}
		all.Wait()
		if n := wrong.Load(); n > 0 {
			t.Errorf("again after %v: %d of %d answers were to another request", after, n, resting)
		}
	}
}

func TestPool(t *testing.T) {
	p := pool{open: func() *http.Transport { return new(http.Transport) }, quiet: time.Hour}
	first := p.take()
	p.give(first)
	for range resting {
		if p.take() == first {
			t.Fatal("a connection was taken that had not rested")
		}
		p.give(new(http.Transport))
	}
	if p.take() != first {
		t.Error("more rest than may")
	}
	p.quiet = 0
	second := p.idle[0].Transport
	if p.take() != second {
		t.Error("the one that rested longest was not taken")
	}
	p.idle[0].since = time.Now().Add(-2 * idleConn)
	p.give(second)
	if len(p.idle) != resting-1 || p.idle[len(p.idle)-1].Transport != second {
		t.Errorf("%d rest, one of them closed", len(p.idle))
	}
	p.close()
	if p.give(first); p.idle != nil {
		t.Error("connections rest in a closed pool")
	}
}
