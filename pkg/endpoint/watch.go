package endpoint

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// timeout is why an exchange was cancelled.
type timeout struct{ code, words string }

func (t *timeout) Error() string { return t.words }

// alarm cancels an exchange when its time is over. Time in which this process
// stood still is not counted.
type alarm struct {
	code, words string // words has a place for the limit
	limit       time.Duration
	since       time.Time
	timer       *time.Timer // nil: not set
}

// watch has the clocks of an exchange: one for all of it, one first for the first
// byte, then for silence.
type watch struct {
	timeouts Timeouts
	pulse    *Pulse
	cancel   context.CancelCauseFunc
	mu       sync.Mutex
	total    alarm
	quiet    alarm
	idle     bool // quiet is for silence
	stopped  bool // the exchange is over; the transport may still call
}

// begin starts the clock for all of the exchange.
func (w *watch) begin(started time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.set(&w.total, alarm{code: "timeout.total", words: "not complete within %v", limit: w.timeouts.Total, since: started})
}

// connected starts the clock for the first byte.
func (w *watch) connected() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle = false
	w.set(&w.quiet, alarm{code: "timeout.first-byte", words: "no byte of an answer within %v", limit: w.timeouts.FirstByte, since: w.pulse.time()})
}

// answered starts the clock for silence.
func (w *watch) answered() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle = true
	w.set(&w.quiet, alarm{code: "timeout.idle", words: "no byte for %v in the middle of the answer", limit: w.timeouts.Idle, since: w.pulse.time()})
}

// touch says that a byte came.
func (w *watch) touch() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.idle {
		w.quiet.since = w.pulse.time() // the timer finds out
	}
}

// stop is called when the exchange is over.
func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.total.clear()
	w.quiet.clear()
	w.stopped = true
}

func (w *watch) set(a *alarm, to alarm) {
	if w.stopped {
		return
	}
	a.clear()
	*a = to
	if a.limit > 0 {
		a.timer = time.AfterFunc(a.rest(w.pulse), func() { w.ring(a) })
	}
}

// ring cancels the exchange, unless there is time left.
func (w *watch) ring(a *alarm) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if a.timer == nil {
		return
	}
	if rest := a.rest(w.pulse); rest > 0 {
		a.timer.Reset(rest)
		return
	}
	w.cancel(&timeout{a.code, fmt.Sprintf(a.words, a.limit)})
}

// rest is the time that is left.
func (a *alarm) rest(p *Pulse) time.Duration {
	return a.limit - p.time().Sub(a.since) + p.lostSince(a.since)
}

func (a *alarm) clear() {
	if a.timer != nil {
		a.timer.Stop()
		a.timer = nil
	}
}

// limited is ctx with the total time of a question about the server.
func limited(ctx context.Context, total time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, total, &timeout{"timeout.total",
		fmt.Sprintf("not complete within %v", total)})
}
