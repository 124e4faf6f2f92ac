package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
)

// statuses are the values of reasoning_status, in the order of the summary.
var statuses = [...]reasoning.Status{
	reasoning.Present, reasoning.Absent, reasoning.Missing, reasoning.Suspect, reasoning.Truncated, reasoning.Summary, reasoning.Encrypted,
}

// tally counts what was seen.
type tally struct {
	lines    int64
	unknown  int64                    // of no known shape
	status   [len(statuses) + 1]int64 // the last one is of samples of others, with a status of their own
	retried  int64
	probes   int64 // what gen asked before a run
	epochs   epochs
	leftOut  int64
	unread   int64 // answers with markup of calls that was not read
	proof    extractor.Proof
	unproved int64                   // with --prove: lines that do not hold
	changed  int64                   // and lines of which a second run makes something else
	compared [len(differences)]int64 // with --compare: by difference
	repaired int64                   // with --repair: lines that were changed
	sealed   int64                   // of them, exchanges with the sha256 of what came
	kept     int64                   // and lines that were not
	marked   int64                   // and records in whose content a marker was left
	failed   int                     // known at the end, as is
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
	t.unknown += u.unknown
	for i, n := range u.status {
		t.status[i] += n
	}
	t.retried += u.retried
	t.probes += u.probes
	for _, e := range u.epochs {
		t.epochs.add(e.number, e.samples)
	}
	t.leftOut += u.leftOut
	t.unread += u.unread
	t.proof.Add(u.proof)
	t.unproved += u.unproved
	t.changed += u.changed
	for i, n := range u.compared {
		t.compared[i] += n
	}
	t.repaired += u.repaired
	t.sealed += u.sealed
	t.kept += u.kept
	t.marked += u.marked
}

// epochs counts samples by the server_epoch of their exchange, which they do not
// tell themselves.
type epochs []epoch

type epoch struct {
	number  int
	samples int64
}

func (e *epochs) add(number int, samples int64) {
	if number == 0 { // not known
		return
	}
	for i := range *e {
		if (*e)[i].number == number {
			(*e)[i].samples += samples
			return
		}
	}
	*e = append(*e, epoch{number, samples})
}

// String is "12 of epoch 1, 3 of epoch 2".
func (e epochs) String() string {
	slices.SortFunc(e, func(a, b epoch) int { return a.number - b.number })
	var each []string
	for _, epoch := range e {
		each = append(each, fmt.Sprintf("%d of epoch %d", epoch.samples, epoch.number))
	}
	return strings.Join(each, ", ")
}

// samples is the number of records with an answer.
func (t *tally) samples() (n int64) {
	for _, m := range t.status {
		n += m
	}
	return n
}

// allMissing reports whether thinking was expected and there is none at all.
func (t *tally) allMissing() bool {
	const absent, missing = 1, 2
	return t.status[missing] > 0 && t.status[absent]+t.status[missing] == t.samples()
}

// String is the summary: "12 records: 10 present, 2 missing; 1 retried, 1 failed".
func (t *tally) String() string {
	s := records(t.samples())
	separator := ": "
	add := func(n int64, what string) {
		if n > 0 {
			s += fmt.Sprintf("%s%d %s", separator, n, what)
			separator = ", "
		}
	}
	for i, name := range statuses {
		add(t.status[i], string(name))
	}
	add(t.status[len(statuses)], "of unknown status")
	separator = "; "
	add(t.leftOut, "left out")
	add(t.unread, "with calls that were not read")
	add(t.repaired, "repaired")
	add(t.kept, "unchanged")
	add(t.marked, "with a marker left in the content")
	add(t.retried, "retried")
	if t.probes == 1 {
		add(1, "probe")
	} else {
		add(t.probes, "probes")
	}
	add(int64(t.forgiven), "made up for")
	add(int64(t.failed), "failed")
	return s
}

// records is "1 record", "2 records".
func records(n int64) string {
	if n == 1 {
		return "1 record"
	}
	return fmt.Sprintf("%d records", n)
}
