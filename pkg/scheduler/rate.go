package scheduler

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// lag is how far sends may fall behind an even rate and catch up: a loop that
// wakes a little late must not lose its turn. A slower rate has nothing to catch up.
const lag = 100 * time.Millisecond

// rate spreads sends evenly. It is the generic cell rate algorithm of ITU-T
// I.371 with a tolerance of lag, which is a leaky bucket without a drip.
type rate struct {
	interval time.Duration // 0 is no limit
	next     time.Time     // of an even rate
}

func newRate(perSecond float64) rate {
	if perSecond == 0 {
		return rate{}
	}
	const slowest = 1000 * time.Hour // far from the end of a Duration
	seconds := min(1/perSecond, slowest.Seconds())
	return rate{interval: max(1, time.Duration(seconds*float64(time.Second)))}
}

func (r *rate) open(now time.Time) bool { return r.interval == 0 || !now.Before(r.next) }

func (r *rate) take(now time.Time) {
	if r.interval == 0 {
		return
	}
	earliest := now
	if r.interval <= lag && !r.next.IsZero() {
		earliest = now.Add(-lag)
	}
	if r.next.Before(earliest) {
		r.next = earliest
	}
	r.next = r.next.Add(r.interval)
}

// ParseRate reads a rate such as 10/s, 90/m or 500/h as sends per second; a bare
// number is per second.
func ParseRate(s string) (perSecond float64, err error) {
	number, unit, per := strings.Cut(strings.TrimSpace(s), "/")
	if !per {
		unit = "s"
	}
	seconds, ok := map[string]float64{"s": 1, "m": 60, "min": 60, "h": 3600}[unit]
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || !ok || !(n > 0 && n <= 1e6) {
		return 0, errors.New("want a rate above 0 and up to 1000000, such as 10/s or 90/m")
	}
	return n / seconds, nil
}
