package progress

import "time"

// window is the time over which rates are taken.
const window = time.Minute

// settle is how long a run must last before its rate means something.
const settle = 3 * time.Second

// sample is how far the run was at a moment.
type sample struct {
	at           time.Time
	done, tokens int64
	over         int64
}

func sampleOf(c *Counts, now time.Time) sample {
	return sample{now, c.Done - c.Before, max(0, c.Tokens), c.Over() - c.Before}
}

// Rates measures how fast a run goes. It keeps a sample a second of the last
// minute. The zero Rates is ready; its first Add is the run's start.
type Rates struct {
	begun   sample
	samples []sample
}

// Add takes note of how far the run is. It may be called as often as one likes.
func (r *Rates) Add(c *Counts, now time.Time) {
	if n := len(r.samples); n > 0 && now.Sub(r.samples[n-1].at) < time.Second {
		return
	}
	if len(r.samples) == 0 {
		r.begun = sampleOf(c, now)
	}
	r.samples = append(r.samples, sampleOf(c, now))
	old := 0 // keep one sample at or before the window's beginning
	for old+1 < len(r.samples) && now.Sub(r.samples[old+1].at) >= window {
		old++
	}
	r.samples = append(r.samples[:0], r.samples[old:]...)
}

// Figures are c with the rates of the last minute, and the time left if it goes
// on like that.
func (r *Rates) Figures(c Counts, now time.Time) Figures {
	f := Figures{Counts: c, PerMinute: -1, Without: -1, Oldest: -1, Lag: -1, ETA: -1, Took: -1}
	if len(r.samples) == 0 {
		return f
	}
	first := r.samples[0]
	passed := now.Sub(first.at)
	if passed < settle {
		return f
	}
	f.rate(first, now)
	left, over := c.Total-c.Over(), sampleOf(&c, now).over-first.over
	if c.Total >= 0 && left > 0 && over > 0 {
		f.ETA = time.Duration(float64(passed) / float64(over) * float64(left))
	}
	return f
}

// Final are the figures of a run that is over: its rates from start to end.
func (r *Rates) Final(c Counts, now time.Time) Figures {
	f := Figures{Counts: c, PerMinute: -1, Without: -1, Oldest: -1, Lag: -1, ETA: -1}
	if len(r.samples) == 0 {
		return f
	}
	if f.Took = now.Sub(r.begun.at); f.Took >= settle {
		f.rate(r.begun, now)
	}
	return f
}

// rate sets the rates since a moment before now.
func (f *Figures) rate(since sample, now time.Time) {
	passed, is := now.Sub(since.at), sampleOf(&f.Counts, now)
	f.PerMinute = float64(is.done-since.done) / passed.Minutes()
	f.TokensPerSecond = float64(is.tokens-since.tokens) / passed.Seconds()
}
