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
	s := newScheduler(t, Config{Lanes: lanes, Servers: 1 + r.IntN(3), Attempts: 1 + r.IntN(5), Breaker: -1, Rand: r})
	const jobs = 400
	now, added, over := epoch, 0, map[int]int{}
	flight := map[*Job[int]]bool{}
	for len(over) < jobs {
		for added < jobs && s.Wants() {
			s.Add(r.IntN(2), added)
			added++
		}
		for r.IntN(4) > 0 {
			j := s.Next(now)
			if j == nil {
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
			o := Outcome(r.IntN(int(Dropped) + 1))
			if d := s.Done(j, o, time.Duration(r.IntN(2))*time.Second, now); !d.Retry {
				over[j.Value]++
			}
		}
		checkLaws(t, s, lanes, flight, added, len(over))
		if d, ok := s.Wait(now); ok {
			now = now.Add(time.Duration(r.Int64N(int64(d) + 1e6)))
		}
	}
	if !s.Idle() || len(flight) != 0 {
		t.Fatal("all jobs are over, but the scheduler is not idle")
	}
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
		if perLane[i] > l.Slots || perLane[i] != s.lanes[i].used {
			t.Fatalf("lane %s: %d in use, %d noted, %d slots", l.Name, perLane[i], s.lanes[i].used, l.Slots)
		}
	}
	if !slices.Equal(perServer, st.PerServer) {
		t.Fatalf("outstanding %v, noted %v", perServer, st.PerServer)
	}
	if s.retries != retries {
		t.Fatalf("%d are to be asked again, noted %d", retries, s.retries)
	}
}
