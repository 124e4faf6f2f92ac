package scheduler

import (
	"container/heap"
	"time"
)

// Done reports how a job from Next ended. after is what the server asked for
// (Retry-After), 0 for nothing. It panics when the job is not in flight.
func (s *Scheduler[T]) Done(j *Job[T], o Outcome, after time.Duration, now time.Time) Decision {
	if j.state != sent {
		panic("scheduler: a job was done that is not in flight")
	}
	now = s.clock.at(now)
	s.inFlight--
	s.failing.done(j.sends)
	s.refusing.done(j.sends)
	s.judge(j, o, now)
	s.tripped = s.tripped || s.trips(now)
	if s.settles(j, o) {
		s.free(j)
		s.settle(j)
		return Decision{}
	}
	wait := s.wait(j, o, after)
	j.due = now.Add(wait)
	if o == SlowDown {
		j.state = slowed
	} else {
		s.free(j)
		j.state = waiting
		s.retries++
	}
	heap.Push(&s.timed, j)
	return Decision{Retry: true, After: wait}
}

// judge notes what the outcome says about the server and the run.
func (s *Scheduler[T]) judge(j *Job[T], o Outcome, now time.Time) {
	v := &s.servers[j.Server]
	if j.trial {
		v.trying = false
	}
	switch o {
	case Answered, Dead, Amended:
		v.well()
		s.answers++
		s.failing, s.refusing = streak{}, streak{}
	case SlowDown: // alive, but no answer: the count of failures stands
		v.well()
		j.slowed++
		s.refusing.add(now, s.sends, s.inFlight)
	case Failed:
		j.failures++
		j.slowed = 0
		s.failed(j, now)
	}
}

// trips reports whether nothing has worked for too many sends and too long.
func (s *Scheduler[T]) trips(now time.Time) bool {
	c := &s.config
	return c.Breaker > 0 && (s.failing.lasts(c.Breaker, s.outage(), now) ||
		c.Patience > 0 && s.refusing.lasts(c.Breaker, c.Patience, now))
}

// settles reports whether the job ends here.
func (s *Scheduler[T]) settles(j *Job[T], o Outcome) bool {
	switch {
	case s.stopped || s.tripped:
		return true
	case o == SlowDown || o == Amended || o == Interrupted:
		return s.config.Attempts == 1
	case o == Failed:
		return j.failures >= s.config.Attempts
	}
	return true
}

// free gives back a job's slot and its place at the server.
func (s *Scheduler[T]) free(j *Job[T]) {
	s.lanes[j.Lane].used--
	s.servers[j.Server].takes(j.weight, -1)
}

func (s *Scheduler[T]) settle(j *Job[T]) {
	j.state = settled
	s.lanes[j.Lane].jobs--
}

// wait is how long a job waits: what the server asked for and a little jitter on
// top, or the back-off, whichever is longer.
func (s *Scheduler[T]) wait(j *Job[T], o Outcome, after time.Duration) (d time.Duration) {
	switch {
	case o == Amended:
		return 0
	case o == Interrupted:
		d = s.share(s.config.Base)
	case o == SlowDown:
		d = s.backOff(j.slowed, s.config.Cap)
	case s.budget.spent() && !s.servers[j.Server].healthy: // else the job itself is at fault
		d = s.share(s.config.Cap)
	default:
		d = s.backOff(j.failures, s.config.Cap)
	}
	if after > 0 {
		d = max(d, after+s.share(s.config.Base))
	}
	return d
}

// backOff is the wait after the n-th failure in a row: a random share of
// base·2ⁿ⁻¹, at most longest ("full jitter",
// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
func (s *Scheduler[T]) backOff(n int, longest time.Duration) time.Duration {
	limit := s.config.Base
	for ; n > 1 && limit < longest; n-- {
		limit *= 2
	}
	return s.share(min(limit, longest))
}

// share is a random part of d.
func (s *Scheduler[T]) share(d time.Duration) time.Duration {
	return time.Duration(s.config.Rand.Int64N(int64(d) + 1))
}
