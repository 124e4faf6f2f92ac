package shard

import (
	"bufio"
	"encoding/binary"
	"io"
	"slices"
)

// merge calls yield with the records of some runs in order.
func (s *Sorter) merge(runs []run, yield func(Key, []byte) error) error {
	size := min(max(s.memory/(len(runs)+1), 4<<10), 1<<20)
	var h runHeap
	for _, r := range runs {
		c := &runReader{r: bufio.NewReaderSize(io.NewSectionReader(s.spill, r.start, r.end-r.start), size)}
		switch err := c.next(); err {
		case nil:
			h = append(h, c)
		case io.EOF:
		default:
			return temporary(err)
		}
	}
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
	for len(h) > 0 {
		top := h[0]
		if err := yield(top.key, top.data); err != nil {
			return err
		}
		switch err := top.next(); err {
		case nil:
		case io.EOF:
			h[0] = h[len(h)-1]
			h = h[:len(h)-1]
		default:
			return temporary(err)
		}
		h.down(0)
	}
	return nil
}

// runReader reads the records of a run.
type runReader struct {
	r    *bufio.Reader
	head [16]byte
	key  Key
	data []byte
}

// next reads a record; io.EOF after the last.
func (c *runReader) next() error {
	if _, err := io.ReadFull(c.r, c.head[:]); err != nil {
		return err
	}
	c.key = Key{binary.BigEndian.Uint64(c.head[:8]), binary.BigEndian.Uint64(c.head[8:])}
	n, err := binary.ReadUvarint(c.r)
	if err != nil {
		return noEOF(err)
	}
	c.data = slices.Grow(c.data[:0], int(n))[:n]
	_, err = io.ReadFull(c.r, c.data)
	return noEOF(err)
}

// noEOF keeps an end inside a record apart from one after it.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// runHeap is a heap of runs, the one with the least key first. container/heap
// would call through an interface for each comparison.
type runHeap []*runReader

func (h runHeap) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if right := child + 1; right < len(h) && h[right].key.Compare(h[child].key) < 0 {
			child = right
		}
		if h[i].key.Compare(h[child].key) <= 0 {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}
