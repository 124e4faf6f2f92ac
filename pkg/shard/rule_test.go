package shard

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"testing"
)

// TestHashIsTheDocumentedOne: other programs compute it, too.
func TestHashIsTheDocumentedOne(t *testing.T) {
	rule, err := ParseRule("hash", 8)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		id := fmt.Sprintf("gsm8k-%d", i)
		sum := sha256.Sum256([]byte(id))
		if got, want := rule.OfKey([]byte(id)), int(binary.BigEndian.Uint64(sum[:8])%8); got != want {
			t.Fatalf("%s: shard %d, want %d", id, got, want)
		}
	}
}

// TestRangeIsContiguousAndEven: runs differ by one line at most.
func TestRangeIsContiguousAndEven(t *testing.T) {
	f := func(n int, total int64) {
		t.Helper()
		rule := Rule{By: Range, N: n, Total: total}
		sizes := make([]int64, n)
		last := 0
		for i := range total {
			at := rule.At(i)
			if at < last || at >= n {
				t.Fatalf("%d of %d lines, %d shards: shard %d after %d", i, total, n, at, last)
			}
			last = at
			sizes[at]++
		}
		for _, size := range sizes {
			if size < total/int64(n) || size > total/int64(n)+1 {
				t.Fatalf("%d lines, %d shards: sizes %v", total, n, sizes)
			}
		}
	}
	for n := 1; n < 9; n++ {
		for total := range int64(40) {
			f(n, total)
		}
	}
	f(1024, 5000)
	huge := Rule{By: Bytes, N: 1 << 20, Total: math.MaxInt64}
	if got := huge.At(math.MaxInt64 - 1); got != 1<<20-1 {
		t.Errorf("the last byte of 8 EiB is in shard %d", got)
	}
	if got := (Rule{By: Range, N: 3}).At(0); got != 2 {
		t.Errorf("a line beyond the total is in shard %d", got)
	}
}

// TestKeepIsEvenAndNested: each shard keeps its share, and more keeps all of less.
func TestKeepIsEvenAndNested(t *testing.T) {
	rule := Rule{N: 2}
	kept := [2]int{}
	const lines = 20000
	for i := range lines {
		d := DigestOf(fmt.Appendf(nil, "id-%d", i))
		if d.Kept(0.25) {
			kept[rule.Of(d)]++
		}
		if d.Kept(0.25) && !d.Kept(0.5) || d.Kept(0) || !d.Kept(1) {
			t.Fatalf("line %d is kept at random", i)
		}
	}
	for shard, n := range kept {
		if math.Abs(float64(n)-lines/8) > lines/80 {
			t.Errorf("shard %d keeps %d of about %d", shard, n, lines/2)
		}
	}
}

func TestParse(t *testing.T) {
	rule := func(s string, by By, ok bool) {
		t.Helper()
		if got, err := ParseRule(s, 2); (err == nil) != ok || ok && got.By != by {
			t.Errorf("ParseRule(%q): %v, %v", s, got, err)
		}
	}
	rule("hash", Hash, true)
	rule("round-robin", RoundRobin, true)
	rule("range", Range, true)
	rule("bytes", Bytes, true)
	rule("field=meta.source", Field, true)
	rule("field=", 0, false)
	rule("field", 0, false)
	rule("random", 0, false)
	rule("", 0, false)

	part := func(s string, i, n int, ok bool) {
		t.Helper()
		if gotI, gotN, err := ParsePart(s); (err == nil) != ok || ok && (gotI != i || gotN != n) {
			t.Errorf("ParsePart(%q): %d, %d, %v", s, gotI, gotN, err)
		}
	}
	part("0/1", 0, 1, true)
	part("3/8", 3, 8, true)
	part("8/8", 0, 0, false)
	part("-1/8", 0, 0, false)
	part("0/0", 0, 0, false)
	part("3", 0, 0, false)
	part("1/2/3", 0, 0, false)
}
