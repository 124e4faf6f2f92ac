package simulator

import (
	"context"
	"net"
	"time"
)

// Config says what is simulated; see Parse for the keys.
type Config struct {
	Engine    string        // engine=sglang|vllm
	Family    string        // family=kimi_k2|deepseek_r1|qwen3|glm45|nemotron_3
	Parser    bool          // parser=none|on
	OpenModel bool          // opener=prompt|model
	Latency   time.Duration // latency=20ms per answer
	TPOT      time.Duration // tpot=0 per token
	Tokens    int           // tokens=200, the mean length of an answer
	Slots     int           // slots=0 (no limit)
	Fail      []Fault       // fail=429:0.05,500:0.01
	Cut       float64       // cut=0, share of answers that end in the middle
	Stall     float64       // stall=0, share that never come
	Reset     float64       // reset=0, share of connections that are reset
	Empty     float64       // empty=0, share of answers without thinking
	BadAfter  int           // bad-after=0, no thinking after that many answers
	IdleClose time.Duration // idle-close=5s
	Seed      uint64        // seed=1
}

// Fault is a status and the share of requests that get it.
type Fault struct {
	Status int
	Rate   float64
}

// Default is the configuration of no keys.
func Default() Config { panic("todo") }

// Parse reads "KEY=VALUE&…". The error names the known keys.
func Parse(s string) (Config, error) { panic("todo") }

// Server is a simulated server.
type Server struct{}

// New returns a server; it listens nowhere yet.
func New(c Config) (*Server, error) { panic("todo") }

// Serve answers connections of l until ctx is done, and closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener) error { panic("todo") }

// Listener is a listener in memory, of which Dial is the other end:
//
//	l := simulator.Listen()
//	go s.Serve(ctx, l)
//	endpoint.New(endpoint.Config{URL: "http://simulator", Name: "sim:", Dial: l.Dial})
type Listener struct{ net.Listener }

// Listen returns a listener in memory.
func Listen() *Listener { panic("todo") }

// Dial connects; network and address are ignored.
func (l *Listener) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	panic("todo")
}
