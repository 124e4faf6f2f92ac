package simulator

import (
	"context"
	"errors"
	"sync"
)

// errAborted is why a request ends that /abort_request named.
var errAborted = errors.New("aborted by request")

// task is a request under way.
type task struct {
	context.Context                 // of the work: ends when it is aborted, and mostly with the client
	client          context.Context // ends when the client goes away
	rid             string          // its name, "" for none
	cancel          context.CancelCauseFunc
	running         bool // has a slot; guarded by active
}

func (t *task) aborted() bool { return context.Cause(t) == errAborted }

// active are the requests under way.
type active struct {
	mu    sync.Mutex
	tasks map[*task]struct{}
}

// enter begins a request of a client; leave must be called when it is over. work is
// when it ends without being aborted.
func (a *active) enter(work, client context.Context, rid string) *task {
	t := &task{client: client, rid: rid}
	t.Context, t.cancel = context.WithCancelCause(work)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tasks == nil {
		a.tasks = map[*task]struct{}{}
	}
	a.tasks[t] = struct{}{}
	return t
}

func (a *active) leave(t *task) {
	t.cancel(nil)
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.tasks, t)
}

// run notes that a request has a slot, or has it no more.
func (a *active) run(t *task, running bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	t.running = running
}

// abort ends the requests of that name, or all, and says how many had a slot.
func (a *active) abort(rid string, all bool) (running int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for t := range a.tasks {
		if !all && (rid == "" || t.rid != rid) {
			continue
		}
		if t.running && t.Err() == nil {
			running++
		}
		t.cancel(errAborted)
	}
	return running
}

// abandoned is how many requests have a slot although their client went away.
func (a *active) abandoned() (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for t := range a.tasks {
		if t.running && t.client.Err() != nil {
			n++
		}
	}
	return n
}
