package scheduler

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"
	"time"
)

// Scheduler holds the jobs of a run from Add until they are settled. It is owned
// by one goroutine.
type Scheduler[T any] struct {
	config  Config
	lanes   []lane[T]
	servers []server
	last    int      // server chosen last
	timed   queue[T] // waiting and slowed, by time

	seq      uint64
	inFlight int
	retries  int // jobs that failed and have no slot: waiting, or ready again
	answers  uint64
	inARow   int
	stopped  bool // drained
	tripped  bool // for good: a late answer does not undo it
}

type lane[T any] struct {
	slots, used int
	fresh       int      // of ready, never sent
	ready       queue[T] // want a slot
	resuming    queue[T] // have one
}

// New returns an empty scheduler. The error says what is wrong in c.
func New[T any](c Config) (*Scheduler[T], error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("scheduler: %w", err)
	}
	c.fill()
	s := &Scheduler[T]{config: c, servers: make([]server, c.Servers), timed: queue[T]{less: byTime[T]}}
	s.last = c.Servers - 1
	for _, l := range c.Lanes {
		q := queue[T]{less: byArrival[T]}
		s.lanes = append(s.lanes, lane[T]{slots: l.Slots, ready: q, resuming: q})
	}
	return s, nil
}

// spare is how many more jobs than slots may be asked again later: with few slots,
// too, others go on while some wait.
const spare = 16

// Wants reports whether another job should be added: a lane has a free slot and
// no new job to fill it, no lane has a full backlog of them, and not too many jobs
// are to be asked again.
func (s *Scheduler[T]) Wants() bool {
	if s.stopped || s.tripped {
		return false
	}
	slots, room := 0, false
	for i := range s.lanes {
		l := &s.lanes[i]
		if l.fresh >= l.slots {
			return false
		}
		slots += l.slots
		room = room || l.used+l.fresh < l.slots
	}
	return room && s.retries < slots+spare
}

// Add takes a job. It may be called at any time; Wants says when it should be.
func (s *Scheduler[T]) Add(lane int, value T) {
	s.seq++
	s.lanes[lane].fresh++
	heap.Push(&s.lanes[lane].ready, &Job[T]{Value: value, Lane: lane, seq: s.seq})
}

// Wait is how long until Next may have a job although nothing was added or
// done; ok is false when time alone brings none.
func (s *Scheduler[T]) Wait(now time.Time) (d time.Duration, ok bool) {
	if s.stopped || s.tripped {
		return 0, false
	}
	var at time.Time
	if j := s.timed.first(); j != nil {
		at, ok = j.due, true
	}
	if s.candidate() != nil {
		if t, resting := s.reopens(); resting && (!ok || t.Before(at)) {
			at, ok = t, true
		}
	}
	return max(0, at.Sub(now)), ok
}

// Idle reports whether no job is in flight, waiting or in a backlog.
func (s *Scheduler[T]) Idle() bool {
	return s.inFlight == 0 && s.timed.Len() == 0 && s.backlog() == 0
}

func (s *Scheduler[T]) backlog() (n int) {
	for i := range s.lanes {
		n += s.lanes[i].ready.Len() + s.lanes[i].resuming.Len()
	}
	return n
}

// Tripped reports whether the breaker stopped the run: too many failures in a row.
func (s *Scheduler[T]) Tripped() bool { return s.tripped }

// Drain stops: Next gives no more jobs and failures are not retried. It returns
// the jobs that were not in flight, in order of arrival.
func (s *Scheduler[T]) Drain() []T {
	s.stopped = true
	left := s.timed.jobs
	s.timed.jobs, s.retries = nil, 0
	for i := range s.lanes {
		l := &s.lanes[i]
		left = append(append(left, l.ready.jobs...), l.resuming.jobs...)
		l.ready.jobs, l.resuming.jobs, l.fresh = nil, nil, 0
	}
	slices.SortFunc(left, func(a, b *Job[T]) int { return cmp.Compare(a.seq, b.seq) })
	values := make([]T, len(left))
	for i, j := range left {
		if j.state == slowed || j.state == resuming {
			s.free(j)
		}
		j.state = settled
		values[i] = j.Value
	}
	return values
}

// Stats are figures for people.
type Stats struct {
	InFlight  int // sent
	Waiting   int // for their time
	Backlog   int // for a slot or a server
	InARow    int // failures that the breaker counts
	Resting   int // servers
	PerServer []int
}

// Stats counts.
func (s *Scheduler[T]) Stats() Stats {
	st := Stats{InFlight: s.inFlight, Waiting: s.timed.Len(), Backlog: s.backlog(), InARow: s.inARow}
	for i := range s.servers {
		v := &s.servers[i]
		st.PerServer = append(st.PerServer, v.outstanding)
		if v.resting() && !v.gone {
			st.Resting++
		}
	}
	return st
}
