package scheduler

import (
	"testing"
	"time"
)

func at(d time.Duration) time.Time { return epoch.Add(d) }

func TestPauseCountsForNothing(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"all", 20}}, Rate: 0.1, Ramp: time.Hour})
	for i := range 9 {
		s.Add(0, i)
	}
	first := s.Next(epoch)
	s.Done(first, SlowDown, 30*time.Second, epoch)
	s.Pause(at(5 * time.Second))
	s.Pause(at(time.Minute)) // is paused
	s.Shift(time.Minute)     // within the pause
	if !s.Paused() || s.Next(at(time.Hour)) != nil {
		t.Fatal("sends in a pause")
	}
	if _, ok := s.Wait(at(time.Hour)); ok {
		t.Error("waits in a pause")
	}
	s.Resume(at(2 * time.Hour))
	s.Resume(at(3 * time.Hour)) // is not paused
	if d, ok := s.Wait(at(2 * time.Hour)); !ok || d != 5*time.Second {
		t.Errorf("waits %v after the pause, want the 5 s that were left of the rate", d)
	}
	if s.Next(at(2*time.Hour+5*time.Second-1)) != nil {
		t.Error("the pause counted for the rate")
	}
	sendAll(s, at(2*time.Hour+5*time.Second))
	if j := s.Next(at(2*time.Hour + 24*time.Second)); j == first {
		t.Error("the pause counted for the server's Retry-After")
	}
	if j := s.Next(at(2*time.Hour + 40*time.Second)); j != first {
		t.Errorf("the slowed job did not come back: %+v", j)
	}
}

func TestAnswersInAPause(t *testing.T) {
	s := newScheduler(t, Config{})
	s.Add(0, 0)
	j := s.Next(epoch)
	s.Pause(at(time.Second))
	s.Done(j, Failed, 10*time.Second, at(time.Hour))
	s.Resume(at(2 * time.Hour))
	if d, _ := s.Wait(at(2 * time.Hour)); d < 10*time.Second || d > 10*time.Second+DefaultBase {
		t.Errorf("waits %v, want 10 s of time that is no pause", d)
	}
}

func TestShift(t *testing.T) {
	s := newScheduler(t, Config{})
	s.Add(0, 0)
	s.Done(s.Next(epoch), Failed, 10*time.Second, epoch)
	s.Shift(time.Hour) // was stopped right afterwards
	if s.Next(at(time.Hour+10*time.Second-1)) != nil {
		t.Error("the stopped hour counted")
	}
	if s.Next(at(time.Hour+11*time.Second)) == nil {
		t.Error("the job never comes back")
	}
}

// A run that stood still is no outage.
func TestPauseIsNoOutage(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"all", 9}}, Breaker: 3, Attempts: 9})
	for i := range 4 {
		s.Add(0, i)
	}
	jobs := sendAll(s, epoch)
	s.Done(jobs[0], Failed, 0, epoch)
	s.Done(jobs[1], Failed, 0, epoch)
	s.Shift(time.Hour)
	s.Done(jobs[2], Failed, 0, at(time.Hour))
	if s.Tripped() {
		t.Error("tripped by three failures within a second and a stopped hour")
	}
	s.Done(jobs[3], Failed, 0, at(time.Hour+DefaultOutage))
	if !s.Tripped() {
		t.Error("never trips")
	}
}

func TestDeadline(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"all", 1}}, Deadline: at(time.Minute)})
	for i := range 3 {
		s.Add(0, i)
	}
	j := s.Next(epoch)
	if d, ok := s.Wait(epoch); !ok || d != time.Minute {
		t.Errorf("waits %v, want to see the deadline", d)
	}
	s.Pause(epoch)
	if d, ok := s.Wait(epoch); !ok || d != time.Minute {
		t.Errorf("waits %v in a pause: a deadline is not moved", d)
	}
	s.Resume(at(time.Second))
	s.Done(j, Answered, 0, at(time.Second))
	if j = s.Next(at(time.Minute - 1)); j == nil || s.Overdue(at(time.Minute-1)) {
		t.Fatal("overdue too early")
	}
	if !s.Overdue(at(time.Minute)) || s.Next(at(time.Minute)) != nil {
		t.Error("sends after the deadline")
	}
	if _, ok := s.Wait(at(time.Hour)); ok {
		t.Error("waits for what never comes")
	}
	if d := s.Done(j, Failed, 0, at(time.Hour)); !d.Retry {
		t.Error("a failure after the deadline was taken for the last")
	}
	if left := s.Drain(); len(left) != 2 {
		t.Errorf("%v left over", left)
	}
	if newScheduler(t, Config{}).Overdue(at(1e9 * time.Second)) {
		t.Error("no deadline has passed")
	}
}

func TestInterruptedCountsForNothing(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"all", 1}}, Attempts: 2, Breaker: 1, Outage: 1})
	s.Add(0, 0)
	now := epoch
	for range 20 {
		j := s.Next(now)
		if j == nil {
			t.Fatal("a job that was interrupted did not come back")
		}
		if d := s.Done(j, Interrupted, 0, now); !d.Retry || d.After > DefaultBase {
			t.Fatalf("%+v", d)
		}
		now = now.Add(DefaultBase)
	}
	if st := s.Stats(); s.Tripped() || st.Resting > 0 || st.InARow > 0 {
		t.Errorf("interruptions count: %+v", st)
	}
	once := newScheduler(t, Config{Attempts: 1})
	once.Add(0, 0)
	if once.Done(once.Next(epoch), Interrupted, 0, epoch).Retry {
		t.Error("sent twice with one attempt")
	}
}
