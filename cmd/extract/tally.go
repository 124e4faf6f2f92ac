package main

import (
	"fmt"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
)

// statuses are the values of reasoning_status, in the order of the summary.
var statuses = [...]reasoning.Status{
	reasoning.Present, reasoning.Absent, reasoning.Missing, reasoning.Suspect, reasoning.Truncated, reasoning.Summary, reasoning.Encrypted,
}

// tally counts what was seen.
type tally struct {
	lines    int64
	status   [len(statuses) + 1]int64 // the last one is of samples of others, with a status of their own
	retried  int64
	leftOut  int64
	repaired int64 // with --repair: lines that were changed
	kept     int64 // and lines that were not
	failed   int   // known at the end, as is
	forgiven int
}

func (t *tally) count(status string) {
	n := 0
	for n < len(statuses) && string(statuses[n]) != status {
		n++
	}
	t.status[n]++
}

func (t *tally) add(u *tally) {
	t.lines += u.lines
	for i, n := range u.status {
		t.status[i] += n
	}
	t.retried += u.retried
	t.leftOut += u.leftOut
	t.repaired += u.repaired
	t.kept += u.kept
}

// samples is the number of records with an answer.
func (t *tally) samples() (n int64) {
	for _, m := range t.status {
		n += m
	}
	return n
}

// allMissing reports whether there are records and none has any thinking,
// although it was expected.
func (t *tally) allMissing() bool {
	return t.samples() > 0 && t.status[2] == t.samples()
}

// String is the summary: "12 records: 10 present, 2 missing; 1 attempt failed".
func (t *tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d records", t.samples())
	separator := ": "
	for i, n := range t.status {
		if n == 0 {
			continue
		}
		name := "with another status"
		if i < len(statuses) {
			name = string(statuses[i])
		}
		fmt.Fprintf(&b, "%s%d %s", separator, n, name)
		separator = ", "
	}
	for _, more := range []struct {
		n    int64
		what string
	}{
		{t.leftOut, "left out"}, {t.repaired, "lines repaired"}, {t.kept, "lines unchanged"},
		{t.retried, "retried attempts passed over"}, {int64(t.forgiven), "failed attempts made up for"}, {int64(t.failed), "failed"},
	} {
		if more.n > 0 {
			fmt.Fprintf(&b, "; %d %s", more.n, more.what)
		}
	}
	return b.String()
}
