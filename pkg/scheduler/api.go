package scheduler

import (
	"math/rand/v2"
	"time"
)

// Lane is a pool of slots.
type Lane struct {
	Name  string
	Slots int // requests at a time
}

// Config of a run. Zero fields take the defaults given.
type Config struct {
	Lanes    []Lane
	Servers  int           // how many; jobs name them by index
	Attempts int           // sends of a job that count (6); 1 sends once whatever the answer
	Base     time.Duration // back-off after the first failure, before jitter (500 ms)
	Cap      time.Duration // longest back-off (60 s)
	Breaker  int           // failures in a row that stop the run (75); -1 never
	Rand     *rand.Rand    // for jitter; required
}

// Job is one request that must be answered.
type Job[T any] struct {
	Value   T
	Lane    int // index into Config.Lanes
	Server  int // where to send it, chosen by Next
	Attempt int // the number of this send, from 1, also of those that do not count
}

// Outcome is how a send ended.
type Outcome uint8

const (
	Answered Outcome = iota // settled
	Failed                  // may be asked again, counts as an attempt
	SlowDown                // must be asked again later, does not count (429, 503)
	Dead                    // settled: asking again cannot help
	Dropped                 // settled: given up by the caller; says nothing about the server
)

// Decision is what follows.
type Decision struct {
	Retry bool          // the job will come out of Next again
	After time.Duration // earliest, when Retry
}

// Scheduler holds the jobs of a run from Add until they are settled.
type Scheduler[T any] struct{}

// New returns an empty scheduler.
func New[T any](c Config) (*Scheduler[T], error) { panic("todo") }

// Wants reports whether another job should be added: a lane has a free slot and
// nothing to fill it, and no lane has a backlog of more than its slots.
func (s *Scheduler[T]) Wants() bool { panic("todo") }

// Add takes a job. It may be called at any time; see Wants for when it should.
func (s *Scheduler[T]) Add(lane int, value T) { panic("todo") }

// Next is a job to send now, nil when there is none.
func (s *Scheduler[T]) Next(now time.Time) *Job[T] { panic("todo") }

// Wait is how long until Next may have a job although nothing was added or
// done; ok is false when time alone brings none.
func (s *Scheduler[T]) Wait(now time.Time) (d time.Duration, ok bool) { panic("todo") }

// Done reports how a job from Next ended. after is what the server asked for
// (Retry-After), 0 for nothing.
func (s *Scheduler[T]) Done(j *Job[T], o Outcome, after time.Duration, now time.Time) Decision {
	panic("todo")
}

// Drain stops: Next gives no more jobs and failures are not retried. It returns
// the jobs that were not in flight.
func (s *Scheduler[T]) Drain() []T { panic("todo") }

// Idle reports whether no job is in flight, waiting or in a backlog.
func (s *Scheduler[T]) Idle() bool { panic("todo") }

// Tripped reports whether the breaker stopped the run.
func (s *Scheduler[T]) Tripped() bool { panic("todo") }

// Stats are figures for people.
type Stats struct {
	InFlight  int // sent
	Waiting   int // backing off
	Backlog   int // ready, for want of a slot or a server
	InARow    int // failures since the last answer
	PerServer []int
}

// Stats counts.
func (s *Scheduler[T]) Stats() Stats { panic("todo") }
