package monitor

import (
	"math"
	"time"
)

// Buckets of a Histogram: a quarter of an octave each, from about 1 ms to 4.5 h,
// and one beyond.
const (
	perOctave = 4
	octaves   = 24
	shortest  = 1.0 / 1024 // seconds; the bounds are powers of two
	buckets   = octaves*perOctave + 2
)

// Histogram counts durations. Quantiles are right to a fifth. The zero Histogram
// is ready.
type Histogram struct {
	counts  [buckets]int64
	count   int64
	sum     time.Duration
	longest time.Duration
}

// Add counts a duration.
func (h *Histogram) Add(d time.Duration) {
	h.counts[bucketOf(d)]++
	h.count++
	h.sum += d
	h.longest = max(h.longest, d)
}

// merge adds what another has counted.
func (h *Histogram) merge(o *Histogram) {
	for i, n := range o.counts {
		h.counts[i] += n
	}
	h.count += o.count
	h.sum += o.sum
	h.longest = max(h.longest, o.longest)
}

// mean is the average duration, 0 of none.
func (h *Histogram) mean() time.Duration {
	if h.count == 0 {
		return 0
	}
	return h.sum / time.Duration(h.count)
}

// bucketOf is the first bucket whose bound is not below d.
func bucketOf(d time.Duration) int {
	s := d.Seconds()
	if s <= shortest {
		return 0
	}
	i := int(math.Ceil(math.Log2(s/shortest)*perOctave - 1e-9))
	return min(i, buckets-1)
}

// bound is the upper bound of a bucket in seconds, infinite of the last.
func bound(bucket int) float64 {
	if bucket == buckets-1 {
		return math.Inf(1)
	}
	return shortest * math.Exp2(float64(bucket)/perOctave)
}

// Quantile is the duration that a share q of what was counted does not exceed,
// 0 of none.
func (h *Histogram) Quantile(q float64) time.Duration {
	rank := q * float64(h.count)
	var below int64
	for i, n := range h.counts {
		if n > 0 && float64(below+n) >= rank {
			low, high := 0.0, min(bound(i), h.longest.Seconds())
			if i > 0 {
				low = min(bound(i-1), high)
			}
			return seconds(low + (high-low)*(rank-float64(below))/float64(n))
		}
		below += n
	}
	return h.longest
}

// share is how much of what was counted does not exceed d, 0 to 1.
func (h *Histogram) share(d time.Duration) float64 {
	if h.count == 0 || d <= 0 {
		return 0
	}
	if d >= h.longest {
		return 1
	}
	var n int64
	last := bucketOf(d)
	for i := range last {
		n += h.counts[i]
	}
	low := 0.0
	if last > 0 {
		low = bound(last - 1)
	}
	high := min(bound(last), h.longest.Seconds())
	within := float64(h.counts[last]) * (d.Seconds() - low) / max(high-low, 1e-9)
	return min(1, (float64(n)+within)/float64(h.count))
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
