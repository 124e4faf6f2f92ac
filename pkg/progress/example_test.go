package progress_test

import (
	"fmt"
	"os"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/progress"
)

// figures of a run in its middle.
func figures() progress.Figures {
	return progress.Figures{
		Counts:          progress.Counts{Total: 1319, Done: 812, Retried: 3, Tokens: 698000},
		PerMinute:       26.1,
		TokensPerSecond: 860,
		Without:         0.004,
		Oldest:          4 * time.Minute,
		Lag:             2 * time.Millisecond,
		ETA:             19 * time.Minute,
		Took:            -1,
	}
}

func ExampleLine() {
	fmt.Println(progress.Line("gen", "answers", figures()))
	// Output:
	// gen: 812/1319 done, 26.1 answers/min, 860 tok/s, 0.4% without thinking, 3 retried, 0 failed, oldest 4m, lag 2ms, ETA 19m
}

func ExampleBar() {
	for _, width := range []int{120, 80, 40, 20} {
		fmt.Println(progress.Bar("gen", figures(), width, progress.Style{}))
	}
	// Output:
	// gen  61% ━━━━━━━━━━━━─────────  812/1319  26.1/min  860 tok/s  0.4% no thinking  3 retried  oldest 4m  lag 2ms  ETA 19m
	// gen  61% ━━━━━━━─────  812/1319  26.1/min  860 tok/s  0.4% no thinking  ETA 19m
	// gen  812/1319  26.1/min  ETA 19m
	// gen  812/1319
}

func ExampleMeter() {
	start := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	m := progress.New(progress.Config{Name: "gen", Unit: "answers", Out: os.Stdout}, start)
	var rates progress.Rates
	for _, done := range []int64{0, 5, 15, 30} {
		now := start.Add(time.Duration(2*done) * time.Second)
		c := progress.Counts{Total: 90, Done: done, Tokens: -1}
		rates.Add(&c, now)
		m.Update(rates.Figures(c, now), now) // every 30 s
	}
	m.Finish(rates.Final(progress.Counts{Total: 90, Done: 30, Tokens: -1}, start.Add(time.Minute)))
	// Output:
	// gen: 15/90 done, 30.0 answers/min, 0 retried, 0 failed, ETA 3m
	// gen: 30/90 done, 30.0 answers/min, 0 retried, 0 failed, ETA 2m
	// gen: 30/90 done in 1m, 30.0 answers/min, 0 retried, 0 failed
}
