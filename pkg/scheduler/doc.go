// Package scheduler decides which request goes when and where, and what follows
// a failure. It is pure: no sockets, no goroutines, no clock; time is passed in.
//
// One goroutine owns a Scheduler and drives it; workers report through a channel:
//
//	for {
//		for more && s.Wants() {
//			s.Add(lane, read()) // NoMore at the end of the input
//		}
//		for job := s.Next(now()); job != nil; job = s.Next(now()) {
//			go send(job, results) // to job.Server
//		}
//		if s.Idle() && !more {
//			return
//		}
//		if s.Overdue(now()) {
//			s.Drain()
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
// added; a job that is asked again goes before younger ones. Once no more jobs
// will come (NoMore), slots that a lane's own jobs no longer need go to the others.
// Slots can grow over a ramp, for a server that should not meet all at once, and
// sends can be spread evenly (Rate).
//
// A job goes to the server with the least work outstanding, by the weight of the
// jobs: where answers differ by a factor of a hundred, counting them piles the long
// ones up on one server. Ties are rotated, so that no server gets all the leftovers.
//
// A job that failed waits without its slot: others go on meanwhile. A job that
// was told to slow down keeps its slot and its place at the server while it
// waits: that is what slows the run down, and what moves work to other servers.
// Both wait with full jitter (a random share of base·2ⁿ, at most the cap), so that
// what failed together does not come back together, and never less than the server
// asked for (Retry-After). When more than half of the last hundred sends repeat a
// failed one (Budget), a failed job waits a random share of the cap at once; unless its
// server answers its trials, so that the job itself is at fault.
//
// A server that failed three times since its last answer rests; afterwards it is
// tried, with what it is known to answer (Trial), else with one job at a time, of those
// that failed least, until one is answered. Without this a dead server, which has the
// least outstanding, would draw all work and spend its attempts.
//
// The breaker counts failures since the last answer of any server, but not those
// of requests that were under way when that answer came: a crash with 150 in
// flight is one event. It stops the run when there are 20 of them and the first is
// three minutes old, so that a restart that is quicker is survived; half an hour old
// while servers answer their trials; but not while a request is out that was sent before
// the first, for it may yet be answered. Servers that only ask to slow down are given an
// hour (Patience).
//
// # Time
//
// A pause counts for no wait, and neither does time in which the process was
// stopped, once the caller tells (Shift): the scheduler has a clock of its own that
// stands still meanwhile. What was lost in such a time is Interrupted: it is asked
// again and counts for nothing. Only the deadline is a point in time.
//
// Memory holds the jobs in flight, as many in the backlogs, and as many and 16
// more waiting, as long as jobs are added only when Wants says so.
package scheduler
