package monitor

import (
	"bytes"
	"encoding/json"
	"math"
	"time"
)

// Figures are a run at one moment: what the page shows and /api/run serves.
// Everything else that tells how a run goes is made of them, so that no two
// places differ. Counts are of what the archive holds; rates and quantiles are of
// the last minute, and of the whole run once it is over. Durations are in
// seconds. -1 is a number that is not known.
//
// In JSON all keys are always there; lists and objects are never null.
type Figures struct {
	About

	State   State     `json:"state"`
	Exit    int       `json:"exit"` // code, -1 while the run lasts
	Why     string    `json:"why"`  // of a run that did not end well, or drains
	Started time.Time `json:"started"`
	Updated time.Time `json:"updated"`
	Account

	Total   int64            `json:"total"` // wanted answers of the whole input
	Shares  Shares           `json:"thinking"`
	Rates   Rates            `json:"rates"`
	Latency Quantiles        `json:"latency_seconds"` // of answers
	Lag     Lag              `json:"client_lag_seconds"`
	Oldest  Oldest           `json:"oldest"`
	Codes   map[string]int64 `json:"failures"` // failed requests, by class
	Rules   map[string]int64 `json:"rules"`    // answers that fail a rule of validate
	Lanes   []Lane           `json:"lanes"`
	Servers []Row            `json:"servers"`
	By      string           `json:"by"` // what groups are values of, "" for none
	Groups  []Row            `json:"groups"`

	RecentFailures []Failure `json:"recent_failures"` // newest first
	RecentAnswers  []Answer  `json:"recent_answers"`  // newest first
	History        History   `json:"history,omitzero"`

	latency, lag Histogram // of the whole run, for metrics
}

// AppendJSON appends the figures as one JSON object on a line of its own.
func (f *Figures) AppendJSON(dst []byte) []byte {
	b := bytes.NewBuffer(dst)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(f); err != nil {
		panic("monitor: figures that are no JSON: " + err.Error()) // every number is finite
	}
	return b.Bytes()
}

// AppendStatus is AppendJSON without the history: for a file that is written often.
func (f *Figures) AppendStatus(dst []byte) []byte {
	short := *f
	short.History = History{}
	return short.AppendJSON(dst)
}

// About is what does not change while a run lasts.
type About struct {
	Run     string `json:"run"`
	Version string `json:"version"`
	PID     int    `json:"pid"`
	Host    string `json:"host"`
	Archive string `json:"archive"` // "" for standard output
	Model   string `json:"model"`
}

// State is what a run does.
type State string

// The states of a run. It begins with running, and is probing while its servers
// are asked the probe's question; finished and stopped ones are over: every prompt
// was settled, or not. The last two are what others find: a run that is not there
// any more and did not say how it ended, and an archive that no run writes.
const (
	Running  State = "running"
	Probing  State = "probing"
	Paused   State = "paused"
	Draining State = "draining"
	Finished State = "finished"
	Stopped  State = "stopped"
	Gone     State = "gone"
	Idle     State = "idle"
)

// Account is what became of the wanted answers:
// in = done + failed + dead + bad + pending.
type Account struct {
	Over    bool  `json:"finished"` // nothing changes any more
	In      int64 `json:"in"`
	Done    int64 `json:"done"`
	Failed  int64 `json:"failed"`
	Dead    int64 `json:"dead"`
	Bad     int64 `json:"bad"`
	Pending int64 `json:"pending"`
	Before  int64 `json:"done_before"` // of done, by earlier runs

	Requests int64 `json:"requests"` // of this run that are in the archive
	Retried  int64 `json:"retried"`  // of them, failed and asked again
	Answers  int64 `json:"answers"`  // of them, complete
	Clamped  int64 `json:"clamped"`  // of them, with fewer tokens than was asked for
	Tokens   int64 `json:"completion_tokens"`
}

// Shares tells where thinking was.
type Shares struct {
	Judged  int64            `json:"judged"`  // answers of this run
	Without int64            `json:"without"` // of them, without a character of thinking
	Share   float64          `json:"without_share"`
	Lately  float64          `json:"without_share_last_minute"`
	Status  map[string]int64 `json:"status"` // answers by reasoning_status
}

// Rates are how fast the run goes.
type Rates struct {
	PerMinute float64 `json:"answers_per_minute"`
	Tokens    float64 `json:"tokens_per_second"`
	ETA       float64 `json:"eta_seconds"`
	Took      float64 `json:"took_seconds"` // so far
}

// Quantiles of durations.
type Quantiles struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
}

// Lag is how long answers waited in this process before their slot was used
// again, or how late it woke up.
type Lag struct {
	Lately  float64 `json:"max_last_minute"`
	Longest float64 `json:"max"`
}

// Oldest is the request that is in flight longest.
type Oldest struct {
	ID  string  `json:"id"`
	Age float64 `json:"age_seconds"`
}

// Lane is a pool of slots.
type Lane struct {
	Name     string `json:"lane"`
	Slots    int    `json:"slots"`
	InFlight int    `json:"in_flight"`
	Left     int64  `json:"left"` // prompts that are not settled, as far as they are known
}

// Row is a part of the run: what one server did, or what became of one group.
type Row struct {
	Name     string    `json:"name"`
	In       int64     `json:"in"` // of a group
	Done     int64     `json:"done"`
	Failed   int64     `json:"failed"`
	Dead     int64     `json:"dead"`
	Requests int64     `json:"requests"`
	Failures int64     `json:"failed_requests"`
	InFlight int64     `json:"in_flight"`
	Answers  int64     `json:"answers"`
	Without  int64     `json:"without_thinking"`
	Tokens   int64     `json:"completion_tokens"`
	Latency  Quantiles `json:"latency_seconds"` // of the whole run
}

// Failure is a request that failed.
type Failure struct {
	At      time.Time `json:"at"`
	ID      string    `json:"id"`
	Server  string    `json:"server"`
	Code    string    `json:"code"`
	Message string    `json:"message"`
	Attempt int       `json:"attempt"`
	Retried bool      `json:"retried"` // it is asked again
}

// Answer is an answer, shortened.
type Answer struct {
	At       time.Time `json:"at"`
	ID       string    `json:"id"`
	Group    string    `json:"group"`
	Status   string    `json:"reasoning_status"`
	Thinking string    `json:"thinking"` // its beginning
	Content  string    `json:"content"`
	Finish   string    `json:"finish_reason"`
	Tokens   int64     `json:"completion_tokens"`
	Took     float64   `json:"seconds"`
}

// round keeps milliseconds: more would look like more than is known.
func round(s float64) float64 { return math.Round(s*1000) / 1000 }

// inSeconds is d as it stands in JSON; what is negative is not known.
func inSeconds(d time.Duration) float64 {
	if d < 0 {
		return -1
	}
	return round(d.Seconds())
}

// share is n of all, -1 of none.
func share(n, all int64) float64 {
	if all == 0 {
		return -1
	}
	return float64(n) / float64(all)
}

func (h *Histogram) quantiles() Quantiles {
	if h.count == 0 {
		return Quantiles{-1, -1}
	}
	return Quantiles{inSeconds(h.Quantile(0.5)), inSeconds(h.Quantile(0.95))}
}
