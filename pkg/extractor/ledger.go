package extractor

import "github.com/thinkpipe/thinkpipe/pkg/jsonl"

// Ledger keeps account of which answers succeeded, so that a failed attempt is
// forgiven when another line of the same key succeeds, before or after it. It
// keeps 8 bytes for each success and each whole failure. It is owned by one
// goroutine: workers hash keys with a copy of one record.Hasher.
//
// Keys are compared by a 64-bit hash: that among n answers any failure is
// forgiven wrongly has a probability of about n²/2⁶⁵.
type Ledger struct {
	successes [][]uint64 // chunks, so that growing never copies
	failures  []Failure
}

const chunk = 8192 // successes, 64 KiB

// Failure is a line without an answer.
type Failure struct {
	jsonl.Pos
	ID    string
	Cause string
	Raw   []byte // the line, when somebody wants to see it
	// Keyed is false for a line without an id, which no other line can make up for.
	Keyed bool
	Hash  uint64 // of the key
}

// Success notes that a key has an answer.
func (l *Ledger) Success(hash uint64) {
	n := len(l.successes)
	if n == 0 || len(l.successes[n-1]) == chunk {
		l.successes = append(l.successes, make([]uint64, 0, chunk))
		n++
	}
	l.successes[n-1] = append(l.successes[n-1], hash)
}

// Fail notes a line without an answer.
func (l *Ledger) Fail(f Failure) { l.failures = append(l.failures, f) }

// Settle returns the failures that nothing makes up for, in the order in which
// they were noted, and the number of those forgiven.
func (l *Ledger) Settle() (failures []Failure, forgiven int) {
	failed := make(map[uint64]bool, len(l.failures))
	for _, f := range l.failures {
		failed[f.Hash] = f.Keyed
	}
	for _, hashes := range l.successes {
		for _, h := range hashes {
			delete(failed, h)
		}
	}
	for _, f := range l.failures {
		if f.Keyed && !failed[f.Hash] {
			forgiven++
			continue
		}
		failures = append(failures, f)
	}
	return failures, forgiven
}
