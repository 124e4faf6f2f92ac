package shard

import (
	"bufio"
	"encoding/binary"
	"io"
	"math/bits"
	"os"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

const (
	digestBytes = len(Digest{})
	// bucketSize is how many digests are looked through for one: 4 KiB of a file.
	bucketSize = 256
)

// Set is a set of digests in bounded memory: what does not fit is in a temporary
// file, sorted, of which a look-up reads one place. Two different ids are taken
// for one with a probability below 2⁻¹²⁷ for each pair: 10⁻²⁰ for a billion
// prompts against a billion answers.
type Set struct {
	memory int64
	dir    string
	sorter *Sorter
	list   []Digest // sorted, when they fit
	file   *os.File // else
	index  []int64  // where the digests of each beginning start in the list or file
	shift  int      // bits of a digest behind its beginning, of the first 64
	n      int64
}

// NewSet returns an empty set; memory and dir are as in [NewSorter]. Close must be
// called.
func NewSet(memory int64, dir string) *Set {
	return &Set{memory: memory, dir: dir, sorter: NewSorter(memory, dir)}
}

// Add adds a digest, which may be there already. After Seal nothing may be added.
func (s *Set) Add(d Digest) error { return s.sorter.Add(d.key()) }

func (d Digest) key() Key {
	return Key{binary.BigEndian.Uint64(d[:8]), binary.BigEndian.Uint64(d[8:])}
}

func (k Key) digest() (d Digest) {
	binary.BigEndian.PutUint64(d[:8], k.Hi)
	binary.BigEndian.PutUint64(d[8:], k.Lo)
	return d
}

// Seal ends the adding. Before it nothing may be looked up.
func (s *Set) Seal() error {
	defer s.sorter.Close()
	first := bits.Len64(uint64(s.sorter.Added()) / bucketSize)
	s.shift = 64 - first
	s.index = make([]int64, 1<<first+1)
	put, flush, err := s.place()
	if err != nil {
		return err
	}
	var last Key
	err = s.sorter.Each(func(k Key, _ []byte) error {
		if s.n > 0 && k == last {
			return nil
		}
		last = k
		s.n++
		s.index[k.Hi>>s.shift+1]++
		return put(k.digest())
	})
	if err == nil {
		err = flush()
	}
	for i := range s.index[1:] {
		s.index[i+1] += s.index[i]
	}
	return err
}

// place is where the sorted digests go.
func (s *Set) place() (put func(Digest) error, flush func() error, err error) {
	if !s.sorter.Spilled() {
		s.list = make([]Digest, 0, s.sorter.Added())
		put = func(d Digest) error {
			s.list = append(s.list, d)
			return nil
		}
		return put, func() error { return nil }, nil
	}
	if s.file, err = jsonl.TempFile(s.dir); err != nil {
		return nil, nil, err
	}
	w := bufio.NewWriterSize(s.file, 1<<20)
	var buf Digest // one for all: each that escapes is garbage
	put = func(d Digest) error {
		buf = d
		_, err := w.Write(buf[:])
		return err
	}
	return put, w.Flush, nil
}

// Len is the number of different digests, once the set is sealed.
func (s *Set) Len() int64 { return s.n }

// Close gives back the temporary files.
func (s *Set) Close() error {
	s.list = nil
	err := s.sorter.Close()
	if s.file != nil {
		err = s.file.Close()
	}
	return err
}

// Has reports whether a digest is in the set. buf is for reading from the file and
// is returned for the next call; each goroutine has its own.
func (s *Set) Has(d Digest, buf []byte) (bool, []byte, error) {
	beginning := d.key().Hi >> s.shift
	start, end := s.index[beginning], s.index[beginning+1]
	if s.file == nil {
		_, found := slices.BinarySearchFunc(s.list[start:end], d, Digest.compare)
		return found, buf, nil
	}
	n := int(end-start) * digestBytes
	buf = slices.Grow(buf[:0], n)[:n]
	if _, err := s.file.ReadAt(buf, start*int64(digestBytes)); err != nil && err != io.EOF {
		return false, buf, temporary(err)
	}
	low, high := 0, n/digestBytes
	for low < high {
		middle := (low + high) / 2
		switch c := Digest(buf[middle*digestBytes:]).compare(d); {
		case c == 0:
			return true, buf, nil
		case c < 0:
			low = middle + 1
		default:
			high = middle
		}
	}
	return false, buf, nil
}

func (d Digest) compare(e Digest) int { return d.key().Compare(e.key()) }
