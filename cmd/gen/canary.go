package main

import (
	"math"
)

// canary decides, from one answer after the other, whether a server still gives
// what is required. It is Page's cumulative sum (E. S. Page, Continuous inspection
// schemes, Biometrika 41, 1954): a sequential probability ratio test that begins
// anew wherever the evidence is weakest, so that its window slides along. It tells
// a rate of half the limit, which may go on for ever, from twice the limit; the
// line between them is at 1.08 times the limit. At the beginning half of the
// evidence counts as given (J. M. Lucas, R. B. Crosier, Fast initial response for
// CUSUM quality-control schemes, Technometrics 24, 1982).
//
// Answers to one prompt, its samples and its turns, are alike: when one is bad the
// others count for less, so that a prompt that no model thinks about does not stop a
// run.
//
// With the sum that stops a run, [alarm], a run whose rate is half the limit is
// stopped once in more than e^16 = 9 million answers (G. Lorden, Procedures for
// reacting to a change in distribution, Annals of Mathematical Statistics 42,
// 1971). When all are bad it takes 6 answers at the beginning and 12 later, at most
// 24 whatever the limit; at a limit of 1 %, a drift to 2 % takes about 1,200
// answers and one to 10 % about 130. Samples of one prompt that all are bad take 38.
type canary struct {
	first int // good answers that must come before all slots are used
	width int // answers in flight until then

	whenBad, whenGood float64 // what an answer adds to sum
	sum               float64

	judged, failed int64
	recent         []failing        // the last bad ones
	ids            map[string]bool  // of all bad ones
	servers        map[string]int64 // that gave them, and how many
}

// failing is an answer that lacks what is required.
type failing struct {
	id     string
	why    string
	server string
}

// another is what a bad answer counts when its prompt had one before.
const another = 0.3

// alarm is the log-likelihood ratio at which the run is stopped.
const alarm = 16

// newCanary lets first answers through a few at a time, and then up to rate of
// them be bad, from 0 to 1.
func newCanary(first int, rate float64) *canary {
	c := &canary{first: first, width: first, sum: alarm / 2.0, ids: map[string]bool{}, servers: map[string]int64{}}
	switch {
	case rate <= 0: // none
		c.whenBad = math.Inf(1)
	case rate < 1:
		low, high := rate/2, min(2*rate, (1+rate)/2)
		c.whenBad, c.whenGood = math.Log(high/low), math.Log((1-high)/(1-low))
	}
	return c
}

// good takes an answer that has what is required.
func (c *canary) good() {
	c.judged++
	c.pass()
	c.sum = max(0, c.sum+c.whenGood)
}

// bad takes one that lacks it and reports whether the run is to be stopped.
func (c *canary) bad(f failing) (stop bool) {
	const few = 5
	if c.recent = append(c.recent, f); len(c.recent) > few {
		c.recent = c.recent[1:]
	}
	counts := c.whenBad
	switch {
	case counts == 0: // all may be bad
	case c.ids[f.id]:
		counts *= another
	default:
		c.ids[f.id] = true
	}
	c.servers[f.server]++
	c.judged, c.failed = c.judged+1, c.failed+1
	c.sum += counts
	return c.sum >= alarm
}

// pass counts an answer towards all slots.
func (c *canary) pass() { c.first = max(0, c.first-1) }

// room reports whether one more may be sent beside those in flight.
func (c *canary) room(inFlight int) bool { return c.first == 0 || inFlight < c.width }

// defaultMaxBadRate is --max-bad-rate.
const defaultMaxBadRate = 0.01
