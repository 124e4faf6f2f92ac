package simulator

import (
	"fmt"
	"net/http"
	"time"
)

// Config says what is simulated. [Parse] reads it from keys.
type Config struct {
	Engine    string        // engine: "sglang" or "vllm"
	Family    string        // family: how thinking is marked, see Families
	Parser    bool          // parser: the server splits off the thinking and tool calls
	OpenModel bool          // opener: the model writes the opening marker; else the prompt holds it
	Latency   time.Duration // latency, per answer
	TPOT      time.Duration // tpot, time per output token
	Tokens    int           // tokens: mean length of an answer
	Context   int           // context: what the model can take, prompt and answer together
	Slots     int           // slots: answers at a time, others queue; 0 is no limit
	Fail      []Fault       // fail: error replies
	Cut       float64       // cut: share of answers whose connection ends in the middle
	Stall     float64       // stall: share that never come
	Reset     float64       // reset: share whose connection is reset before an answer
	Empty     float64       // empty: share without thinking
	Zombie    float64       // zombie: share that keeps its slot when the client goes away, until it is aborted or done
	Calls     float64       // calls: share of answers that call a tool where tools are offered
	Parallel  int           // parallel: calls at once, up to that many
	BadAfter  int           // bad-after: no thinking after that many answers; 0 never
	NewAfter  int           // new-after: another version after that many answers, as if started anew; 0 never
	IdleClose time.Duration // idle-close: how long an unused connection stays open
	Seed      uint64        // seed
}

// Fault is a status and the share of requests that get it.
type Fault struct {
	Status int
	Rate   float64
}

// maxTokens keeps an answer within the memory of the machine.
const maxTokens = 1_000_000

// Default is the configuration of no keys.
func Default() Config {
	return Config{
		Engine:    "sglang",
		Family:    "kimi_k2",
		Latency:   20 * time.Millisecond,
		Tokens:    200,
		Context:   131072,
		Calls:     0.5,
		Parallel:  1,
		IdleClose: 5 * time.Second,
		Seed:      1,
	}
}

// check finds values that cannot be.
func (c *Config) check() error {
	if c.Engine != "sglang" && c.Engine != "vllm" {
		return fmt.Errorf("engine is %q, not sglang or vllm", c.Engine)
	}
	if familyOf(c.Family) == nil {
		return fmt.Errorf("family is %q, not one of %s", c.Family, known(Families()))
	}
	if c.Tokens < 1 || c.Tokens > maxTokens {
		return fmt.Errorf("tokens is %d, not within 1 to %d", c.Tokens, maxTokens)
	}
	if c.Parallel < 1 {
		return fmt.Errorf("parallel is %d, below 1", c.Parallel)
	}
	if c.Context < 1 {
		return fmt.Errorf("context is %d, below 1", c.Context)
	}
	total := c.Cut + c.Stall + c.Reset
	for _, f := range c.Fail {
		if f.Status < 400 || http.StatusText(f.Status) == "" {
			return fmt.Errorf("fail: %d is not the status of an error", f.Status)
		}
		total += f.Rate
	}
	if total > 1 {
		return fmt.Errorf("fail, cut, stall and reset are %g together, more than all requests", total)
	}
	return nil
}
