package scheduler

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestLaws drives a scheduler at random and checks after each step that no job is
// lost or in two places and that slots are never exceeded.
func TestLaws(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { laws(t, seed) })
	}
}

func laws(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 7))
	lanes := []Lane{{"short", 1 + r.IntN(8)}, {"long", 1 + r.IntN(3)}}
	c := Config{Lanes: lanes, Servers: 1 + r.IntN(3), Attempts: 1 + r.IntN(5), Breaker: -1, Rand: r}
	if r.IntN(2) == 0 {
		c.Rate, c.Ramp = 1+r.Float64()*20, time.Duration(r.IntN(60))*time.Second
	}
	s := newScheduler(t, c)
	const jobs = 400
	now, added, over := epoch, 0, map[int]int{}
	flight := map[*Job[int]]bool{}
	for len(over) < jobs {
		for added < jobs && s.Wants() {
			s.AddWeighted(r.IntN(2), added, r.Int64N(9))
			added++
		}
		if added == jobs {
			s.NoMore()
		}
		for r.IntN(4) > 0 {
			j := s.Next(now)
			if j == nil {
				if d, ok := s.Wait(now); ok && d <= 0 || !ok && !s.Paused() && len(flight) == 0 && len(over) < added {
					t.Fatalf("nothing to send, and the next look is in %v, %v", d, ok)
				}
				break
			}
			if flight[j] || over[j.Value] > 0 {
				t.Fatalf("job %d is in two places", j.Value)
			}
			flight[j] = true
		}
		for j := range flight {
			if r.IntN(3) > 0 {
				break
			}
			delete(flight, j)
			o := Outcome(r.IntN(int(Interrupted) + 1))
			if d := s.Done(j, o, time.Duration(r.IntN(2))*time.Second, now); !d.Retry {
				over[j.Value]++
			}
		}
		checkLaws(t, s, lanes, flight, added, len(over))
		now = stopAndGo(r, s, now)
		if d, ok := s.Wait(now); ok {
			now = now.Add(time.Duration(r.Int64N(int64(d) + 1e6)))
		}
	}
	if !s.Idle() || len(flight) != 0 {
		t.Fatal("all jobs are over, but the scheduler is not idle")
	}
}

// stopAndGo now and then pauses the run, resumes it or stops the process.
func stopAndGo(r *rand.Rand, s *Scheduler[int], now time.Time) time.Time {
	switch r.IntN(20) {
	case 0:
		s.Pause(now)
	case 1, 2, 3, 4:
		s.Resume(now.Add(time.Minute))
		return now.Add(time.Minute)
	case 5:
		now = now.Add(time.Hour)
		s.Shift(time.Hour)
	}
	return now
}

func checkLaws(t *testing.T, s *Scheduler[int], lanes []Lane, flight map[*Job[int]]bool, added, over int) {
	t.Helper()
	st := s.Stats()
	if st.InFlight != len(flight) || st.InFlight+st.Waiting+st.Backlog+over != added {
		t.Fatalf("%+v, %d over: not the %d jobs that were added", st, over, added)
	}
	perLane, perServer, retries := make([]int, len(lanes)), make([]int, len(s.servers)), 0
	count := func(j *Job[int]) { perLane[j.Lane]++; perServer[j.Server]++ }
	for j := range flight {
		count(j)
	}
	for _, j := range s.timed.jobs {
		if j.state == slowed {
			count(j)
		} else {
			retries++
		}
	}
	used, slots := 0, 0
	for i, l := range lanes {
		for _, j := range s.lanes[i].resuming.jobs {
			count(j)
		}
		fresh := s.lanes[i].ready.Len()
		for _, j := range s.lanes[i].ready.jobs {
			if j.Attempt > 0 {
				fresh--
				retries++
			}
		}
		if fresh != s.lanes[i].fresh {
			t.Fatalf("lane %s: %d new jobs, noted %d", l.Name, fresh, s.lanes[i].fresh)
		}
		if perLane[i] > l.Slots && !s.noMore || perLane[i] != s.lanes[i].used {
			t.Fatalf("lane %s: %d in use, %d noted, %d slots", l.Name, perLane[i], s.lanes[i].used, l.Slots)
		}
		used, slots = used+perLane[i], slots+l.Slots
	}
	if used > slots {
		t.Fatalf("%d in use in %d slots", used, slots)
	}
	if !slices.Equal(perServer, st.PerServer) {
		t.Fatalf("outstanding %v, noted %v", perServer, st.PerServer)
	}
	if s.retries != retries {
		t.Fatalf("%d are to be asked again, noted %d", retries, s.retries)
	}
}
