package jsonl

import (
	"container/list"

	"github.com/klauspost/compress/zstd"
)

const (
	// sharedBytes is what the writers of many files gather together, as long as
	// each may gather leastFrame or leastText: smaller ones cost too much.
	sharedBytes = 64 << 20
	leastFrame  = 64 << 10
	leastText   = 16 << 10
)

// Shared is what the writers of many files have together, in one goroutine: the
// goroutines that compress, memory, and file descriptors. Of each file frames are
// gathered, of 1 MiB at most, of 64 KiB at least when there are many; gzip comes in
// as many members. Files that were not written for long are closed, and opened
// again for more.
type Shared struct {
	*compressors
	writers int
	most    int       // files that may be open at once
	open    list.List // of *partialFile, the one that was written last in front
}

// NewShared starts no goroutine yet. Level and workers are as in [WriterOptions].
func NewShared(level, workers int) *Shared {
	return &Shared{compressors: newCompressors(level, workersOf(workers), frameBytes(level)), most: MostOpen()}
}

// MostOpen is how many of the files that are read or written in turn may be open at
// once: half of what the system lets the process have, 8 at least. The rest is for
// other inputs and outputs, and for syncing several at once.
func MostOpen() int { return max(openFileLimit()/2, 8) }

// Close ends the goroutines. Writers are closed before.
func (s *Shared) Close() { s.compressors.close() }

// SharedReader is what the readers of many files have together, in one goroutine: a
// zstd decoder, which would be 80 KiB for each, and the wish for small buffers.
// Its zero value is ready for use.
type SharedReader struct{ decoder *zstd.Decoder }

const (
	sharedInput = 4 << 10
	sharedBlock = 8 << 10
)

// zstd is the decoder of frames, made for the first who wants it.
func (s *SharedReader) zstd(maxWindow uint64) *zstd.Decoder {
	if s == nil {
		return newDecoder(maxWindow)
	}
	if s.decoder == nil {
		s.decoder = newDecoder(maxWindow)
	}
	return s.decoder
}

// share is how much one of the writers may gather.
func (s *Shared) share(most, least int) int {
	return min(most, max(least, sharedBytes/max(s.writers, 1)))
}
