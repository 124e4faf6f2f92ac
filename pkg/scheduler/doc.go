// Package scheduler decides which request goes when and where, and what follows
// a failure. It is pure: no sockets, no goroutines, no clock; time is passed in.
//
// One goroutine owns a Scheduler and drives it; workers report through a channel:
//
//	for {
//		for more && s.Wants() {
//			s.Add(lane, read())
//		}
//		for job := s.Next(now()); job != nil; job = s.Next(now()) {
//			go send(job, results) // to job.Server
//		}
//		if s.Idle() && !more {
//			return
//		}
//		select {
//		case r := <-results:
//			decision := s.Done(r.job, r.outcome, r.after, now())
//			archive(r, decision.Retry)
//		case <-timer(s.Wait(now())):
//		}
//	}
//
// # Rules
//
// Lanes have slots of their own. Within a lane jobs go in the order they were
// added; a job that is asked again goes before younger ones.
//
// A job goes to the server with the fewest outstanding; ties are rotated, so
// that no server gets all the leftovers.
//
// A job that failed waits without its slot: others go on meanwhile. A job that
// was told to slow down keeps its slot and its place at the server while it
// waits: that is what slows the run down, and what moves work to other servers.
// Both wait with full jitter (a random share of base·2ⁿ, at most the cap), so that
// what failed together does not come back together.
//
// A server that failed three times since its last answer rests; afterwards one
// request at a time is tried, of a job that failed least, until one is answered.
// Without this a dead server, which has the fewest outstanding, would draw all work
// and spend its attempts.
//
// The breaker counts failures since the last answer of any server, but not those
// of requests that were under way when that answer came: a crash with 150 in
// flight is one event. With one dead server, tried at most every five seconds,
// the default of 75 is reached after some three minutes.
//
// Memory holds the jobs in flight, as many in the backlogs, and as many and 16
// more waiting, as long as jobs are added only when Wants says so.
package scheduler
