package shard

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
)

// Key is what records are sorted by: Hi, then Lo.
type Key struct{ Hi, Lo uint64 }

// Compare is below 0, 0 or above 0 as k stands before, with or after l.
func (k Key) Compare(l Key) int {
	if k.Hi != l.Hi {
		return cmp.Compare(k.Hi, l.Hi)
	}
	return cmp.Compare(k.Lo, l.Lo)
}

const (
	// mostRuns are merged at once: more would read in small pieces.
	mostRuns = 64
	// keptEntry is what an entry of a run in memory takes besides its record.
	keptEntry = 32
)

// Sorter sorts any number of records in bounded memory (external merge sort):
// what does not fit goes to a temporary file in sorted runs, which are merged in
// the end. The order depends on the keys alone; records of one key come in any
// order. The file has no name, so that nothing is left of it however the process
// ends. Close must be called. A Sorter is owned by one goroutine.
type Sorter struct {
	memory  int
	dir     string
	data    []byte
	entries []entry
	spill   *os.File // nil until something does not fit
	size    int64    // of spill
	runs    []run
	buffer  *bufio.Writer // to spill
	added   int64
}

// entry is a record in memory.
type entry struct {
	key        Key
	start, end int // in data
}

// run is a sorted part of the temporary file.
type run struct{ start, end int64 }

// NewSorter holds up to about memory bytes of records, and one that is larger.
// dir is where the temporary file goes, "" for the system's place.
func NewSorter(memory int64, dir string) *Sorter {
	return &Sorter{memory: int(max(memory, 1)), dir: dir}
}

// Add adds a record, the parts of it one after the other. They are copied.
func (s *Sorter) Add(key Key, parts ...[]byte) error {
	n := 0
	for _, p := range parts {
		n += len(p)
	}
	if len(s.entries) > 0 && (len(s.data)+n > s.memory/2 || (len(s.entries)+1)*keptEntry > s.memory/2) {
		if err := s.endRun(); err != nil {
			return err
		}
	}
	start := len(s.data)
	s.data = grow(s.data, n, s.memory/2)
	for _, p := range parts {
		s.data = append(s.data, p...)
	}
	s.entries = append(grow(s.entries, 1, s.memory/2/keptEntry), entry{key, start, len(s.data)})
	s.added++
	return nil
}

// grow makes room for n more, twice what there is, but no more than most unless
// it must.
func grow[T any](s []T, n, most int) []T {
	need := len(s) + n
	if need <= cap(s) {
		return s
	}
	return slices.Grow(s[:len(s):len(s)], max(need, min(2*cap(s), most))-len(s))
}

// Added is the number of records.
func (s *Sorter) Added() int64 { return s.added }

// Spilled reports whether records went to the temporary file.
func (s *Sorter) Spilled() bool { return s.spill != nil }

func (s *Sorter) sort() {
	slices.SortFunc(s.entries, func(a, b entry) int { return a.key.Compare(b.key) })
}

// endRun sorts what is in memory and writes it out.
func (s *Sorter) endRun() error {
	s.sort()
	err := s.writeRun(func(w *runWriter) error {
		for _, e := range s.entries {
			if err := w.write(e.key, s.data[e.start:e.end]); err != nil {
				return err
			}
		}
		return nil
	})
	s.data, s.entries = s.data[:0], s.entries[:0]
	if cap(s.data) > s.memory { // one giant record
		s.data = nil
	}
	return err
}

// writeRun appends a run to the temporary file.
func (s *Sorter) writeRun(fill func(*runWriter) error) error {
	if s.spill == nil {
		f, err := TempFile(s.dir)
		if err != nil {
			return err
		}
		s.spill = f
	}
	if s.buffer == nil {
		s.buffer = bufio.NewWriterSize(nil, min(max(s.memory/8, 4<<10), 1<<20))
	}
	s.buffer.Reset(io.NewOffsetWriter(s.spill, s.size))
	w := &runWriter{w: s.buffer}
	err := fill(w)
	if err == nil {
		err = w.w.Flush()
	}
	if err != nil {
		return temporary(err)
	}
	s.runs = append(s.runs, run{s.size, s.size + w.n})
	s.size += w.n
	return nil
}

// Each calls yield with every record in order; data is valid until it returns.
// Its error ends Each. Nothing may be added afterwards.
func (s *Sorter) Each(yield func(key Key, data []byte) error) error {
	if s.spill == nil {
		s.sort()
		for _, e := range s.entries {
			if err := yield(e.key, s.data[e.start:e.end]); err != nil {
				return err
			}
		}
		return nil
	}
	if len(s.entries) > 0 {
		if err := s.endRun(); err != nil {
			return err
		}
	}
	s.data, s.entries = nil, nil
	for len(s.runs) > mostRuns {
		first := s.runs[:mostRuns]
		s.runs = s.runs[mostRuns:]
		err := s.writeRun(func(w *runWriter) error { return s.merge(first, w.write) })
		if err != nil {
			return err
		}
	}
	return s.merge(s.runs, yield)
}

// Close gives back the temporary file.
func (s *Sorter) Close() error {
	s.data, s.entries = nil, nil
	if s.spill == nil {
		return nil
	}
	f := s.spill
	s.spill = nil
	return f.Close()
}

// TempFile is a file without a name in dir, "" for the system's place ($TMPDIR):
// it is gone when it is closed, or when the process ends in whatever way.
func TempFile(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "shard-")
	if err != nil {
		return nil, temporary(err)
	}
	os.Remove(f.Name()) // fails where open files keep their names
	return f, nil
}

func temporary(err error) error { return fmt.Errorf("temporary file: %w", err) }

// runWriter writes records: the key, the length, the data.
type runWriter struct {
	w   *bufio.Writer
	n   int64
	buf [16 + binary.MaxVarintLen64]byte
}

func (w *runWriter) write(key Key, data []byte) error {
	b := binary.BigEndian.AppendUint64(w.buf[:0], key.Hi)
	b = binary.BigEndian.AppendUint64(b, key.Lo)
	b = binary.AppendUvarint(b, uint64(len(data)))
	w.n += int64(len(b) + len(data))
	if _, err := w.w.Write(b); err != nil {
		return err
	}
	_, err := w.w.Write(data)
	return err
}
