package scheduler

import (
	"math/rand/v2"
	"testing"
	"time"
)

// BenchmarkJob is a job's way through a run with 10,000 in flight at 8 servers.
func BenchmarkJob(b *testing.B) {
	s, err := New[int](Config{
		Lanes: []Lane{{"short", 8000}, {"long", 2000}}, Servers: 8,
		Rate: 1e6, Rand: rand.New(rand.NewPCG(1, 2)),
	})
	if err != nil {
		b.Fatal(err)
	}
	now, flight := epoch, make([]*Job[int], 0, 10000)
	add := func(i int) {
		s.AddWeighted(i&1, i, int64(1+i%97))
		now = now.Add(time.Microsecond)
		if j := s.Next(now); j != nil {
			flight = append(flight, j)
		}
	}
	for i := range 4000 {
		add(i)
	}
	b.ReportAllocs()
	for i := range b.N {
		k := i % len(flight)
		j := flight[k]
		flight[k] = flight[len(flight)-1]
		flight = flight[:len(flight)-1]
		s.Done(j, Answered, 0, now)
		add(i)
	}
}
