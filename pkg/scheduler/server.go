package scheduler

import "time"

const (
	// restAfter failures in a row a server rests: one or two happen to a healthy one.
	restAfter = 3
	// longestRest keeps a run from sleeping long after its server is back.
	longestRest = 5 * time.Second
)

// server is what is known of one.
type server struct {
	gone        bool
	outstanding int    // sent to it, and slowed down by it
	answers     uint64 // so far
	failures    int    // since the last answer
	rests       int    // since the last answer
	until       time.Time
	trying      bool // a trial is under way
}

// resting reports whether the server failed too often since its last answer.
func (v *server) resting() bool { return v.failures >= restAfter }

// open reports whether it takes a job now.
func (v *server) open(now time.Time) bool {
	if v.gone {
		return false
	}
	return !v.resting() || !v.trying && !now.Before(v.until)
}

// well notes a sign of life.
func (v *server) well() {
	v.answers++
	v.failures, v.rests = 0, 0
}

// pick chooses the open server with the fewest outstanding, looking from the one
// after the last choice; -1 when none is open.
func (s *Scheduler[T]) pick(now time.Time) int {
	best := -1
	for i := range s.servers {
		k := (s.last + 1 + i) % len(s.servers)
		if v := &s.servers[k]; v.open(now) && (best < 0 || v.outstanding < s.servers[best].outstanding) {
			best = k
		}
	}
	return best
}

// reopens is when the next resting server may be tried.
func (s *Scheduler[T]) reopens() (t time.Time, ok bool) {
	for i := range s.servers {
		v := &s.servers[i]
		if v.gone || !v.resting() || v.trying {
			continue
		}
		if !ok || v.until.Before(t) {
			t, ok = v.until, true
		}
	}
	return t, ok
}

// failed notes a failure of j's server. A failure of a request that was under
// way when the server last answered is old news.
func (s *Scheduler[T]) failed(j *Job[T], now time.Time) {
	if j.answers == s.answers {
		s.inARow++
	}
	v := &s.servers[j.Server]
	if j.served != v.answers {
		return
	}
	v.failures++
	if v.resting() && !now.Before(v.until) {
		v.rests++
		v.until = now.Add(s.backOff(v.rests, min(s.config.Cap, longestRest)))
	}
}

// AddServer makes room for one more server and returns its index.
func (s *Scheduler[T]) AddServer() int {
	s.servers = append(s.servers, server{})
	return len(s.servers) - 1
}

// RemoveServer sends nothing more to a server. What is in flight there goes on.
func (s *Scheduler[T]) RemoveServer(i int) { s.servers[i].gone = true }
