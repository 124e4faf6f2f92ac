package jsonl

import (
	"errors"
	"fmt"
	"io"
)

// DamageError ends an input that is cut or corrupt, after its whole lines.
type DamageError struct {
	Pos         // of the first line that could not be read whole
	Kind string // "zstd", "gzip", "read", or the name of a format that is not read
	Err  error  // what the decoder said, in plain words
	tail bool   // a crash while writing may have left this,
	at   int64  // in the frame that begins here in the compressed input
}

// Error is "file:line: kind: cause".
func (e *DamageError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s: %v", e.File, e.Kind, e.Err)
	}
	return fmt.Sprintf("%s: %s: %v", e.Pos, e.Kind, e.Err)
}

// Unwrap is the cause; it is io.ErrUnexpectedEOF for input that is cut.
func (e *DamageError) Unwrap() error { return e.Err }

// streamError is what a stream returns instead of a clean end; the splitter
// makes a DamageError of it, since only it knows the line.
type streamError struct {
	kind string
	err  error
	tail bool  // as in DamageError
	at   int64 // likewise
}

func (e *streamError) Error() string { return e.kind + ": " + e.err.Error() }
func (e *streamError) Unwrap() error { return e.err }

func damageAt(pos Pos, err error) *DamageError {
	var d *DamageError
	if errors.As(err, &d) { // of a source that reads others
		return d
	}
	var s *streamError
	if errors.As(err, &s) {
		return &DamageError{Pos: pos, Kind: s.kind, Err: s.err, tail: s.tail, at: s.at}
	}
	return &DamageError{Pos: pos, Kind: "read", Err: err}
}

// cutError is a compressed stream that ends too early.
func cutError(kind, unit string, at int64) error {
	return &streamError{kind, fmt.Errorf("input is cut: it ends inside the %s that begins at compressed byte %d: %w", unit, at, io.ErrUnexpectedEOF), true, at}
}

// corruptError is a compressed stream that cannot be decoded.
func corruptError(kind, unit string, at int64, err error) error {
	return &streamError{kind, fmt.Errorf("input is corrupt: %w in the %s that begins at compressed byte %d", err, unit, at), true, at}
}
