package main

import (
	"sync"
	"time"
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
	as      state // pending settles nothing
}

// keeper is the one goroutine that writes. It never waits for the run's loop:
// what is kept, and the error that ended its work, are fetched with take after a
// wake-up.
type keeper struct {
	in     chan kept
	wake   chan struct{} // something can be taken
	closed chan struct{} // the goroutine has ended

	mu   sync.Mutex
	kept []kept
	err  error
}

// keep starts a keeper that syncs at least every interval.
func keep(s store, interval time.Duration) *keeper {
	k := &keeper{in: make(chan kept, 64), wake: make(chan struct{}, 1), closed: make(chan struct{})}
	go k.run(s, interval)
	return k
}

// add hands over an exchange.
func (k *keeper) add(e kept) { k.in <- e }

// take returns what was kept since the last call, and the error that ended it.
func (k *keeper) take() ([]kept, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	kept := k.kept
	k.kept = nil
	return kept, k.err
}

// close keeps what was added and waits for the end.
func (k *keeper) close() {
	close(k.in)
	<-k.closed
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
