package jsonl

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

// frameReader is the bytes of one frame: the decoder must not read on, so that
// the frame's end is known and what follows is cut into pieces again. It also
// keeps whether the input was cut, which the decoder takes for a clean end at
// some places (klauspost/compress issue 1128).
type frameReader struct {
	head     []byte // the frame's beginning, read already
	in       *input
	checksum bool
	n        int64   // bytes given
	header   [3]byte // of the current block
	queued   []byte  // the part of header that was not given yet
	left     int     // bytes of the block, or of the frame's header
	last     bool    // this is the last block
	cut      bool    // the input ended inside the frame
}

// newFrameReader begins a frame whose header is whole in head.
func newFrameReader(head []byte, in *input, checksum bool) *frameReader {
	var h zstd.Header
	if err := h.Decode(head); err != nil {
		panic("jsonl: header of a frame that was scanned: " + err.Error())
	}
	return &frameReader{head: head, in: in, checksum: checksum, left: h.HeaderSize}
}

func (r *frameReader) Read(p []byte) (n int, err error) {
	if len(r.queued) == 0 && r.left == 0 {
		if r.last {
			return 0, io.EOF
		}
		if err := r.nextBlock(); err != nil {
			return 0, err
		}
	}
	if len(r.queued) > 0 {
		n = copy(p, r.queued)
		r.queued = r.queued[n:]
	} else {
		n, err = r.take(p[:min(len(p), r.left)])
		r.left -= n
	}
	r.n += int64(n)
	return n, err
}

func (r *frameReader) nextBlock() error {
	for i := 0; i < len(r.header); {
		n, err := r.take(r.header[i:])
		if err != nil {
			return err
		}
		i += n
	}
	h := blockAt(r.header[:])
	r.queued = r.header[:]
	r.left = h.length(r.checksum) - len(r.header)
	r.last = h.last
	return nil
}

// take reads from what is there already, then from the input.
func (r *frameReader) take(p []byte) (int, error) {
	if len(r.head) > 0 {
		n := copy(p, r.head)
		r.head = r.head[n:]
		return n, nil
	}
	n, err := r.in.Read(p)
	if err == io.EOF {
		r.cut = true
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
