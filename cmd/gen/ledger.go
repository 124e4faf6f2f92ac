package main

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// ledger knows, for each wanted answer, what became of it and which request it
// stands for. A run of millions has one entry for each: 16 bytes with its key, which
// the map and the garbage collector make 60 of.
type ledger struct {
	hasher  record.Hasher
	entries map[uint64]entry  // by the hash of the key
	repeats map[uint64]uint32 // how often prompts came in beyond the times of their entry
	codes   []string          // failures of dead answers, an entry's code is an index
	talks   map[uint64]uint64 // what conversations of this run are, by their first turn
}

type entry struct {
	print   uint32 // fingerprint of the request, 0 unknown
	times   uint8  // how often the prompt came in in this run, 0: the archive's only; see came
	state   state
	code    uint8 // of a dead one
	counted bool  // this run has settled it
}

func newLedger() *ledger {
	return &ledger{hasher: record.NewHasher(), entries: map[uint64]entry{}, repeats: map[uint64]uint32{}, talks: map[uint64]uint64{}}
}

// fingerprint is the first 4 bytes of a request's sha256, given in hex; 0 for none.
// Two requests of one id that differ have the same once in four thousand million.
func fingerprint(sha256 []byte) uint32 {
	var b [4]byte
	if len(sha256) < 2*len(b) {
		return 0
	}
	if _, err := hex.Decode(b[:], sha256[:2*len(b)]); err != nil {
		return 0
	}
	return binary.BigEndian.Uint32(b[:])
}

// came counts that a prompt came in once more.
func (l *ledger) came(hash uint64, e *entry) {
	if e.times < math.MaxUint8 {
		e.times++
		return
	}
	l.repeats[hash]++
}

// times is how often a prompt came in in this run.
func (l *ledger) times(hash uint64) int64 {
	e := l.entries[hash]
	if e.times < math.MaxUint8 {
		return int64(e.times)
	}
	return int64(e.times) + int64(l.repeats[hash])
}

// archived takes note of a line that an earlier run left. samePrints says that
// its requests must be those of this run. It returns the hash of the key.
func (l *ledger) archived(r *response.Record, samePrints bool) (hash uint64) {
	hash = l.hasher.Hash(record.Key{ID: r.ID, Sample: r.Sample, Turn: r.Turn})
	e := l.entries[hash]
	if e.state == done && (r.Failure != nil || r.Turn == 0) {
		return hash
	}
	if print := fingerprint(r.RequestSHA256.Raw); print != 0 && samePrints && r.Continues.ID == "" {
		e.print = print
	}
	switch {
	case r.Failure == nil && r.Retried: // cut, to be gone on with
	case r.Failure == nil:
		e.state = done
	case r.Dead:
		e.state, e.code = dead, l.code(r.Failure.Code)
	case !r.Retried && e.state != dead:
		e.state = failed
	}
	l.entries[hash] = e
	return hash
}

// code is the index of a failure's code. Archives of others have codes of their
// own; beyond two hundred they are all one.
func (l *ledger) code(name string) uint8 {
	if len(l.codes) >= 200 && !slices.Contains(l.codes, name) {
		name = "other"
	}
	i := slices.Index(l.codes, name)
	if i < 0 {
		i = len(l.codes)
		l.codes = append(l.codes, name)
	}
	return uint8(i)
}

// retry says which dead answers are asked again: those of one failure code, or "all".
type retry string

func (r retry) wants(code string) bool { return r == "all" || r != "" && string(r) == code }

// admission is what to do with a wanted answer that comes in.
type admission uint8

const (
	ask     admission = iota // send it
	have                     // the archive has it: count its state
	repeat                   // came in before, the same request: count it with that one
	clash                    // another prompt of this run has its id
	changed                  // the archived request under this id is another one
)

// policy is what a run does about answers that the archive holds.
type policy struct {
	again         retry
	acceptChanged bool
}

// admit decides on a wanted answer with a key's hash and a request's fingerprint.
// home is the archive that it goes to, of several: another archive's line is none of
// its own.
func (l *ledger) admit(hash uint64, print, home uint32, p policy) (admission, entry) {
	e := l.entries[hash]
	first := e.times == 0
	switch {
	case first && e.differs(print) && !p.acceptChanged:
		return changed, e
	case !first && e.print != print^home:
		return clash, e
	}
	if first && (e.state == failed || e.state == dead && p.again.wants(l.codes[e.code])) {
		e.state = pending
	}
	e.print = print ^ home
	l.came(hash, &e)
	l.entries[hash] = e
	switch {
	case e.state != pending:
		return have, e
	case first:
		return ask, e
	}
	return repeat, e
}

// differs reports whether an answer that the archive holds was asked with another
// request.
func (e entry) differs(print uint32) bool {
	return (e.state == done || e.state == dead) && e.print != 0 && e.print != print
}

// expect notes that a later turn of a conversation is wanted once more, and
// returns what became of it in this run.
func (l *ledger) expect(hash uint64) state {
	e := l.entries[hash]
	l.came(hash, &e)
	l.entries[hash] = e
	if !e.counted {
		return pending
	}
	return e.state
}

// reach decides on a later turn of a conversation, now that its request is known.
// In a folder, where several runs may have had a conversation of their own, an
// answer to another request is none.
func (l *ledger) reach(hash uint64, print uint32, p policy, folder bool) (admission, entry) {
	e := l.entries[hash]
	other := e.differs(print) && !p.acceptChanged
	switch {
	case other && !folder:
		return changed, e
	case other, e.state == failed, e.state == dead && p.again.wants(l.codes[e.code]):
		e.state = pending
	}
	e.print = print
	l.entries[hash] = e
	if e.state == pending {
		return ask, e
	}
	return have, e
}

// settle notes what became of an answer and returns how often it was wanted.
func (l *ledger) settle(hash uint64, s state) int64 {
	e := l.entries[hash]
	e.state, e.counted = s, true
	l.entries[hash] = e
	return l.times(hash)
}
