package main

import (
	"errors"
	"testing"
	"time"
)

// memory is a store that fails at its n-th call of a kind.
type memory struct {
	lines, synced        int
	failAppend, failSync int
	closed               bool
}

var errDisk = errors.New("disk full")

func (m *memory) Append(string, []byte) error {
	if m.lines++; m.lines == m.failAppend {
		return errDisk
	}
	return nil
}

func (m *memory) Sync() error {
	if m.synced++; m.synced == m.failSync {
		return errDisk
	}
	return nil
}

func (m *memory) Close() error { m.closed = true; return nil }

// send hands an exchange over, as the run's loop does.
func send(k *keeper, e kept) {
	k.add(e)
	in, first := k.next()
	in <- first
	k.pass()
}

// TestKeeperCountsWhatIsSynced holds that nothing counts before it is on disk.
func TestKeeperCountsWhatIsSynced(t *testing.T) {
	m := &memory{}
	k := keep(m, time.Hour)
	for range 10 {
		send(k, kept{as: done})
	}
	if got := k.take(); len(got) != 0 {
		t.Errorf("%d counted before a sync", len(got))
	}
	<-k.close()
	if got, err := k.take(), k.failed(); len(got) != 10 || err != nil || !m.closed {
		t.Errorf("%d kept, error %v, closed %v", len(got), err, m.closed)
	}
}

// TestKeeperFails holds that a failed write is told once, that what came after
// the last sync does not count, and that nobody waits for ever.
func TestKeeperFails(t *testing.T) {
	f := func(m *memory, interval time.Duration) {
		t.Helper()
		k := keep(m, interval)
		for range 5 {
			send(k, kept{as: done})
		}
		<-k.wake
		for range 5 {
			send(k, kept{as: done})
		}
		<-k.close()
		got, err := k.take(), k.failed()
		if !errors.Is(err, errDisk) || len(got) != 0 || !m.closed {
			t.Errorf("%d kept, error %v, closed %v", len(got), err, m.closed)
		}
	}
	f(&memory{failAppend: 3}, time.Hour)
	f(&memory{failSync: 1}, time.Millisecond)
}
