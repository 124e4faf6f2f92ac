package simulator

import (
	"fmt"
	"net"
	"net/http"
	"sync"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// misfortune is what befalls a request.
type misfortune struct {
	kind   string // "", "fail", "reset", "stall", "cut"
	status int    // of a fail
	share  float64
}

// arrivals counts how often each request came. It remembers the latest requests,
// at most twice maxArrivals of them; one that was forgotten counts from 1 again.
type arrivals struct {
	mu          sync.Mutex
	young, aged map[uint64]int
}

const maxArrivals = 1 << 16

func (a *arrivals) next(request uint64) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := a.young[request]
	if n == 0 {
		n = a.aged[request]
	}
	if a.young == nil || len(a.young) >= maxArrivals {
		a.young, a.aged = map[uint64]int{}, a.young
	}
	a.young[request] = n + 1
	return n + 1
}

// draw is a number from 0 to 1 that depends on its arguments only.
func draw(seed, request uint64, arrival int, salt string) float64 {
	x := hash(seed, fmt.Sprintf("%s %x %d", salt, request, arrival))
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9 // the finish of splitmix64
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return float64((x^x>>31)>>11) / (1 << 53)
}

// befalls draws what happens to the n-th arrival of a request.
func (s *Server) befalls(request uint64, arrival int) misfortune {
	c := &s.config
	x := draw(c.Seed, request, arrival, "fault")
	m := misfortune{share: 0.1 + 0.8*draw(c.Seed, request, arrival, "share")}
	for _, f := range c.Fail {
		if x < f.Rate {
			m.kind, m.status = "fail", f.Status
			return m
		}
		x -= f.Rate
	}
	for _, k := range []struct {
		kind string
		rate float64
	}{{"reset", c.Reset}, {"stall", c.Stall}, {"cut", c.Cut}} {
		if x < k.rate {
			m.kind = k.kind
			return m
		}
		x -= k.rate
	}
	return m
}

// reset drops the connection as a crash of the server does.
func reset(w http.ResponseWriter) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	switch c := c.(type) {
	case interface{ Reset() }:
		c.Reset()
	case *net.TCPConn:
		c.SetLinger(0)
	}
	c.Close()
}

// phrases are what engines and the proxies before them say.
var phrases = map[int]string{
	400: "The request was rejected by the simulator.",
	401: "Unauthorized",
	403: "Forbidden",
	404: "Not Found",
	408: "Request timed out.",
	429: "The request queue is full.",
	500: "Internal server error",
	502: "Bad gateway",
	503: "The server is overloaded. Please try again later.",
	504: "Gateway timeout",
}

// fail answers with an error; some 429 and 503 say when to come back.
func (s *Server) fail(w http.ResponseWriter, m misfortune) {
	words := phrases[m.status]
	if words == "" {
		words = http.StatusText(m.status)
	}
	if (m.status == 429 || m.status == 503) && m.share < 0.3 {
		w.Header().Set("Retry-After", "1")
	}
	s.refuse(w, m.status, words)
}

// types of errors by status, as both engines name them.
var types = map[int]string{400: "BadRequestError", 401: "AuthenticationError", 404: "NotFoundError", 429: "RateLimitError"}

// refuse writes an error body: SGLang's is flat, vLLM's stands under "error".
func (s *Server) refuse(w http.ResponseWriter, status int, words string) {
	kind := types[status]
	if kind == "" {
		kind = "InternalServerError"
	}
	body := jsonscan.AppendString([]byte(`{"object":"error","message":`), words)
	end := fmt.Sprintf(`,"type":%q,"param":null,"code":%d}`, kind, status)
	if s.config.Engine == "vllm" {
		body = jsonscan.AppendString([]byte(`{"error":{"message":`), words)
		end += "}"
	}
	s.write(w, status, append(body, end...))
}

func (s *Server) write(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	w.WriteHeader(status)
	w.Write(body)
}
