package scheduler

import "time"

// clock is the scheduler's own time. It stands still while the run is paused, so
// that a back-off, a rest, the ramp and the rate lose nothing to a pause.
type clock struct {
	behind time.Duration // the real time
	paused bool
	frozen time.Time // its time while paused
}

func (c *clock) at(now time.Time) time.Time {
	if c.paused {
		return c.frozen
	}
	return now.Add(-c.behind)
}

// Pause sends nothing more until Resume. What is in flight goes on.
func (s *Scheduler[T]) Pause(now time.Time) {
	if !s.clock.paused {
		s.clock.frozen, s.clock.paused = s.clock.at(now), true
	}
}

// Resume ends a pause. What was due in ten seconds when it began is due in ten
// seconds now.
func (s *Scheduler[T]) Resume(now time.Time) {
	if s.clock.paused {
		s.clock.behind, s.clock.paused = now.Sub(s.clock.frozen), false
	}
}

// Paused reports whether the run is paused.
func (s *Scheduler[T]) Paused() bool { return s.clock.paused }

// Shift takes back time in which this process stood still, stopped by a signal:
// it counts for no wait. Within a pause nothing is to be taken back.
func (s *Scheduler[T]) Shift(d time.Duration) {
	if !s.clock.paused {
		s.clock.behind += d
	}
}

// Overdue reports whether the run's deadline has passed. A deadline is a point in
// time: no pause moves it, as none moves the end of a cluster's job.
func (s *Scheduler[T]) Overdue(now time.Time) bool {
	return !s.config.Deadline.IsZero() && !now.Before(s.config.Deadline)
}

// soonest is the earliest of the times it was told.
type soonest struct {
	at time.Time
	ok bool
}

func (s *soonest) consider(t time.Time, ok bool) {
	if ok && (!s.ok || t.Before(s.at)) {
		s.at, s.ok = t, true
	}
}
