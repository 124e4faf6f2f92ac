package shard

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
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
	// entryBytes is what an entry takes besides its record.
	entryBytes = 32
	// chunkBytes is the memory that is taken at once for records.
	chunkBytes = 1 << 20
)

// Sorter sorts any number of records in bounded memory (external merge sort):
// what does not fit goes to a temporary file in sorted runs, which are merged in
// the end. The order depends on the keys alone; records of one key come in any
// order. The file has no name, so that nothing is left of it however the process
// ends. Close must be called. A Sorter is owned by one goroutine.
type Sorter struct {
	memory  int
	dir     string
	chunks  [][]byte // records; the last one has room left
	unused  [][]byte // chunks of the run before
	used    int      // bytes of chunks
	entries []entry
	spill   *os.File // nil until something does not fit
	size    int64    // of spill
	runs    []run
	buffer  *bufio.Writer // to spill
	added   int64
}

// entry is a record in memory: n bytes of a chunk. Without a pointer in it, the
// garbage collector passes over all of them.
type entry struct {
	key          Key
	chunk, start uint32
	n            int
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
	most := s.memory / 2 / entryBytes
	if len(s.entries) > 0 && (s.used+n+(len(s.entries)+1)*entryBytes > s.memory || len(s.entries) >= most) {
		if err := s.endRun(); err != nil {
			return err
		}
	}
	if len(s.entries) == cap(s.entries) {
		s.grow(most)
	}
	s.entries = append(s.entries, s.put(key, n, parts))
	s.added++
	return nil
}

// grow makes room for more entries: twice as many while they are few, then at once
// for as many as will fit if the others are like these. Growing step by step would
// leave several times the memory to the garbage collector.
func (s *Sorter) grow(most int) {
	n := max(2*cap(s.entries), 64)
	if n > max(most/16, 64) {
		last := s.chunks[len(s.chunks)-1]
		filled := s.used - cap(last) + len(last) + len(s.entries)*entryBytes
		fit := int(float64(s.memory) / float64(filled) * float64(len(s.entries)))
		n = max(min(fit+fit/8, most), len(s.entries)*5/4)
	}
	s.entries = append(make([]entry, 0, n), s.entries...)
}

// put copies a record of n bytes into a chunk.
func (s *Sorter) put(key Key, n int, parts [][]byte) entry {
	last := len(s.chunks) - 1
	if last < 0 || len(s.chunks[last])+n > cap(s.chunks[last]) {
		s.chunks = append(s.chunks, s.room(n))
		last++
	}
	chunk := s.chunks[last]
	start := len(chunk)
	for _, p := range parts {
		chunk = append(chunk, p...)
	}
	s.chunks[last] = chunk
	return entry{key, uint32(last), uint32(start), n}
}

// room is an empty chunk for n bytes or more.
func (s *Sorter) room(n int) (chunk []byte) {
	if last := len(s.unused) - 1; last >= 0 && n <= cap(s.unused[last]) {
		chunk, s.unused = s.unused[last][:0], s.unused[:last]
	} else {
		chunk = make([]byte, 0, max(n, min(chunkBytes, s.memory/8)))
	}
	s.used += cap(chunk)
	return chunk
}

func (s *Sorter) data(e entry) []byte { return s.chunks[e.chunk][e.start:][:e.n] }

// reset empties the memory for the next run.
func (s *Sorter) reset() {
	for _, c := range s.chunks {
		if cap(c) <= chunkBytes { // not that of a giant record
			s.unused = append(s.unused, c)
		}
	}
	clear(s.chunks)
	s.chunks, s.used, s.entries = s.chunks[:0], 0, s.entries[:0]
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
			if err := w.write(e.key, s.data(e)); err != nil {
				return err
			}
		}
		return nil
	})
	s.reset()
	return err
}

// writeRun appends a run to the temporary file.
func (s *Sorter) writeRun(fill func(*runWriter) error) error {
	if s.spill == nil {
		f, err := jsonl.TempFile(s.dir)
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
			if err := yield(e.key, s.data(e)); err != nil {
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
	s.unused, s.entries = nil, nil
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
	s.chunks, s.unused, s.entries = nil, nil, nil
	if s.spill == nil {
		return nil
	}
	f := s.spill
	s.spill = nil
	return f.Close()
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
