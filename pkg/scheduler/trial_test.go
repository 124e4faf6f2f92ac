package scheduler

import (
	"testing"
	"time"
)

// TestPoisonedJobsAreNoOutage: however many jobs fail whenever they are asked, those
// behind them have their turn, for the trials say that the server is well.
func TestPoisonedJobsAreNoOutage(t *testing.T) {
	const poisoned, good = 300, 100
	s := newScheduler(t, Config{Lanes: []Lane{{"", 8}}, Servers: 1})
	s.Probed(0)
	now, added, answered, trials := epoch, 0, 0, 0
	for answered < good && now.Before(epoch.Add(time.Hour)) {
		for ; added < poisoned+good && s.Wants(); added++ {
			s.Add(0, added)
		}
		if server, due := s.Trial(now); due {
			trials++
			s.Tried(server, true, now)
		}
		for j := s.Next(now); j != nil; j = s.Next(now) {
			o := Failed
			if j.Value >= poisoned {
				o, answered = Answered, answered+1
			}
			s.Done(j, o, 0, now)
		}
		d, _ := s.Wait(now)
		now = now.Add(max(d, time.Millisecond))
	}
	if answered < good || trials == 0 || s.Tripped() {
		t.Errorf("%d of %d were answered behind %d that fail, %d trials, tripped %v in %v", answered, good, poisoned, trials, s.Tripped(), now.Sub(epoch))
	}
}

// TestTrialsOfAnOutage: while a probed server is down its trials alone are sent, one at
// a time, and no job spends an attempt; in the end the breaker trips.
func TestTrialsOfAnOutage(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"", 4}}, Servers: 1})
	s.Probed(0)
	now, sent, trials := epoch, 0, 0
	for i := range 4 {
		s.Add(0, i)
	}
	for !s.Tripped() {
		server, due := s.Trial(now)
		if due {
			if _, again := s.Trial(now); again {
				t.Fatal("two trials at once")
			}
			if s.Next(now) != nil {
				t.Fatal("a job beside the trial")
			}
			trials++
			s.Tried(server, false, now)
		}
		for j := s.Next(now); j != nil; j = s.Next(now) {
			sent++
			s.Done(j, Failed, 0, now)
		}
		d, ok := s.Wait(now)
		if !ok && !s.Tripped() {
			t.Fatal("nothing is due, and the breaker has not tripped")
		}
		now = now.Add(max(d, time.Millisecond))
	}
	if took := now.Sub(epoch); sent > 4+restAfter || trials < DefaultBreaker || took < DefaultOutage || took > DefaultOutage+longestRest {
		t.Errorf("%d jobs and %d trials were sent in %v", sent, trials, took)
	}
}

// TestNoTrial: without a rest, without a job that waits, without a probe, and of a
// server that left.
func TestNoTrial(t *testing.T) {
	f := func(probed, gone bool, failures, jobs int, want bool) {
		t.Helper()
		s := newScheduler(t, Config{Lanes: []Lane{{"", 4}}, Servers: 1})
		if probed {
			s.Probed(0)
		}
		for i := range failures {
			s.Add(0, i)
			s.Done(s.Next(epoch), Dropped, 0, epoch)
			s.fault(&s.servers[0], epoch)
		}
		for i := range jobs {
			s.Add(0, i)
		}
		if gone {
			s.RemoveServer(0)
		}
		if _, due := s.Trial(epoch.Add(time.Minute)); due != want {
			t.Errorf("probed %v, gone %v, %d failures, %d jobs: a trial is due: %v", probed, gone, failures, jobs, due)
		}
	}
	f(true, false, restAfter, 1, true)
	f(false, false, restAfter, 1, false)
	f(true, true, restAfter, 1, false)
	f(true, false, restAfter-1, 1, false)
	f(true, false, restAfter, 0, false)
}
