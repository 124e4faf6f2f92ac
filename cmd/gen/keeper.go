package main

import (
	"sync"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/monitor"
)

// store is where exchanges go, line by line. A line is kept once Sync returned.
type store interface {
	Append(archive string, line []byte) error // archive: which file, see [config.archiveOf]
	Sync() error
	Close() error
}

// kept is an exchange that is to be kept, and what it settles.
type kept struct {
	archive string
	line    []byte
	hash    uint64
	as      state            // pending settles nothing
	attempt *monitor.Attempt // what is counted, nil for nothing
}

// keeper writes to one store. Its goroutine never waits for the run's loop, and
// the loop never for it: what is to be kept waits in a queue that the loop owns;
// what is kept, and the error that ended the goroutine's work, are fetched after a
// wake-up.
type keeper struct {
	queue  []kept
	in     chan kept
	wake   chan struct{} // something can be taken
	closed chan struct{} // the goroutine has ended

	mu   sync.Mutex
	kept []kept
	err  error
}

// full is the length of a queue at which nothing new is sent: the store is slow.
const full = 1024

// keep starts a keeper that syncs at least every interval.
func keep(s store, interval time.Duration) *keeper {
	k := &keeper{in: make(chan kept), wake: make(chan struct{}, 1), closed: make(chan struct{})}
	go k.run(s, interval)
	return k
}

// add puts an exchange into the queue. A nil keeper keeps nothing.
func (k *keeper) add(e kept) {
	if k != nil {
		k.queue = append(k.queue, e)
	}
}

// behind reports whether there is no room in the queue.
func (k *keeper) behind() bool { return k != nil && len(k.queue) >= full }

// idle reports whether the queue is empty.
func (k *keeper) idle() bool { return k == nil || len(k.queue) == 0 }

// next is the first exchange of the queue and where to send it, nil when there is
// none; pass takes it out of the queue.
func (k *keeper) next() (chan<- kept, kept) {
	if k.idle() {
		return nil, kept{}
	}
	return k.in, k.queue[0]
}

func (k *keeper) pass() {
	k.queue[0] = kept{}
	k.queue = k.queue[1:]
}

// awake is when take has something.
func (k *keeper) awake() <-chan struct{} {
	if k == nil {
		return nil
	}
	return k.wake
}

// take returns what was kept since the last call.
func (k *keeper) take() []kept {
	k.mu.Lock()
	defer k.mu.Unlock()
	kept := k.kept
	k.kept = nil
	return kept
}

// failed is the error that ended the keeper's work.
func (k *keeper) failed() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.err
}

// close says that nothing more comes; closed tells when all is kept.
func (k *keeper) close() <-chan struct{} {
	close(k.in)
	return k.closed
}

func (k *keeper) run(s store, interval time.Duration) {
	defer close(k.closed)
	var unsynced []kept
	timer := time.NewTimer(interval)
	timer.Stop()
	for {
		select {
		case e, open := <-k.in:
			if !open {
				k.tell(unsynced, s.Close())
				return
			}
			if err := s.Append(e.archive, e.line); err != nil {
				k.fail(s, err)
				return
			}
			if len(unsynced) == 0 {
				timer.Reset(interval)
			}
			e.line = nil
			unsynced = append(unsynced, e)
		case <-timer.C:
			if err := s.Sync(); err != nil {
				k.fail(s, err)
				return
			}
			k.tell(unsynced, nil)
			unsynced = nil
		}
	}
}

// tell makes kept exchanges, or an error instead of them, available.
func (k *keeper) tell(kept []kept, err error) {
	k.mu.Lock()
	if err == nil {
		k.kept = append(k.kept, kept...)
	} else if k.err == nil {
		k.err = err
	}
	k.mu.Unlock()
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// fail tells the error and swallows what still comes: the run is about to stop
// and nothing that was not synced counts.
func (k *keeper) fail(s store, err error) {
	k.tell(nil, err)
	for range k.in {
	}
	s.Close()
}
