package simulator

import (
	"context"
	"errors"
	"sync"
)

// errAborted is why a request ends that /abort_request named.
var errAborted = errors.New("aborted by request")

// active are the requests under way that have a name (rid).
type active struct {
	mu     sync.Mutex
	cancel map[string]context.CancelCauseFunc
}

// enter names a request; leave must be called when it is over.
func (a *active) enter(ctx context.Context, rid string) (_ context.Context, leave func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	if rid == "" {
		return ctx, func() { cancel(nil) }
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cancel == nil {
		a.cancel = map[string]context.CancelCauseFunc{}
	}
	a.cancel[rid] = cancel
	return ctx, func() {
		cancel(nil)
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.cancel, rid)
	}
}

// abort ends the request of that name, or all, and says how many there were.
func (a *active) abort(rid string, all bool) (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for name, cancel := range a.cancel {
		if all || name == rid {
			cancel(errAborted)
			n++
		}
	}
	return n
}

func aborted(ctx context.Context) bool { return context.Cause(ctx) == errAborted }
