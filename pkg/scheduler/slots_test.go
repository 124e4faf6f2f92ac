package scheduler

import (
	"testing"
	"time"
)

// sendAll takes all jobs that may be sent now.
func sendAll(s *Scheduler[int], now time.Time) (jobs []*Job[int]) {
	for j := s.Next(now); j != nil; j = s.Next(now) {
		jobs = append(jobs, j)
	}
	return jobs
}

func TestIdleLaneLendsAtTheTail(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"short", 5}, {"long", 2}}})
	for i := range 3 {
		s.Add(0, i)
	}
	for i := range 9 {
		s.Add(1, i)
	}
	jobs := sendAll(s, epoch)
	if len(jobs) != 5 {
		t.Fatalf("%d sent, want 3 short and 2 long: more short ones may come", len(jobs))
	}
	s.NoMore()
	if more := sendAll(s, epoch); len(more) != 2 {
		t.Fatalf("%d more sent, want 2: the short lane needs 3 of its 5 slots", len(more))
	}
	s.Done(jobs[0], Failed, 0, epoch)
	if s.Next(epoch) != nil {
		t.Error("the slot of a job that is asked again was lent")
	}
	again := s.Next(epoch.Add(DefaultBase))
	if again != jobs[0] {
		t.Fatalf("the failed job did not get its slot back: %+v", again)
	}
	s.Done(again, Answered, 0, epoch)
	s.Done(jobs[1], Answered, 0, epoch)
	if more := sendAll(s, epoch); len(more) != 2 || more[0].Lane != 1 {
		t.Errorf("%d more sent, want 2 long ones in the slots of settled short ones", len(more))
	}
	if s.Wants() {
		t.Error("wants jobs after NoMore")
	}
}

func TestRampUp(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"short", 104}, {"long", 3}}, Ramp: 100 * time.Second})
	for i := range 104 {
		s.Add(0, i)
		s.Add(1, i)
	}
	f := func(after time.Duration, want int) {
		t.Helper()
		sendAll(s, epoch.Add(after))
		if got := s.Stats().InFlight; got != want+3 {
			t.Errorf("after %v: %d in flight, want %d and 3", after, got, want)
		}
	}
	f(0, 4)
	f(500*time.Millisecond, 4)
	if d, ok := s.Wait(epoch.Add(500 * time.Millisecond)); !ok || d < 500*time.Millisecond || d > 501*time.Millisecond {
		t.Errorf("waits %v for the next slot, want 0.5 s", d)
	}
	f(time.Second+1, 5)
	f(50*time.Second+1, 54)
	f(100*time.Second, 104)
	if _, ok := s.Wait(epoch.Add(time.Hour)); ok {
		t.Error("waits for slots after the ramp")
	}
}

func TestSetSlots(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"short", 2}}})
	for i := range 9 {
		s.Add(0, i)
	}
	jobs := sendAll(s, epoch)
	s.SetSlots(0, 5)
	if jobs = append(jobs, sendAll(s, epoch)...); len(jobs) != 5 {
		t.Errorf("%d in 5 slots", len(jobs))
	}
	s.SetSlots(0, 1)
	for _, j := range jobs[:4] {
		s.Done(j, Answered, 0, epoch)
	}
	if s.Next(epoch) != nil {
		t.Error("sent while one is in flight in one slot")
	}
	s.Done(jobs[4], Answered, 0, epoch)
	if len(sendAll(s, epoch)) != 1 {
		t.Error("one slot does not hold one")
	}
}

// One server gets the long answers' work in mind: it is not given as many more.
func TestLeastOutstandingWork(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"all", 100}}, Servers: 2})
	s.AddWeighted(0, 0, 16000)
	long := s.Next(epoch)
	for i := range 10 {
		s.AddWeighted(0, i, 1000)
		if j := s.Next(epoch); j.Server == long.Server {
			t.Fatalf("job %d went to the server with a long one", i)
		}
	}
	s.Done(long, Answered, 0, epoch)
	s.AddWeighted(0, 11, 0)
	if j := s.Next(epoch); j.Server != long.Server || j.weight != 1 {
		t.Errorf("%+v", j)
	}
}

func TestServerReturns(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"all", 9}}, Servers: 2, Attempts: 99})
	s.ReturnServer(1) // never left
	for i := range 9 {
		s.Add(0, i)
	}
	now := epoch
	for s.Stats().Resting < 2 {
		now = now.Add(DefaultCap)
		s.Done(s.Next(now), Failed, 0, now)
	}
	s.RemoveServer(1)
	if got := s.Stats().Resting; got != 1 {
		t.Errorf("%d rest of the one that is left", got)
	}
	s.ReturnServer(1)
	there := 0
	for _, j := range sendAll(s, now) {
		if j.Server == 1 && !j.trial {
			there++
		}
	}
	if there < 3 {
		t.Errorf("%d jobs sent to a server that came back, want as many as to a new one", there)
	}
}
