// Package progress tells people how a run is going: a bar that is redrawn on a
// terminal, or a plain line now and then elsewhere.
//
//	gen  61% ━━━━━━━━━━━───────  812/1319  26.1/min  860 tok/s  ETA 19m
//	gen: 812/1319 done, 26.1 answers/min, 860 tok/s, 3 retried, 0 failed, ETA 19m
//
// It starts no goroutine and has no clock: the loop that counts makes [Figures]
// of its [Counts], mostly by [Rates], calls [Meter.Update] and may ask
// [Meter.Due] when. A Meter is owned by one goroutine; text of others reaches
// the screen through [Meter.Write] of the owner.
//
// Rates are of the last minute, so that they tell how it goes now; the last line
// tells those of the whole run.
package progress
