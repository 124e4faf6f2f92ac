package shard

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// By is what decides a line's shard.
type By uint8

// Hash and Field go by content: a line's shard does not depend on its
// neighbours. RoundRobin, Range and Bytes go by place.
const (
	Hash       By = iota // of the id
	Field                // the hash of a field's value
	RoundRobin           // good lines in turn
	Range                // contiguous runs of nearly equal numbers of lines
	Bytes                // contiguous runs of nearly equal numbers of bytes
)

// Rule deals lines out to N shards, numbered from 0.
type Rule struct {
	By    By
	Path  []string // of Field: the keys that lead to it
	N     int
	Total int64 // of Range: the lines of the input; of Bytes: their bytes
}

// ParseRule reads hash, round-robin, range, bytes or field=NAME, where NAME may
// be a dotted path.
func ParseRule(s string, n int) (Rule, error) {
	r := Rule{N: n}
	switch name, field, _ := strings.Cut(s, "="); {
	case s == "hash":
	case s == "round-robin":
		r.By = RoundRobin
	case s == "range":
		r.By = Range
	case s == "bytes":
		r.By = Bytes
	case name == "field" && field != "":
		r.By, r.Path = Field, strings.Split(field, ".")
	default:
		return r, fmt.Errorf("%q is not one of hash, round-robin, range, bytes, field=NAME", s)
	}
	return r, nil
}

// ByContent reports whether the lines' keys decide, not their places.
func (r Rule) ByContent() bool { return r.By == Hash || r.By == Field }

// Counts reports whether Total must be known.
func (r Rule) Counts() bool { return r.By == Range || r.By == Bytes }

// Digest is the first 16 bytes of the sha256 of a key: the decoded bytes of a
// string, the text of a number.
type Digest [16]byte

// DigestOf is the digest of key.
func DigestOf(key []byte) Digest {
	sum := sha256.Sum256(key)
	return Digest(sum[:])
}

// DigestOfID is the digest of an id's text. For a number the last bit is flipped:
// a number and a string never match. buf is scratch space, returned for the next call.
func DigestOfID(id record.ID, buf []byte) (Digest, []byte) {
	buf = id.AppendKey(buf[:0])
	d := DigestOf(buf[1:])
	if buf[0] == '#' {
		d[len(d)-1] ^= 1
	}
	return d, buf
}

// OfKey is the shard of a key, by its digest.
func (r Rule) OfKey(key []byte) int { return r.Of(DigestOf(key)) }

// Of is the shard of a key: the first 8 bytes of its digest, big-endian, mod N.
func (r Rule) Of(d Digest) int {
	return int(binary.BigEndian.Uint64(d[:8]) % uint64(r.N))
}

// Kept reports whether a key is among the share of rate, 0 to 1, that is kept.
// It goes by the second 8 bytes of the digest, so that each shard keeps its
// share; what a rate keeps, every higher rate keeps.
func (d Digest) Kept(rate float64) bool {
	return float64(binary.BigEndian.Uint64(d[8:]))/(1<<64) < rate
}

// At is the shard of a line by its place: before is the number of good lines
// before it for RoundRobin, of all lines for Range, of their bytes for Bytes.
func (r Rule) At(before int64) int {
	switch {
	case r.By == RoundRobin:
		return int(before % int64(r.N))
	case before >= r.Total: // the input has grown
		return r.N - 1
	}
	high, low := bits.Mul64(uint64(before), uint64(r.N))
	shard, _ := bits.Div64(high, low, uint64(r.Total))
	return int(shard)
}

// ParsePart reads I/N, one of N shards, I from 0.
func ParsePart(s string) (i, n int, err error) {
	before, after, ok := strings.Cut(s, "/")
	i, errI := strconv.Atoi(before)
	n, errN := strconv.Atoi(after)
	switch {
	case !ok || errI != nil || errN != nil:
		return 0, 0, fmt.Errorf("%q is not I/N, such as 0/8", s)
	case n < 1 || i < 0 || i >= n:
		return 0, 0, fmt.Errorf("%q: I must be from 0 to N-1", s)
	}
	return i, n, nil
}
