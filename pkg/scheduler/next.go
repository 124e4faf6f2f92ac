package scheduler

import (
	"cmp"
	"container/heap"
	"time"
)

// Next is a job to send now, nil when there is none. It must be given back to Done.
func (s *Scheduler[T]) Next(now time.Time) *Job[T] {
	if s.halted(now) {
		return nil
	}
	now = s.clock.at(now)
	if s.begun.IsZero() {
		s.begun = now
	}
	s.release(now)
	j := s.candidate(now)
	if j == nil || !s.rate.open(now) {
		return nil
	}
	to := s.place(j, now)
	if to < 0 {
		return nil
	}
	if v := &s.servers[to]; v.resting() || v.healthy {
		j = s.freshest(now)
	}
	s.send(j, to)
	s.rate.take(now)
	return j
}

// halted reports whether nothing is sent now, whatever there is.
func (s *Scheduler[T]) halted(now time.Time) bool {
	return s.stopped || s.tripped || s.clock.paused || s.Overdue(now)
}

// place is the server for a job. The place that a slowed one holds does not count.
func (s *Scheduler[T]) place(j *Job[T], now time.Time) int {
	if j.state == resuming {
		s.servers[j.Server].load -= j.weight
		defer func(v *server) { v.load += j.weight }(&s.servers[j.Server])
	}
	return s.pick(now)
}

// release moves the jobs whose time has come.
func (s *Scheduler[T]) release(now time.Time) {
	for j := s.timed.first(); j != nil && !j.due.After(now); j = s.timed.first() {
		heap.Pop(&s.timed)
		l := &s.lanes[j.Lane]
		if j.state == slowed {
			j.state = resuming
			heap.Push(&l.resuming, j)
			continue
		}
		j.state = ready
		heap.Push(&l.ready, j)
	}
}

// candidate is the oldest job that has a slot or can have one.
func (s *Scheduler[T]) candidate(now time.Time) (best *Job[T]) {
	consider := func(j *Job[T]) {
		if j != nil && (best == nil || j.seq < best.seq) {
			best = j
		}
	}
	for i := range s.lanes {
		l := &s.lanes[i]
		consider(l.resuming.first())
		if s.hasSlot(l, now) {
			consider(l.ready.first())
		}
	}
	return best
}

// freshest is the candidate that failed least, for a server that rests or has answered
// nothing but a trial since: if always the oldest went, it would spend all its attempts
// on a server that is down, and a job that brings servers down would be its own trial.
func (s *Scheduler[T]) freshest(now time.Time) (best *Job[T]) {
	consider := func(jobs []*Job[T]) {
		for _, j := range jobs {
			if best == nil || cmp.Or(cmp.Compare(j.failures, best.failures), cmp.Compare(j.seq, best.seq)) < 0 {
				best = j
			}
		}
	}
	for i := range s.lanes {
		l := &s.lanes[i]
		consider(l.resuming.jobs)
		if s.hasSlot(l, now) {
			consider(l.ready.jobs)
		}
	}
	return best
}

// send takes j out of its queue and gives it to a server.
func (s *Scheduler[T]) send(j *Job[T], to int) {
	l, v := &s.lanes[j.Lane], &s.servers[to]
	s.budget.sent(j.state == ready && j.failures > 0)
	if j.state == resuming {
		l.resuming.remove(j)
		s.servers[j.Server].takes(j.weight, -1)
	} else {
		l.ready.remove(j)
		l.used++
		if j.Attempt == 0 {
			l.fresh--
		} else {
			s.retries--
		}
	}
	v.takes(j.weight, 1)
	s.inFlight++
	s.last = to
	j.state, j.Server = sent, to
	j.Attempt++
	s.sends++
	j.sends, j.answers, j.served = s.sends, s.answers, v.answers
	j.trial = v.resting()
	v.trying = v.trying || j.trial
}
