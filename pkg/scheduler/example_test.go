package scheduler_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/scheduler"
)

func Example() {
	s, err := scheduler.New[string](scheduler.Config{
		Lanes:   []scheduler.Lane{{Name: "short", Slots: 2}},
		Servers: 1,
		Rand:    rand.New(rand.NewPCG(1, 2)),
	})
	if err != nil {
		panic(err)
	}
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, id := range []string{"gsm8k-1", "gsm8k-2", "gsm8k-3"} {
		s.Add(0, id)
	}
	a, b := s.Next(now), s.Next(now)
	fmt.Println(a.Value, b.Value, s.Next(now) == nil)

	fmt.Println(s.Done(a, scheduler.Answered, 0, now).Retry)
	d := s.Done(b, scheduler.SlowDown, 10*time.Second, now)
	fmt.Println(d.Retry, d.After.Round(time.Second))

	fmt.Println(s.Next(now).Value)
	fmt.Println(s.Next(now.Add(d.After)).Value)
	// Output:
	// gsm8k-1 gsm8k-2 true
	// false
	// true 10s
	// gsm8k-3
	// gsm8k-2
}
