package progress_test

import (
	"fmt"
	"os"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/progress"
)

func ExampleLine() {
	fmt.Println(progress.Line("gen", "answers", progress.Figures{
		Counts:          progress.Counts{Total: 1319, Done: 812, Retried: 3, Tokens: 698000},
		PerMinute:       26.1,
		TokensPerSecond: 860,
		ETA:             19 * time.Minute,
	}))
	// Output:
	// gen: 812/1319 done, 26.1 answers/min, 860 tok/s, 3 retried, 0 failed, ETA 19m
}

func ExampleMeter() {
	start := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	m := progress.New(progress.Config{Name: "gen", Unit: "answers", Out: os.Stdout}, progress.Counts{Total: 90, Tokens: -1}, start)
	m.Update(progress.Counts{Total: 90, Done: 5, Tokens: -1}, start.Add(10*time.Second)) // not yet time
	m.Update(progress.Counts{Total: 90, Done: 15, Tokens: -1}, start.Add(30*time.Second))
	m.Finish(progress.Counts{Total: 90, Done: 30, Tokens: -1}, start.Add(time.Minute))
	// Output:
	// gen: 15/90 done, 30.0 answers/min, 0 retried, 0 failed, ETA 3m
	// gen: 30/90 done, 30.0 answers/min, 0 retried, 0 failed, ETA 2m
}
