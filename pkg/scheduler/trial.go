package scheduler

import (
	"slices"
	"time"
)

// Probed says that a server answers a request that is no job of the run: after a rest
// it is tried with that one, see Trial.
func (s *Scheduler[T]) Probed(server int) { s.servers[server].probed = true }

// Trial is a probed server whose rest is over while a job waits for a server. The
// caller tries it and tells Tried; until it is well it gets no job. A job would be no
// fair trial: one that fails whenever it is asked is no fault of the server, and where
// a hundred of those come in a row they would look like an outage.
func (s *Scheduler[T]) Trial(now time.Time) (server int, due bool) {
	if s.halted(now) {
		return 0, false
	}
	now = s.clock.at(now)
	s.release(now)
	if s.candidate(now) == nil {
		return 0, false
	}
	for i := range s.servers {
		if v := &s.servers[i]; v.probed && !v.gone && v.resting() && v.rested(now) {
			v.trying = true
			return i, true
		}
	}
	return 0, false
}

// Tried reports how a trial ended. A server that is well takes jobs again, first those
// that failed least; when they fail, too, it is tried again.
func (s *Scheduler[T]) Tried(server int, well bool, now time.Time) {
	v := &s.servers[server]
	v.trying, v.healthy = false, false
	if well {
		v.well()
		v.healthy = true
		return
	}
	now = s.clock.at(now)
	s.failing.add(now, s.sends, s.inFlight)
	s.refusing.add(now, s.sends, s.inFlight)
	s.fault(v, now)
	s.tripped = s.tripped || s.trips(now)
}

// healthyOutage is how many times as long as an outage jobs may fail on a server that
// answers its trials: then something else is wrong with it, or with all of them.
const healthyOutage = 10

// outage is how long everything may fail.
func (s *Scheduler[T]) outage() time.Duration {
	if slices.ContainsFunc(s.servers, func(v server) bool { return v.healthy && !v.gone }) {
		return healthyOutage * s.config.Outage
	}
	return s.config.Outage
}
