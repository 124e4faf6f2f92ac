package main

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// stops is how many answers a canary takes until it stops the run, and how many of
// them were bad; answers 0 means that it does not within most.
func stops(c *canary, most int, isBad func(i int) bool) (answers, bad int) {
	return stopsWith(c, 1, most, isBad)
}

// stopsWith is stops where as many answers are to one prompt.
func stopsWith(c *canary, samples, most int, isBad func(i int) bool) (answers, bad int) {
	for i := range most {
		b := isBad(i)
		if b {
			bad++
		}
		if !b {
			c.good()
		} else if c.bad(failing{id: fmt.Sprint(i / samples)}) {
			return i + 1, bad
		}
	}
	return 0, bad
}

func TestCanaryStopsWhenAllAreBad(t *testing.T) {
	for _, rate := range []float64{0, 0.001, 0.01, 0.05, 0.2, 0.5, 0.9, 0.99} {
		for _, before := range []int{0, 32, 500, 100_000} {
			_, bad := stops(newCanary(32, rate), before+41, func(i int) bool { return i >= before })
			if bad > 25 {
				t.Errorf("limit %g, after %d good ones: %d bad answers", rate, before, bad)
			}
		}
	}
	if n, _ := stops(newCanary(32, 1), 10_000, func(int) bool { return true }); n != 0 {
		t.Errorf("limit 1: stopped after %d", n)
	}
}

// TestCanaryFindsDrift holds that a drift to twice the limit is found soon, with
// any luck.
func TestCanaryFindsDrift(t *testing.T) {
	f := func(rate, drift float64, within int) {
		t.Helper()
		worst, total := 0, 0
		const times = 200
		for seed := range uint64(times) {
			rng := rand.New(rand.NewPCG(seed, 0))
			c := newCanary(32, rate)
			stops(c, 2000, func(int) bool { return false })
			n, _ := stops(c, 100_000, func(int) bool { return rng.Float64() < drift })
			if n == 0 {
				t.Fatalf("limit %g, drift to %g: not found", rate, drift)
			}
			worst, total = max(worst, n), total+n
		}
		t.Logf("limit %g, drift to %g: found after %d answers on average, %d at most", rate, drift, total/times, worst)
		if total/times > within || worst > 5*within {
			t.Errorf("limit %g, drift to %g: found after %d answers on average, %d at most, want %d", rate, drift, total/times, worst, within)
		}
	}
	f(0.01, 0.02, 2000)
	f(0.01, 0.1, 200)
	f(0.05, 0.1, 400)
}

// TestCanaryLeavesCleanRunsAlone holds that a million answers at the rate that is
// allowed for ever, and ten million clean ones, stop nothing.
func TestCanaryLeavesCleanRunsAlone(t *testing.T) {
	if n, _ := stops(newCanary(32, defaultMaxBadRate), 1_000_000, func(int) bool { return false }); n != 0 {
		t.Errorf("clean: stopped after %d", n)
	}
	const times, most = 20, 500_000
	for seed := range uint64(times) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n, _ := stops(newCanary(32, defaultMaxBadRate), most, func(int) bool { return rng.Float64() < defaultMaxBadRate/2 })
		if n != 0 {
			t.Errorf("seed %d: stopped after %d answers", seed, n)
		}
	}
}

// TestCanaryKnowsAnswersToOnePrompt holds that a prompt that no model thinks about
// stops no run, however many samples of it there are, and that a server without
// thinking is found within 40 answers all the same.
func TestCanaryKnowsAnswersToOnePrompt(t *testing.T) {
	for _, samples := range []int{2, 4, 8, 16, 32} {
		trivial := func(i int) bool { return i >= 3200 && i < 3200+samples }
		if n, _ := stopsWith(newCanary(32, defaultMaxBadRate), samples, 100_000, trivial); n != 0 {
			t.Errorf("%d samples: one prompt stops the run after %d", samples, n)
		}
	}
	for _, samples := range []int{1, 2, 4, 16, 64, 100_000} {
		for _, before := range []int{0, 6400} {
			_, bad := stopsWith(newCanary(32, defaultMaxBadRate), samples, 100_000, func(i int) bool { return i >= before })
			if bad > 40 {
				t.Errorf("%d samples, all bad after %d: %d bad answers", samples, before, bad)
			}
		}
	}
}

func TestCanaryHoldsBackAtFirst(t *testing.T) {
	c := newCanary(3, 0.5)
	if !c.room(2) || c.room(3) {
		t.Error("three in flight at first")
	}
	c.good()
	c.bad(failing{})
	c.pass()
	if c.room(3) {
		t.Error("two of three have passed")
	}
	c.good()
	if !c.room(1000) {
		t.Error("three have passed")
	}
	if !newCanary(0, 0.01).room(1000) {
		t.Error("none must pass")
	}
}
