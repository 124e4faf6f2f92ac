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

// rates keeps samples of the last window, one a second.
type rates struct{ samples []sample }

func (r *rates) add(c *Counts, now time.Time) {
	if n := len(r.samples); n > 0 && now.Sub(r.samples[n-1].at) < time.Second {
		return
	}
	r.samples = append(r.samples, sample{now, c.Done, max(0, c.Tokens), c.over()})
	old := 0 // keep one sample at or before the window's beginning
	for old+1 < len(r.samples) && now.Sub(r.samples[old+1].at) >= window {
		old++
	}
	r.samples = append(r.samples[:0], r.samples[old:]...)
}

// figures are c with rates and the time left.
func (r *rates) figures(c Counts, now time.Time) Figures {
	f := Figures{Counts: c, PerMinute: -1, ETA: -1}
	if len(r.samples) == 0 {
		return f
	}
	first := r.samples[0]
	passed := now.Sub(first.at)
	if passed < settle {
		return f
	}
	f.PerMinute = float64(c.Done-first.done) / passed.Minutes()
	f.TokensPerSecond = float64(max(0, c.Tokens)-first.tokens) / passed.Seconds()
	left, over := c.Total-c.over(), c.over()-first.over
	if c.Total >= 0 && left > 0 && over > 0 {
		f.ETA = time.Duration(float64(passed) / float64(over) * float64(left))
	}
	return f
}
