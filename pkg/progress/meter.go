package progress

import (
	"io"
	"time"
)

// Defaults of Config.Every.
const (
	everyTerminal = 200 * time.Millisecond
	everyElse     = 30 * time.Second
)

// Config of a Meter.
type Config struct {
	Name     string // "gen"
	Unit     string // "answers"
	Out      io.Writer
	Terminal bool          // redraw one line
	Color    bool          // failures in red, on a terminal only; the caller obeys NO_COLOR
	Width    int           // of the terminal, 0: 80
	Every    time.Duration // between lines; 0: 200 ms on a terminal, 30 s elsewhere
}

// Meter draws. Errors of writing are ignored: progress is never worth a failure.
type Meter struct {
	config Config
	rates  rates
	next   time.Time
	drawn  string // the line on the screen, "" for none
	failed bool   // some prompt did
}

// New starts at now with c, the figures before anything was done.
func New(cfg Config, c Counts, now time.Time) *Meter {
	if cfg.Every <= 0 {
		cfg.Every = everyElse
		if cfg.Terminal {
			cfg.Every = everyTerminal
		}
	}
	if cfg.Width <= 0 {
		cfg.Width = 80
	}
	m := &Meter{config: cfg, next: now.Add(cfg.Every)}
	m.rates.add(&c, now)
	return m
}

// Update draws when it is time.
func (m *Meter) Update(c Counts, now time.Time) {
	m.rates.add(&c, now)
	if m.Due(now) > 0 {
		return
	}
	m.next = now.Add(m.config.Every)
	m.draw(c, now)
}

// Due is how long until Update would draw.
func (m *Meter) Due(now time.Time) time.Duration { return max(0, m.next.Sub(now)) }

// Finish draws a last time and ends the line.
func (m *Meter) Finish(c Counts, now time.Time) {
	m.rates.add(&c, now)
	m.draw(c, now)
	if m.config.Terminal {
		io.WriteString(m.config.Out, "\n")
		m.drawn = ""
	}
}

func (m *Meter) draw(c Counts, now time.Time) {
	line := Line(m.config.Name, m.config.Unit, m.rates.figures(c, now))
	m.failed = c.Failed+c.Dead+c.Bad > 0
	if !m.config.Terminal {
		io.WriteString(m.config.Out, line+"\n")
		return
	}
	m.drawn = fit(line, m.config.Width)
	m.show()
}

const (
	clearLine = "\r\x1b[K"
	red       = "\x1b[31m"
	plain     = "\x1b[0m"
)

func (m *Meter) show() {
	switch {
	case m.drawn == "":
	case m.config.Color && m.failed:
		io.WriteString(m.config.Out, clearLine+red+m.drawn+plain)
	default:
		io.WriteString(m.config.Out, clearLine+m.drawn)
	}
}

// Write writes a message, whole lines, above the line on a terminal.
func (m *Meter) Write(p []byte) (int, error) {
	if m.drawn != "" {
		io.WriteString(m.config.Out, clearLine)
	}
	n, err := m.config.Out.Write(p)
	m.show()
	return n, err
}
