package jsonl

import (
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

const (
	// A frame is decoded in one go when it has no more than this, compressed
	// and decoded; a larger one is decoded as a stream.
	maxFrameIn  = 8 << 20
	maxFrameOut = 16 << 20
	// maxBlock is what one block decodes to at most (RFC 8878, 3.1.1.2.3).
	maxBlock = 128 << 10
)

// frameScan finds the ends of zstd frames in a buffer that grows, by walking
// the block headers: nothing is decoded. It also bounds what they decode to,
// so that a few bytes cannot ask for gigabytes.
type frameScan struct {
	maxWindow uint64
	batch     int    // bytes of whole frames that are enough
	pos       int    // of the next header in the buffer
	whole     int    // end of the last whole frame
	ends      []int  // of all whole frames
	total     uint64 // most that the whole frames decode to
	open      bool   // pos is inside a frame
	skip      int64  // length of the skippable frame at pos that is not whole, or 0
	checksum  bool
	content   uint64 // frame content size, or noSize
	size      uint64 // most that the blocks before pos of the open frame decode to
}

// scan goes as far as b and the bounds allow. Its error is about the frame at
// s.whole.
func (s *frameScan) scan(b []byte) error {
	for !s.full() && !s.large() {
		before := s.pos
		var err error
		if s.open {
			err = s.block(b)
		} else {
			err = s.header(b)
		}
		if err != nil || s.pos == before {
			return err
		}
	}
	return nil
}

// full reports that the whole frames are enough for a piece.
func (s *frameScan) full() bool { return s.whole >= s.batch || s.total >= maxFrameOut }

// large reports that the open frame is too large to be decoded in one go.
func (s *frameScan) large() bool {
	return s.open && (s.size > maxFrameOut || s.content != noSize && s.content > maxFrameOut || s.pos-s.whole > maxFrameIn)
}

const noSize = ^uint64(0)

func (s *frameScan) header(b []byte) error {
	var h zstd.Header
	err := h.Decode(b[s.pos:])
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	if err == zstd.ErrMagicMismatch {
		return errors.New("there is no zstd frame")
	}
	if err != nil {
		return err
	}
	if h.Skippable {
		s.skippable(b, int64(h.HeaderSize)+int64(h.SkippableSize))
		return nil
	}
	if err := checkHeader(&h, s.maxWindow); err != nil {
		return err
	}
	s.open, s.checksum, s.size, s.content = true, h.HasCheckSum, 0, noSize
	if h.HasFCS {
		s.content = h.FrameContentSize
	}
	s.pos += h.HeaderSize
	return nil
}

// refusal is a sound frame that is not read.
type refusal struct{ why string }

func (e *refusal) Error() string { return e.why }

func checkHeader(h *zstd.Header, maxWindow uint64) error {
	window := h.WindowSize
	if h.SingleSegment {
		window = h.FrameContentSize
	}
	switch {
	case window > maxWindow:
		return &refusal{fmt.Sprintf("window of %d bytes is larger than --max-window %d", window, maxWindow)}
	case h.DictionaryID != 0:
		return &refusal{fmt.Sprintf("dictionary %d is needed", h.DictionaryID)}
	}
	return nil
}

func (s *frameScan) skippable(b []byte, size int64) {
	if int64(len(b)-s.pos) < size {
		s.skip = size
		return
	}
	s.skip = 0
	s.pos += int(size)
	s.whole = s.pos
	s.ends = append(s.ends, s.pos)
}

// block passes one block, and the frame's end if it is the last.
func (s *frameScan) block(b []byte) error {
	if len(b)-s.pos < 3 {
		return nil
	}
	h := blockAt(b[s.pos:])
	if h.reserved {
		return errors.New("there is a block of a reserved type")
	}
	end := s.pos + h.length(s.checksum)
	if len(b) < end {
		return nil
	}
	s.pos = end
	s.size += h.decoded
	if h.last {
		return s.end()
	}
	return nil
}

func (s *frameScan) end() error {
	if s.content != noSize && s.content > s.size {
		return fmt.Errorf("the frame claims %d bytes and its blocks hold %d at most", s.content, s.size)
	}
	s.open = false
	s.whole = s.pos
	s.ends = append(s.ends, s.pos)
	s.total += min(s.size, s.content)
	return nil
}

// cut forgets the whole frames, which are no longer in the buffer.
func (s *frameScan) cut() {
	s.pos -= s.whole
	s.whole, s.total, s.ends = 0, 0, s.ends[:0]
}

// restart begins anew after a frame that was not scanned to its end.
func (s *frameScan) restart() {
	*s = frameScan{maxWindow: s.maxWindow, batch: s.batch, ends: s.ends[:0]}
}

// blockHeader is the three bytes before a block (RFC 8878, 3.1.1.2).
type blockHeader struct {
	last     bool
	reserved bool
	stored   int    // bytes that follow
	decoded  uint64 // at most
}

func blockAt(b []byte) (h blockHeader) {
	v := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
	h.last = v&1 != 0
	h.stored = v >> 3
	h.decoded = uint64(v >> 3)
	switch v >> 1 & 3 {
	case 1: // one byte, repeated
		h.stored = 1
	case 2:
		h.decoded = maxBlock
	case 3:
		h.reserved = true
	}
	return h
}

// length is the block's with its header and, after the last one, the checksum.
func (h blockHeader) length(checksum bool) int {
	n := 3 + h.stored
	if h.last && checksum {
		n += 4
	}
	return n
}
