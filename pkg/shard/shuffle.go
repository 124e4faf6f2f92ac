package shard

import (
	"crypto/sha256"
	"encoding/binary"
)

// ShuffleKey is where a shuffle puts the line at a position, from 0, of its input:
// lines are sorted by the first 8 bytes of sha256 of the seed and the position,
// each as 8 bytes big-endian, then by position. It depends on nothing else.
func ShuffleKey(seed, position int64) Key {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], uint64(seed))
	binary.BigEndian.PutUint64(b[8:], uint64(position))
	sum := sha256.Sum256(b[:])
	return Key{binary.BigEndian.Uint64(sum[:8]), uint64(position)}
}
