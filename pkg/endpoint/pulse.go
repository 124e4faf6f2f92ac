package endpoint

import (
	"sync"
	"time"
)

const (
	// beat is how often a pulse looks at the time.
	beat = time.Second
	// late is how much a look may be late: more is no busy machine any more.
	late = 2 * time.Second
	// remembered bounds the stops that are kept.
	remembered = 256
)

// Pulse notices when this process stood still: it was stopped by SIGSTOP or
// SIGTSTP, or frozen with its container, and its clocks ran on. It looks at the
// time every second while it is used; a look that comes more than two seconds late
// says so. Shorter stops are not noticed.
//
// The zero Pulse is ready. It is safe for concurrent use and must not be copied.
type Pulse struct {
	now func() time.Time // of a test

	mu    sync.Mutex
	users int
	timer *time.Timer
	last  time.Time
	lost  time.Duration
	stops []standstill // the latest, in order
}

// standstill is a time in which the process stood still.
type standstill struct {
	end    time.Time
	length time.Duration // at most a beat too long
}

// Start makes the pulse beat until stop is called, once.
func (p *Pulse) Start() (stop func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.users++; p.users == 1 {
		p.last = p.time()
		p.timer = time.AfterFunc(beat, p.beat)
	}
	return p.stop
}

func (p *Pulse) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.look()
	if p.users--; p.users == 0 {
		p.timer.Stop()
	}
}

// Lost is how long the process stood still so far, while the pulse was beating.
func (p *Pulse) Lost() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.look()
	return p.lost
}

// lostSince is how much of the time since t the process stood still. A pulse that
// beat all the while is assumed.
func (p *Pulse) lostSince(t time.Time) (lost time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.look()
	for i := len(p.stops) - 1; i >= 0 && p.stops[i].end.After(t); i-- {
		lost += min(p.stops[i].length, p.stops[i].end.Sub(t))
	}
	return lost
}

func (p *Pulse) beat() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.users > 0 {
		p.look()
		p.timer.Reset(beat)
	}
}

// look notes the time. Whoever looks first after a standstill notices it: timers
// that all fire at once when the process goes on need not wait for the next beat.
func (p *Pulse) look() {
	if p.users == 0 {
		return
	}
	now := p.time()
	if gap := now.Sub(p.last); gap > beat+late {
		p.lost += gap
		if len(p.stops) == remembered {
			p.stops = append(p.stops[:0], p.stops[1:]...)
		}
		p.stops = append(p.stops, standstill{now, gap})
	}
	p.last = now
}

func (p *Pulse) time() time.Time {
	if p.now != nil {
		return p.now()
	}
	return time.Now()
}
