package scheduler

import (
	"testing"
	"time"
)

// However many requests fail meanwhile, one that was sent before the first of them
// may yet be answered: long answers are under way while short ones fail.
func TestBreakerWaitsForOlderRequests(t *testing.T) {
	f := func(old Outcome, trips bool) {
		t.Helper()
		s := newScheduler(t, Config{Lanes: []Lane{{"all", 2}}, Attempts: 100, Breaker: 5})
		s.Add(0, 0)
		first := s.Next(epoch)
		now := epoch
		fail := func(n int) {
			t.Helper()
			for range n {
				s.Add(0, 1)
				j := s.Next(now)
				for j == nil {
					d, _ := s.Wait(now)
					now = now.Add(d)
					j = s.Next(now)
				}
				s.Done(j, Failed, 0, now)
			}
		}
		fail(10)
		now = now.Add(DefaultOutage)
		fail(1)
		if s.Tripped() {
			t.Error("tripped while an older request was out")
		}
		s.Done(first, old, 0, now)
		if s.Tripped() != trips {
			t.Errorf("outcome %d: tripped %v, want %v", old, s.Tripped(), trips)
		}
	}
	f(Answered, false)
	f(Failed, true)
}

// Servers that say nothing but "slow down" are given an hour.
func TestPatience(t *testing.T) {
	f := func(patience time.Duration, answerAt, least, most time.Duration) {
		t.Helper()
		s := newScheduler(t, Config{Lanes: []Lane{{"all", 4}}, Servers: 2, Patience: patience})
		for i := range 4 {
			s.Add(0, i)
		}
		now := epoch
		for now.Sub(epoch) < 5*time.Hour && !s.Tripped() {
			j := s.Next(now)
			if j == nil {
				d, _ := s.Wait(now)
				now = now.Add(d)
				continue
			}
			o := SlowDown
			if answerAt > 0 && now.Sub(epoch) > answerAt {
				o, answerAt = Answered, 0
			}
			s.Done(j, o, 0, now)
			if o == Answered && s.Drought(now) != 0 {
				t.Errorf("a drought of %v after an answer", s.Drought(now))
			}
		}
		if took := now.Sub(epoch); took < least || took > most {
			t.Errorf("patience %v, answer after %v: ended after %v", patience, answerAt, took)
		}
	}
	f(0, 0, DefaultPatience, DefaultPatience+2*time.Minute)
	f(10*time.Minute, 0, 10*time.Minute, 12*time.Minute)
	f(0, 50*time.Minute, 50*time.Minute+DefaultPatience, 54*time.Minute+DefaultPatience)
	f(-1, 0, 5*time.Hour, 6*time.Hour)
}

// A request that is refused in its form is asked again at once, and it is no fault.
func TestAmended(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"all", 1}}, Attempts: 2, Breaker: 1, Outage: 1})
	s.Add(0, 0)
	for range 5 {
		j := s.Next(epoch)
		if j == nil {
			t.Fatal("not asked again at once")
		}
		if d := s.Done(j, Amended, 0, epoch); !d.Retry || d.After != 0 {
			t.Fatalf("%+v", d)
		}
	}
	if st := s.Stats(); st.Resting+st.InARow > 0 || s.Tripped() {
		t.Errorf("%+v", st)
	}
	once := newScheduler(t, Config{Attempts: 1})
	once.Add(0, 0)
	if once.Done(once.Next(epoch), Amended, 0, epoch).Retry {
		t.Error("sent twice with one attempt")
	}
}
