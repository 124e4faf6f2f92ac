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

// watch cancels an exchange when nothing comes for too long. It has one clock,
// first for the first byte, then for silence.
type watch struct {
	timeouts Timeouts
	cancel   context.CancelCauseFunc
	mu       sync.Mutex
	timer    *time.Timer
	idle     bool // the timer is for silence
	stopped  bool // the exchange is over; the transport may still call
}

// connected starts the clock for the first byte.
func (w *watch) connected() {
	w.start(false, w.timeouts.FirstByte, "timeout.first-byte", "no byte of an answer within %v")
}

// answered starts the clock for silence.
func (w *watch) answered() {
	w.start(true, w.timeouts.Idle, "timeout.idle", "no byte for %v in the middle of the answer")
}

func (w *watch) start(idle bool, limit time.Duration, code, words string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped {
		return
	}
	w.clear()
	w.idle = idle
	if limit > 0 {
		why := &timeout{code, fmt.Sprintf(words, limit)}
		w.timer = time.AfterFunc(limit, func() { w.cancel(why) })
	}
}

func (w *watch) clear() {
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
}

// touch says that a byte came.
func (w *watch) touch() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil && w.idle {
		w.timer.Reset(w.timeouts.Idle)
	}
}

// stop is called when the exchange is over.
func (w *watch) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clear()
	w.stopped = true
}

// limited is ctx with the total time as its deadline.
func limited(ctx context.Context, total time.Duration) (context.Context, context.CancelFunc) {
	if total <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, total, &timeout{"timeout.total",
		fmt.Sprintf("not complete within %v", total)})
}
