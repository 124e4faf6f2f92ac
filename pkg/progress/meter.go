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
	Terminal bool // redraw one line
	Style    Style
	Width    func() int    // of the terminal, asked before each drawing; nil: 80
	Every    time.Duration // between lines; 0: 200 ms on a terminal, 30 s elsewhere
}

// Meter draws. Errors of writing are ignored: progress is never worth a failure.
type Meter struct {
	config Config
	next   time.Time
	drawn  string // the line on the screen, "" for none
	buf    []byte
}

// New starts at now.
func New(cfg Config, now time.Time) *Meter {
	if cfg.Every <= 0 {
		cfg.Every = everyElse
		if cfg.Terminal {
			cfg.Every = everyTerminal
		}
	}
	if cfg.Width == nil {
		cfg.Width = func() int { return 80 }
	}
	return &Meter{config: cfg, next: now.Add(cfg.Every)}
}

// Update draws when it is time.
func (m *Meter) Update(f Figures, now time.Time) {
	if m.Due(now) > 0 {
		return
	}
	m.next = now.Add(m.config.Every)
	m.draw(f)
}

// Due is how long until Update would draw.
func (m *Meter) Due(now time.Time) time.Duration { return max(0, m.next.Sub(now)) }

// Finish draws a last time and ends the line.
func (m *Meter) Finish(f Figures) {
	m.draw(f)
	if m.config.Terminal {
		io.WriteString(m.config.Out, "\n")
		m.drawn = ""
	}
}

// draw writes over the line that stands there, in one piece, and clears what is
// left of it: a screen that is never empty does not flicker.
func (m *Meter) draw(f Figures) {
	if !m.config.Terminal {
		io.WriteString(m.config.Out, Line(m.config.Name, m.config.Unit, f)+"\n")
		return
	}
	line := Bar(m.config.Name, f, m.config.Width(), m.config.Style)
	if line == m.drawn {
		return
	}
	m.drawn = line
	io.WriteString(m.config.Out, "\r"+line+clearRest)
}

const (
	clearRest = "\x1b[K"
	clearLine = "\r" + clearRest
)

// Write writes a message, whole lines, above the line on a terminal.
func (m *Meter) Write(p []byte) (int, error) {
	if m.drawn == "" {
		return m.config.Out.Write(p)
	}
	m.buf = append(append(m.buf[:0], clearLine...), p...)
	m.buf = append(m.buf, m.drawn...)
	if _, err := m.config.Out.Write(m.buf); err != nil {
		return 0, err
	}
	return len(p), nil
}
