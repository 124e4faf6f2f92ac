package monitor

import "time"

// Of the last minute: in slices of five seconds, so that old ones can be dropped.
const (
	sliceLength = 5 * time.Second
	slices60    = 12
)

// slice is what happened within five seconds.
type slice struct {
	number   int64 // since the beginning
	took     Histogram
	judged   int64
	without  int64
	failures int64
	lag      time.Duration
}

// recent knows what happened in the last minute.
type recent struct {
	begun  time.Time
	slices [slices60]slice
}

// at is the slice of a moment. What is older than a minute goes into the oldest.
func (r *recent) at(t time.Time) *slice {
	n := int64(max(0, t.Sub(r.begun)) / sliceLength)
	s := &r.slices[n%slices60]
	if s.number < n {
		*s = slice{number: n}
	}
	return s
}

// sum adds up the last minute.
func (r *recent) sum(now time.Time) (all slice) {
	newest := int64(now.Sub(r.begun) / sliceLength)
	for i := range r.slices {
		s := &r.slices[i]
		if s.number <= newest-slices60 {
			continue
		}
		all.took.merge(&s.took)
		all.judged += s.judged
		all.without += s.without
		all.failures += s.failures
		all.lag = max(all.lag, s.lag)
	}
	return all
}
