// Package scheduler decides which request goes when and where, and what follows
// a failure. It is pure: no sockets, no goroutines, no clock; time is passed in.
//
// One goroutine owns a Scheduler and drives it; workers report through a channel:
//
//	for {
//		for s.Wants() && more {
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
package scheduler
