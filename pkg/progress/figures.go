package progress

import "time"

// Counts are a run's figures at one moment.
type Counts struct {
	Total   int64 // -1 unknown
	Before  int64 // of Done, by earlier runs: not in the rates
	Done    int64
	Retried int64
	Failed  int64
	Dead    int64
	Bad     int64
	Tokens  int64  // -1: not shown
	Note    string // shown at the end: "probing", "paused", "draining"
}

// Over is how many prompts need nothing more.
func (c *Counts) Over() int64 { return c.Done + c.Failed + c.Dead + c.Bad }

// Figures are what a line shows. [Rates.Figures] makes them of Counts.
type Figures struct {
	Counts
	PerMinute       float64       // -1: not known yet
	TokensPerSecond float64       // shown with PerMinute, unless Tokens is -1
	Without         float64       // share of the answers without thinking, 0 to 1; -1 unknown
	Oldest          time.Duration // age of the oldest request in flight; -1 none
	Lag             time.Duration // how late the client itself was, lately; -1 unknown
	ETA             time.Duration // -1 unknown
	Took            time.Duration // of the whole run, when it is over; -1 before
}
