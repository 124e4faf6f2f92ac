package main

import (
	"encoding/binary"
	"errors"

	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// spool keeps lines until all are there, and gives them back shuffled.
type spool struct {
	sorter *shard.Sorter
	seed   int64
	bytes  int64
	head   []byte
}

func newSpool(p *plan) *spool {
	return &spool{sorter: shard.NewSorter(p.memory, p.tmpDir), seed: p.seed}
}

// add keeps a line, which stands at a position of the input, and what was found
// out about it. A shard that is not decided yet is -1.
func (s *spool) add(position int64, it *item, line, group []byte) error {
	s.bytes += int64(len(line))
	s.head = append(s.head[:0], it.key[:]...)
	s.head = binary.AppendVarint(s.head, int64(it.shard))
	s.head = binary.AppendUvarint(s.head, uint64(len(group)))
	return s.sorter.Add(shard.ShuffleKey(s.seed, position), s.head, group, line)
}

// each gives back the lines.
func (s *spool) each(yield func(it *item, line, group []byte) error) error {
	var it item
	return s.sorter.Each(func(_ shard.Key, data []byte) error {
		data = data[copy(it.key[:], data):]
		number, n := binary.Varint(data)
		length, m := binary.Uvarint(data[n:])
		it.shard = int(number)
		data = data[n+m:]
		return yield(&it, data[length:], data[:length])
	})
}

// unspool deals out the shuffled lines. Where places decide, they are those after
// the shuffle.
func (d *dealer) unspool() error {
	d.rule.Total = d.spool.sorter.Added()
	if d.rule.By == shard.Bytes {
		d.rule.Total = d.spool.bytes
	}
	err := d.spool.each(func(it *item, line, group []byte) error {
		n := d.placeDealt(it)
		d.dealt++
		d.dealtBytes += int64(len(line))
		return d.send(it, n, line, group)
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return errors.Join(err, d.flush())
}

// placeDealt is a line's shard where places are counted in what was dealt out.
func (d *dealer) placeDealt(it *item) int {
	switch {
	case it.shard != undecided:
		return it.shard
	case d.rule.By == shard.Hash:
		return d.rule.Of(it.key)
	case d.rule.By == shard.Bytes:
		return d.rule.At(d.dealtBytes)
	}
	return d.rule.At(d.dealt)
}
