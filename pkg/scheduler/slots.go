package scheduler

import (
	"container/heap"
	"fmt"
	"time"
)

type lane[T any] struct {
	slots, used int
	jobs        int      // not settled
	fresh       int      // of ready, never sent
	ready       queue[T] // want a slot
	resuming    queue[T] // have one
}

// few is how many slots a lane has at the beginning of a ramp.
const few = 4

// ramped is how many slots the lane has now.
func (s *Scheduler[T]) ramped(l *lane[T], now time.Time) int {
	since := now.Sub(s.begun)
	if since >= s.config.Ramp || l.slots <= few {
		return l.slots
	}
	return few + int(float64(l.slots-few)*float64(since)/float64(s.config.Ramp))
}

// grows is when a lane that waits for the ramp gets its next slot.
func (s *Scheduler[T]) grows(now time.Time) (next soonest) {
	for i := range s.lanes {
		l := &s.lanes[i]
		have := s.ramped(l, now)
		if l.ready.Len() == 0 || have == l.slots {
			continue
		}
		share := float64(have+1-few) / float64(l.slots-few)
		next.consider(s.begun.Add(time.Duration(share*float64(s.config.Ramp))+1), true)
	}
	return next
}

// lent is how many slots lanes may take beyond their own: those that no job of
// their lane can need any more, less those that are taken. A lane keeps a slot for
// each of its jobs, also for those that wait to be asked again, so that none has
// to be given back.
func (s *Scheduler[T]) lent(now time.Time) (free int) {
	if !s.noMore {
		return 0
	}
	for i := range s.lanes {
		l := &s.lanes[i]
		free += max(0, s.ramped(l, now)-l.jobs) - max(0, l.used-s.ramped(l, now))
	}
	return max(0, free)
}

// hasSlot reports whether a ready job of the lane can be sent.
func (s *Scheduler[T]) hasSlot(l *lane[T], now time.Time) bool {
	return l.used < s.ramped(l, now) || l.ready.Len() > 0 && s.lent(now) > 0
}

// NoMore says that no more jobs will be added. Slots that a lane no longer needs
// go to the others.
func (s *Scheduler[T]) NoMore() { s.noMore = true }

// SetSlots gives a lane more or fewer slots from now on. What is in flight goes on.
// It panics when slots is below 1.
func (s *Scheduler[T]) SetSlots(lane, slots int) {
	if slots < 1 {
		panic(fmt.Sprintf("scheduler: a lane with %d slots", slots))
	}
	s.lanes[lane].slots = slots
}

// Slots are those of each lane now.
func (s *Scheduler[T]) Slots() []int {
	slots := make([]int, len(s.lanes))
	for i := range s.lanes {
		slots[i] = s.lanes[i].slots
	}
	return slots
}

// spare is how many more jobs than slots may be asked again later: with few slots,
// too, others go on while some wait.
const spare = 16

// lookAhead is how many new jobs of one lane may wait while others are looked for
// that have a free slot: prompts of a kind often stand together.
const lookAhead = 1024

// Wants reports whether another job should be added: a lane has a free slot and
// no new job to fill it, no lane has a full backlog of them, and not too many jobs
// are to be asked again.
func (s *Scheduler[T]) Wants() bool {
	if s.stopped || s.tripped || s.noMore {
		return false
	}
	slots, room := 0, false
	for i := range s.lanes {
		l := &s.lanes[i]
		if l.fresh >= max(l.slots, lookAhead) {
			return false
		}
		slots += l.slots
		room = room || l.used+l.fresh < l.slots
	}
	return room && s.retries < slots+spare
}

// Add takes a job. It may be called at any time; Wants says when it should be.
func (s *Scheduler[T]) Add(lane int, value T) { s.AddWeighted(lane, value, 1) }

// AddWeighted takes a job that is that much work for a server, at least 1: the
// tokens that its answer may have, or the bytes of its prompt. All jobs of a run
// are weighed alike.
func (s *Scheduler[T]) AddWeighted(lane int, value T, weight int64) {
	s.seq++
	l := &s.lanes[lane]
	l.fresh++
	l.jobs++
	heap.Push(&l.ready, &Job[T]{Value: value, Lane: lane, seq: s.seq, weight: max(1, weight)})
}
