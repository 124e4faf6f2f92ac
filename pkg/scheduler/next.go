package scheduler

import (
	"cmp"
	"container/heap"
	"time"
)

// Next is a job to send now, nil when there is none. It must be given back to Done.
func (s *Scheduler[T]) Next(now time.Time) *Job[T] {
	if s.stopped || s.tripped {
		return nil
	}
	s.release(now)
	j := s.candidate()
	if j == nil {
		return nil
	}
	held := j.state == resuming
	if held { // its old place counts no longer when the new one is chosen
		s.servers[j.Server].outstanding--
	}
	to := s.pick(now)
	if held {
		s.servers[j.Server].outstanding++
	}
	if to < 0 {
		return nil
	}
	if s.servers[to].resting() {
		j = s.freshest()
	}
	s.send(j, to)
	return j
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
func (s *Scheduler[T]) candidate() (best *Job[T]) {
	consider := func(j *Job[T]) {
		if j != nil && (best == nil || j.seq < best.seq) {
			best = j
		}
	}
	for i := range s.lanes {
		l := &s.lanes[i]
		consider(l.resuming.first())
		if l.used < l.slots {
			consider(l.ready.first())
		}
	}
	return best
}

// freshest is the candidate that failed least, for trying a resting server: if
// always the oldest went, it would spend all its attempts on a server that is down,
// and a job that brings servers down would be its own trial.
func (s *Scheduler[T]) freshest() (best *Job[T]) {
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
		if l.used < l.slots {
			consider(l.ready.jobs)
		}
	}
	return best
}

// send takes j out of its queue and gives it to a server.
func (s *Scheduler[T]) send(j *Job[T], to int) {
	l, v := &s.lanes[j.Lane], &s.servers[to]
	if j.state == resuming {
		l.resuming.remove(j)
		s.servers[j.Server].outstanding--
	} else {
		l.ready.remove(j)
		l.used++
		if j.Attempt == 0 {
			l.fresh--
		} else {
			s.retries--
		}
	}
	v.outstanding++
	s.inFlight++
	s.last = to
	j.state, j.Server = sent, to
	j.Attempt++
	j.answers, j.served = s.answers, v.answers
	j.trial = v.resting()
	v.trying = v.trying || j.trial
}
