package main

import (
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

func TestWeights(t *testing.T) {
	w := weights{make([]float64, 2)}
	f := func(lane int, body string, want int64) {
		t.Helper()
		x := newWanted(record.Key{}, prompt.Completions, []byte(body))
		x.lane = lane
		if got := w.of(x); got != want {
			t.Errorf("lane %d, %.40s: %d, want %d", lane, body, got, want)
		}
	}
	long := `{"prompt":"` + strings.Repeat("x", 4000-13) + `"}`
	f(0, `{}`, guess)
	f(0, `{"max_tokens":9}`, 4+9)
	f(0, long, 1000+guess)
	w.learn(0, 300)
	w.learn(0, 0) // not told
	f(0, `{}`, 300)
	f(0, `{"max_tokens":9000}`, 4+300)
	f(0, `{"max_tokens":9}`, 4+9)
	f(1, `{"max_tokens":9000}`, 4+9000)
	w.learn(0, 400)
	f(0, `{}`, 301)
}
