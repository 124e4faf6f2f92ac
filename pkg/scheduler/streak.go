package scheduler

import "time"

// streak is a row of requests that came to nothing since the last answer.
type streak struct {
	n     int
	since time.Time // the first, by clock
	sends uint64    // of the run before it began
	older int       // of those, still in flight: one of them may yet be answered
}

// add notes one more; inFlight is without it.
func (k *streak) add(now time.Time, sends uint64, inFlight int) {
	if k.n++; k.n == 1 {
		k.since, k.sends, k.older = now, sends, inFlight
	}
}

// done notes the end of a request, by the number of its sending.
func (k *streak) done(send uint64) {
	if k.n > 0 && send <= k.sends {
		k.older--
	}
}

// lasts reports whether it has so many and is so old, and nothing that was sent
// before it is out.
func (k *streak) lasts(n int, long time.Duration, now time.Time) bool {
	return k.n >= n && k.older == 0 && now.Sub(k.since) >= long
}
