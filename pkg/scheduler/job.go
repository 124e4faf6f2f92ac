package scheduler

import (
	"container/heap"
	"slices"
	"time"
)

// Job is one request that must be answered.
type Job[T any] struct {
	Value   T
	Lane    int // index into Config.Lanes
	Server  int // where to send it, chosen by Next
	Attempt int // the number of this send, from 1, also of those that do not count

	seq      uint64 // order of arrival
	weight   int64
	state    state
	failures int       // sends that count
	slowed   int       // times it was told to slow down in a row
	due      time.Time // when waiting
	sends    uint64    // of the run, when it was sent, this one included
	answers  uint64    // of the run, when it was sent
	served   uint64    // answers of its server, when it was sent
	trial    bool      // sent to see whether a resting server is back
}

// state says where a job is; it is in one place at a time.
type state uint8

const (
	ready    state = iota // in its lane's backlog, without a slot
	sent                  // given out by Next, with a slot
	waiting               // for its time, without a slot
	slowed                // for its time, with its slot
	resuming              // its time has come, with its slot
	settled
)

// Outcome is how a send ended.
type Outcome uint8

const (
	Answered    Outcome = iota // settled
	Failed                     // may be asked again; counts as an attempt
	SlowDown                   // must be asked again later; does not count (429, 503)
	Dead                       // settled: asking again cannot help, the server is well
	Dropped                    // settled: given up by the caller; says nothing about the server
	Amended                    // refused, and to be asked at once in another form; counts for nothing
	Interrupted                // lost while this process was stopped: asked again, counts for nothing
)

// Decision is what follows.
type Decision struct {
	Retry bool          // the job will come out of Next again
	After time.Duration // but not before, when Retry
}

// queue is a heap of jobs.
type queue[T any] struct {
	jobs []*Job[T]
	less func(a, b *Job[T]) bool
}

func byArrival[T any](a, b *Job[T]) bool { return a.seq < b.seq }
func byTime[T any](a, b *Job[T]) bool    { return a.due.Before(b.due) }

func (q *queue[T]) Len() int           { return len(q.jobs) }
func (q *queue[T]) Less(i, j int) bool { return q.less(q.jobs[i], q.jobs[j]) }
func (q *queue[T]) Swap(i, j int)      { q.jobs[i], q.jobs[j] = q.jobs[j], q.jobs[i] }
func (q *queue[T]) Push(x any)         { q.jobs = append(q.jobs, x.(*Job[T])) }

func (q *queue[T]) Pop() any {
	last := len(q.jobs) - 1
	j := q.jobs[last]
	q.jobs[last] = nil
	q.jobs = q.jobs[:last]
	return j
}

// remove takes j out, which is mostly the first.
func (q *queue[T]) remove(j *Job[T]) {
	heap.Remove(q, slices.Index(q.jobs, j))
}

func (q *queue[T]) first() *Job[T] {
	if len(q.jobs) == 0 {
		return nil
	}
	return q.jobs[0]
}
