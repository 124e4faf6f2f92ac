package scheduler

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Scheduler holds the jobs of a run from Add until they are settled. It is owned
// by one goroutine.
type Scheduler[T any] struct {
	config  Config
	clock   clock
	begun   time.Time // the ramp, by clock
	rate    rate
	budget  budget
	lanes   []lane[T]
	servers []server
	last    int      // server chosen last
	timed   queue[T] // waiting and slowed, by time

	seq      uint64
	inFlight int
	retries  int // jobs that failed and have no slot: waiting, or ready again
	answers  uint64
	sends    uint64
	failing  streak // of failures
	refusing streak // of failures, and of servers that ask to slow down
	noMore   bool
	stopped  bool // drained
	tripped  bool // for good: a late answer does not undo it
}

// New returns an empty scheduler. The error says what is wrong in c.
func New[T any](c Config) (*Scheduler[T], error) {
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("scheduler: %w", err)
	}
	c.fill()
	s := &Scheduler[T]{
		config: c, rate: newRate(c.Rate), budget: budget{share: c.Budget},
		servers: make([]server, c.Servers), last: c.Servers - 1, timed: queue[T]{less: byTime[T]},
	}
	for _, l := range c.Lanes {
		q := queue[T]{less: byArrival[T]}
		s.lanes = append(s.lanes, lane[T]{slots: l.Slots, ready: q, resuming: q})
	}
	return s, nil
}

// Wait is how long until Next may have a job although nothing was added or
// done, or until the deadline; ok is false when time alone changes nothing.
func (s *Scheduler[T]) Wait(now time.Time) (d time.Duration, ok bool) {
	if s.stopped || s.tripped || s.Overdue(now) {
		return 0, false
	}
	var next soonest
	if !s.clock.paused {
		next = s.next(s.clock.at(now))
		next.at = next.at.Add(s.clock.behind)
	}
	next.consider(s.config.Deadline, !s.config.Deadline.IsZero())
	return max(0, next.at.Sub(now)), next.ok
}

// next is when something can be sent, by the clock.
func (s *Scheduler[T]) next(now time.Time) soonest {
	next := s.grows(now)
	if j := s.timed.first(); j != nil {
		next.consider(j.due, true)
	}
	if s.candidate(now) == nil {
		return next
	}
	open, ok := s.opens(now)
	if open.Before(s.rate.next) {
		open = s.rate.next
	}
	next.consider(open, ok)
	return next
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
		s.settle(j)
		values[i] = j.Value
	}
	return values
}

// Drought is how long nothing was answered although servers were asked: since the
// first failure or request to slow down after the last answer. It is 0 while a
// request is out that was sent before that.
func (s *Scheduler[T]) Drought(now time.Time) time.Duration {
	if s.refusing.n == 0 || s.refusing.older > 0 {
		return 0
	}
	return s.clock.at(now).Sub(s.refusing.since)
}

// Stats are figures for people.
type Stats struct {
	InFlight   int   // sent
	Waiting    int   // for their time
	Backlog    int   // for a slot or a server
	InARow     int   // failures that the breaker counts
	Resting    int   // servers
	OverBudget bool  // too many sends repeat a failed one
	PerServer  []int // sent there, or slowed down by it
}

// Stats counts.
func (s *Scheduler[T]) Stats() Stats {
	st := Stats{
		InFlight: s.inFlight, Waiting: s.timed.Len(), Backlog: s.backlog(),
		InARow: s.failing.n, Resting: s.resting(), OverBudget: s.budget.spent(),
	}
	for i := range s.servers {
		st.PerServer = append(st.PerServer, s.servers[i].outstanding)
	}
	return st
}
