package cmdline

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/progress"
)

// Meter shows on standard error how a run is going. Messages of any goroutine
// are written above its line; with --log-format json its lines are notes. A nil
// Meter shows nothing.
type Meter struct {
	log   *Log
	meter *progress.Meter
	rates progress.Rates
}

// Meter begins to show figures, counted in unit ("records"), where --progress
// says so; it is nil elsewhere. "auto" means on a terminal, and off one where
// offTerminal says so, always without -q. Without Finish the line is removed at
// the end of the session.
func (s *Session) Meter(unit string, offTerminal bool, c progress.Counts) *Meter {
	switch fmt.Sprint(s.Generic("progress")) {
	case "always":
	case "auto":
		if s.Quiet() || !s.Terminal() && !offTerminal {
			return nil
		}
	default:
		return nil
	}
	l := s.Log
	config := progress.Config{Name: l.command, Unit: unit, Out: l.w, Terminal: l.redraws(), Width: l.width, Style: style()}
	if l.json {
		config.Out = noteWriter{l}
	}
	m := &Meter{log: l, meter: progress.New(config, time.Now())}
	m.rates.Add(&c, time.Now())
	l.mu.Lock()
	defer l.mu.Unlock()
	if config.Terminal {
		l.above = m.meter
	}
	return m
}

// redraws reports whether standard error obeys control sequences.
func (l *Log) redraws() bool {
	term := os.Getenv("TERM")
	return l.Terminal() && term != "" && term != "dumb"
}

// style is what the user's terminal can show.
func style() progress.Style {
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG"), "UTF-8")
	utf8 := strings.Contains(strings.ToUpper(strings.ReplaceAll(locale, "-", "")), "UTF8")
	return progress.Style{Color: os.Getenv("NO_COLOR") == "", ASCII: !utf8}
}

// Update draws when it is time, with rates of the last minute.
func (m *Meter) Update(c progress.Counts, now time.Time) {
	if m != nil {
		m.rates.Add(&c, now)
		m.Show(m.rates.Figures(c, now), now)
	}
}

// Show draws figures that the caller measured, when it is time.
func (m *Meter) Show(f progress.Figures, now time.Time) {
	if m != nil {
		m.log.mu.Lock()
		defer m.log.mu.Unlock()
		m.meter.Update(f, now)
	}
}

// Due is how long until Update would draw; without a meter a long time.
func (m *Meter) Due(now time.Time) time.Duration {
	if m == nil {
		return time.Hour
	}
	m.log.mu.Lock()
	defer m.log.mu.Unlock()
	return m.meter.Due(now)
}

// Finish draws a last time, with rates of the whole run, and ends the line.
func (m *Meter) Finish(c progress.Counts, now time.Time) {
	if m != nil {
		m.End(m.rates.Final(c, now))
	}
}

// End draws figures that the caller measured a last time and ends the line.
func (m *Meter) End(f progress.Figures) {
	if m != nil {
		m.log.mu.Lock()
		defer m.log.mu.Unlock()
		m.meter.Finish(f)
		m.log.above = nil
	}
}

// endMeter removes the line of a meter that was not finished.
func (l *Log) endMeter() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.above != nil {
		io.WriteString(l.w, "\r\x1b[K")
		l.above = nil
	}
}

// noteWriter makes notes of a meter's lines. It is used under the log's lock.
type noteWriter struct{ log *Log }

func (w noteWriter) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		text := strings.TrimPrefix(strings.TrimSpace(line), w.log.command+": ")
		w.log.writeLocked(message{level: "note", text: text})
	}
	return len(p), nil
}
