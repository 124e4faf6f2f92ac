package shard_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// TestSorterMemoryDoesNotMatter: the order is that of the keys however many runs
// there are, more than are merged at once among them.
func TestSorterMemoryDoesNotMatter(t *testing.T) {
	f := func(memory int64, n int) {
		t.Helper()
		random := rand.New(rand.NewPCG(1, uint64(n)))
		s := shard.NewSorter(memory, t.TempDir())
		defer s.Close()
		var want []string
		for i := range n {
			key := shard.Key{Hi: random.Uint64N(100), Lo: uint64(i)}
			data := strings.Repeat("x", random.IntN(40)) + fmt.Sprint(i)
			want = append(want, fmt.Sprintf("%03d %09d %s", key.Hi, key.Lo, data))
			if err := s.Add(key, []byte(data[:len(data)/2]), []byte(data[len(data)/2:])); err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(want)
		var got []string
		err := s.Each(func(key shard.Key, data []byte) error {
			got = append(got, fmt.Sprintf("%03d %09d %s", key.Hi, key.Lo, data))
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("memory %d: %d records are not the %d in order: %v", memory, len(got), n, err)
		}
		if s.Added() != int64(n) || s.Spilled() != (memory < 1000 && n > 1) {
			t.Errorf("memory %d: added %d, spilled %v", memory, s.Added(), s.Spilled())
		}
	}
	f(1, 0)
	f(1, 1)
	f(1, 2)
	f(1, 65)
	f(1, 5000)
	f(900, 5000)
	f(1<<20, 5000)
}

func TestSorterEndsWithTheError(t *testing.T) {
	for _, memory := range []int64{1, 1 << 20} {
		s := shard.NewSorter(memory, t.TempDir())
		for i := range uint64(10) {
			s.Add(shard.Key{Lo: 10 - i}, []byte("record"))
		}
		n := 0
		err := s.Each(func(shard.Key, []byte) error {
			if n++; n == 3 {
				return io.ErrClosedPipe
			}
			return nil
		})
		if !errors.Is(err, io.ErrClosedPipe) || n != 3 {
			t.Errorf("memory %d: %v after %d records", memory, err, n)
		}
		s.Close()
	}
}

// TestTempFilesHaveNoNames: nothing is left, however the process ends.
func TestTempFilesHaveNoNames(t *testing.T) {
	dir := t.TempDir()
	s := shard.NewSorter(1, dir)
	s.Add(shard.Key{}, []byte("a"))
	s.Add(shard.Key{}, []byte("b"))
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 || !s.Spilled() {
		t.Errorf("%v, %v, spilled %v", files, err, s.Spilled())
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := shard.NewSorter(1, dir+"/nowhere").Add(shard.Key{}); err != nil {
		t.Errorf("a record that fits needs no file: %v", err)
	}
}

// TestSet: what was added is there, and nothing else, in memory and in a file.
func TestSet(t *testing.T) {
	f := func(memory int64, n int) {
		t.Helper()
		s := shard.NewSet(memory, t.TempDir())
		defer s.Close()
		for i := range n {
			for range 1 + i%3 {
				if err := s.Add(shard.DigestOf(fmt.Append(nil, i))); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := s.Seal(); err != nil {
			t.Fatal(err)
		}
		if s.Len() != int64(n) {
			t.Errorf("memory %d: %d digests, want %d", memory, s.Len(), n)
		}
		var buf []byte
		for i := range 2 * n {
			var has bool
			var err error
			if has, buf, err = s.Has(shard.DigestOf(fmt.Append(nil, i)), buf); err != nil || has != (i < n) {
				t.Fatalf("memory %d: digest %d is there: %v, %v", memory, i, has, err)
			}
		}
	}
	for _, memory := range []int64{1, 1000, 1 << 20} {
		f(memory, 0)
		f(memory, 1)
		f(memory, 3000)
	}
}

// TestSetKeepsNeighboursApart: digests that differ in one bit are different.
func TestSetKeepsNeighboursApart(t *testing.T) {
	d := shard.DigestOf([]byte("id"))
	for _, memory := range []int64{1, 1 << 20} {
		s := shard.NewSet(memory, t.TempDir())
		defer s.Close()
		s.Add(d)
		s.Add(shard.DigestOf([]byte("another")))
		if err := s.Seal(); err != nil {
			t.Fatal(err)
		}
		for bit := range 8 * len(d) {
			e := d
			e[bit/8] ^= 1 << (bit % 8)
			if has, _, err := s.Has(e, nil); has || err != nil {
				t.Errorf("bit %d: %v, %v", bit, has, err)
			}
		}
		if has, _, err := s.Has(d, nil); !has || err != nil {
			t.Errorf("itself: %v, %v", has, err)
		}
	}
}

// TestSetAllocatesNothingPerDigest: garbage would be memory that nobody counts.
func TestSetAllocatesNothingPerDigest(t *testing.T) {
	const n = 20000
	var before, after runtime.MemStats
	s := shard.NewSet(100_000, t.TempDir())
	defer s.Close()
	for i := range uint64(n) {
		d := shard.Digest{byte(i), byte(i >> 8), byte(i >> 16)}
		if err := s.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&before)
	if err := s.Seal(); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if allocations := after.Mallocs - before.Mallocs; allocations > n/10 {
		t.Errorf("%d allocations for %d digests", allocations, n)
	}
}

// TestSorterTakesNoMoreMemory: what is taken while records are added, garbage and
// all, is what was allowed and the buffer of the file.
func TestSorterTakesNoMoreMemory(t *testing.T) {
	f := func(size int) {
		t.Helper()
		const memory = 4 << 20
		var before, after runtime.MemStats
		s := shard.NewSorter(memory, t.TempDir())
		defer s.Close()
		record := make([]byte, size)
		runtime.ReadMemStats(&before)
		for i := range uint64(3 * memory / (size + 16)) {
			if err := s.Add(shard.Key{Hi: i}, record); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > memory*3/2 || !s.Spilled() {
			t.Errorf("records of %d bytes: %d bytes were taken, spilled %v", size, taken, s.Spilled())
		}
	}
	f(0)
	f(100)
	f(5000)
}
