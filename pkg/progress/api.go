package progress

import (
	"io"
	"time"
)

// Counts are a run's figures at one moment.
type Counts struct {
	Total   int64 // -1 unknown
	Before  int64 // of Done, by earlier runs: not in the rates
	Done    int64
	Retried int64
	Failed  int64
	Dead    int64
	Bad     int64
	Tokens  int64  // -1: do not show
	Note    string // shown at the end: "paused", "draining"
}

// Config of a Meter.
type Config struct {
	Name     string // "gen"
	Unit     string // "answers"
	Out      io.Writer
	Terminal bool          // redraw one line
	Color    bool          // only on a terminal; the caller obeys NO_COLOR
	Width    int           // of the terminal, 0: 80
	Every    time.Duration // between lines; 0: 200 ms on a terminal, 30 s elsewhere
}

// Meter draws. It is not safe for concurrent use.
type Meter struct{}

// New starts at now with c.
func New(cfg Config, c Counts, now time.Time) *Meter { panic("todo") }

// Update draws when it is time.
func (m *Meter) Update(c Counts, now time.Time) { panic("todo") }

// Due is how long until Update would draw.
func (m *Meter) Due(now time.Time) time.Duration { panic("todo") }

// Write writes a message above the line: whole lines only.
func (m *Meter) Write(p []byte) (int, error) { panic("todo") }

// Finish draws a last time and ends the line.
func (m *Meter) Finish(c Counts, now time.Time) { panic("todo") }

// Figures are what a line shows.
type Figures struct {
	Counts
	PerMinute       float64       // answers
	TokensPerSecond float64       // ignored when Tokens is -1
	ETA             time.Duration // -1 unknown
}

// Line is the text: "gen: 812/1319 done, 26.1 answers/min, 860 tok/s, 3 retried, 0 failed, ETA 19m".
func Line(name, unit string, f Figures) string { panic("todo") }
