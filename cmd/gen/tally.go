package main

import "fmt"

// state is what became of a wanted answer.
type state uint8

const (
	pending state = iota // wanted, not settled: also where a run was stopped
	done                 // a complete answer is in the archive
	failed               // every attempt failed
	dead                 // asking again cannot help
)

// tally counts wanted answers. Each that comes in is in one of the others:
// in = done + failed + dead + bad + pending.
type tally struct {
	in, done, failed, dead, bad int64

	before    int64 // of done: found in the archive
	continued int64 // answers of this run that were cut and gone on with
	clamped   int64 // answers of this run whose max_tokens was clamped
}

func (t *tally) pending() int64 { return t.in - t.done - t.failed - t.dead - t.bad }

// add counts n answers that reached a state.
func (t *tally) add(s state, n int64) {
	switch s {
	case done:
		t.done += n
	case failed:
		t.failed += n
	case dead:
		t.dead += n
	}
}

// String is the closing line's account.
func (t *tally) String() string {
	s := fmt.Sprintf("%d in = %d done + %d failed + %d dead + %d bad + %d pending",
		t.in, t.done, t.failed, t.dead, t.bad, t.pending())
	if t.before > 0 {
		s += fmt.Sprintf(" (%d done before)", t.before)
	}
	if t.continued > 0 {
		s += fmt.Sprintf(" (%d cut and continued)", t.continued)
	}
	if t.clamped > 0 {
		s += fmt.Sprintf(" (%d with clamped max_tokens)", t.clamped)
	}
	return s
}
