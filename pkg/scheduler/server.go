package scheduler

import "time"

const (
	// restAfter failures in a row a server rests: one or two happen to a healthy one.
	restAfter = 3
	// longestRest keeps a run from sleeping long after its server is back. Where
	// several rest, each rests that many times longer: together they are tried as
	// often as one, and an outage of all spends no more attempts.
	longestRest = 5 * time.Second
)

// server is what is known of one.
type server struct {
	gone        bool
	outstanding int    // sent to it, and slowed down by it
	load        int64  // their weight
	answers     uint64 // so far
	failures    int    // since the last answer
	rests       int    // since the last answer
	until       time.Time
	trying      bool // a trial is under way
	probed      bool // a trial is no job
	healthy     bool // the last of those was answered, and no job since
}

// takes adds n jobs of a weight, or takes them away.
func (v *server) takes(weight int64, n int) {
	v.outstanding += n
	v.load += weight * int64(n)
}

// resting reports whether the server failed too often since its last answer.
func (v *server) resting() bool { return v.failures >= restAfter }

// open reports whether it takes a job now.
func (v *server) open(now time.Time) bool {
	if v.gone {
		return false
	}
	return !v.resting() || !v.probed && v.rested(now)
}

// rested reports whether the server's rest is over and nobody tries it yet.
func (v *server) rested(now time.Time) bool { return !v.trying && !now.Before(v.until) }

// well notes a sign of life.
func (v *server) well() {
	v.answers++
	v.failures, v.rests, v.healthy = 0, 0, false
}

// pick chooses the open server with the least work outstanding, looking from the
// one after the last choice; -1 when none is open.
func (s *Scheduler[T]) pick(now time.Time) int {
	best := -1
	for i := range s.servers {
		k := (s.last + 1 + i) % len(s.servers)
		if v := &s.servers[k]; v.open(now) && (best < 0 || v.load < s.servers[best].load) {
			best = k
		}
	}
	return best
}

// opens is when a server takes a job; ok is false when time alone opens none.
func (s *Scheduler[T]) opens(now time.Time) (time.Time, bool) {
	var next soonest
	for i := range s.servers {
		switch v := &s.servers[i]; {
		case v.open(now):
			next.consider(now, true)
		case !v.gone && !v.trying:
			next.consider(v.until, true)
		}
	}
	return next.at, next.ok
}

// failed notes a failure of j's server. A failure of a request that was under
// way when the server last answered is old news.
func (s *Scheduler[T]) failed(j *Job[T], now time.Time) {
	if j.answers == s.answers {
		s.failing.add(now, s.sends, s.inFlight)
		s.refusing.add(now, s.sends, s.inFlight)
	}
	v := &s.servers[j.Server]
	if j.served == v.answers {
		s.fault(v, now)
	}
}

// fault counts a failure of a server, which rests when it is one of many.
func (s *Scheduler[T]) fault(v *server, now time.Time) {
	v.failures++
	if v.resting() && !now.Before(v.until) {
		v.rests++
		rest := s.backOff(v.rests, longestRest) * time.Duration(s.resting())
		v.until = now.Add(min(rest, s.config.Cap))
	}
}

// resting is how many servers rest.
func (s *Scheduler[T]) resting() (n int) {
	for i := range s.servers {
		if v := &s.servers[i]; v.resting() && !v.gone {
			n++
		}
	}
	return n
}

// AddServer makes room for one more server and returns its index.
func (s *Scheduler[T]) AddServer() int {
	s.servers = append(s.servers, server{})
	return len(s.servers) - 1
}

// RemoveServer sends nothing more to a server. What is in flight there goes on.
func (s *Scheduler[T]) RemoveServer(i int) { s.servers[i].gone = true }

// ReturnServer takes a removed server back, without what it failed before. It
// does nothing to one that was not removed.
func (s *Scheduler[T]) ReturnServer(i int) {
	v := &s.servers[i]
	if v.gone {
		v.gone, v.trying = false, false
		v.failures, v.rests, v.until = 0, 0, time.Time{}
	}
}
