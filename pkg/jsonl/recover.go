package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/klauspost/compress/gzip"
)

// Torn says what a crash left at the end of a file and where it went.
type Torn struct {
	Bytes int64  // cut off the file
	File  string // NAME.torn, where they were appended
	Lines int64  // whole lines among them, which were written again
}

// survey is what a pass over an archive found.
type survey struct {
	format Format
	size   int64 // of the file
	keep   int64 // bytes that are sound and end with a line
	open   bool  // the last line is whole but for its newline
}

// recover visits the lines of f and leaves the file ready for appending.
func (a *Appender) recover(f *os.File, name string, o AppendOptions) (*Torn, error) {
	s, err := surveyFile(f, name, o)
	if err != nil {
		return nil, err
	}
	a.pack = packer(s.format, o.Level)
	a.size, a.synced = s.size, s.size
	var torn *Torn
	if s.keep < s.size {
		if torn, err = a.cutTail(f, s, o); err != nil {
			return nil, err
		}
	}
	if s.open {
		err = a.write(a.pack(nil, newline))
	}
	return torn, errors.Join(err, a.Sync())
}

func surveyFile(f *os.File, name string, o AppendOptions) (s survey, err error) {
	fi, err := f.Stat()
	if err != nil {
		return s, err
	}
	s.size = fi.Size()
	r := NewReader(f, name, o.Options)
	defer r.Close()
	damage, err := s.visit(r, o)
	if err != nil {
		return s, err
	}
	s.judge(r, f.Name())
	if damage == nil {
		return s, nil
	}
	if !damage.tail {
		return s, damage
	}
	return s, s.checkTail(f, damage, o)
}

// visit tells o.Visit every whole line, and returns how reading ended.
func (s *survey) visit(r *Reader, o AppendOptions) (*DamageError, error) {
	for {
		l, err := r.Read()
		if d := (*DamageError)(nil); errors.As(err, &d) {
			return d, nil
		}
		if err != nil {
			return nil, nil // io.EOF
		}
		if r.unterminated() {
			if l.TooLong || o.Whole == nil || !o.Whole(l.Data) {
				continue
			}
			s.open = true
		}
		if o.Visit == nil {
			continue
		}
		if err := o.Visit(l); err != nil {
			return nil, err
		}
	}
}

// judge finds what can be kept after r was read to its end.
func (s *survey) judge(r *Reader, path string) {
	s.keep = r.stream.mark()
	switch r.stream.(type) {
	case *textStream:
		s.format = Plain
		s.keep = s.size
		if r.lines.torn {
			s.keep = r.lines.tail
		}
	case *pieceStream:
		s.format = Zstd
	case *gzipStream:
		s.format = Gzip
	}
	if s.open || r.err == io.EOF && !r.lines.torn {
		s.keep = s.size
	}
	if s.keep == 0 && r.lines.tail == 0 {
		s.format = FormatOf(path)
	}
}

// checkTail makes sure that the damage is at the end of the file: when a whole
// frame follows, cutting would lose it.
func (s *survey) checkTail(f *os.File, damage *DamageError, o AppendOptions) error {
	at, err := findFrame(f, s.format, damage.at+1, o)
	if err != nil {
		return err
	}
	if at >= 0 {
		damage.Err = fmt.Errorf("%w; it is not at the end of the file, since a whole frame follows at byte %d, so that nothing was cut", damage.Err, at)
		return damage
	}
	return nil
}

// findFrame is where the first whole frame with content begins at or after at,
// -1 when there is none.
func findFrame(f *os.File, format Format, at int64, o AppendOptions) (int64, error) {
	magic := "\x28\xb5\x2f\xfd"
	whole := wholeZstd
	if format == Gzip {
		magic, whole = "\x1f\x8b\x08", wholeGzip
	}
	for ; ; at++ {
		n, err := indexFrom(f, magic, at)
		if n < 0 || err != nil {
			return -1, err
		}
		if at = n; whole(newInput(io.NewSectionReader(f, at, math.MaxInt64-at), nil), o.Options.withDefaults()) {
			return at, nil
		}
	}
}

func wholeZstd(in *input, o Options) bool {
	split := newFrameSplitter(in, o, 1)
	d := newDecoder(o.MaxWindow)
	var p piece
	n := 0
	for p.err == nil && p.end == 0 {
		split.next(&p)
		p.decode(d)
		n += len(p.out)
	}
	return p.err == nil && n > 0
}

func wholeGzip(in *input, _ Options) bool {
	z, err := gzip.NewReader(in.Reader)
	if err != nil {
		return false
	}
	z.Multistream(false)
	n, err := io.Copy(io.Discard, z)
	return err == nil && n > 0
}

// cutTail moves everything after s.keep to the torn file, and writes its whole
// lines again. The bytes are safe there before they are cut here.
func (a *Appender) cutTail(f *os.File, s survey, o AppendOptions) (*Torn, error) {
	torn := &Torn{Bytes: s.size - s.keep, File: a.path + ".torn"}
	t, err := os.OpenFile(torn.File, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	fi, err := t.Stat()
	if err != nil {
		return nil, err
	}
	if err := saveTail(t, io.NewSectionReader(f, s.keep, torn.Bytes), a.path); err != nil {
		t.Truncate(fi.Size())
		return nil, err
	}
	if err := f.Truncate(s.keep); err != nil {
		return nil, err
	}
	a.size, a.synced = s.keep, s.keep
	if s.format != Plain {
		torn.Lines, err = a.rescue(io.NewSectionReader(t, fi.Size(), torn.Bytes), o)
	}
	return torn, errors.Join(err, a.f.Sync())
}

func saveTail(t *os.File, tail io.Reader, path string) error {
	if _, err := io.Copy(t, tail); err != nil {
		return err
	}
	if err := t.Sync(); err != nil {
		return err
	}
	return syncDir(Folder(path))
}

// rescue appends the whole lines of a tail that was cut off, but for those that are
// none of an archive's: text that something else added behind a container.
func (a *Appender) rescue(tail io.Reader, o AppendOptions) (n int64, err error) {
	o.MaxLineBytes = math.MaxInt64 // it was written once
	r := NewReader(tail, a.path, o.Options)
	defer r.Close()
	for {
		l, err := r.Read()
		if err != nil || r.unterminated() {
			return n, nil // the damage that is being mended
		}
		if o.Whole != nil && !o.Whole(l.Data) {
			continue
		}
		if err := a.Append(l.Data); err != nil {
			return n, err
		}
		n++
	}
}

// indexFrom is where s stands in f at or after at, -1 when nowhere.
func indexFrom(f io.ReaderAt, s string, at int64) (int64, error) {
	buf := make([]byte, 256<<10)
	for {
		n, err := f.ReadAt(buf, at)
		if i := bytes.Index(buf[:n], []byte(s)); i >= 0 {
			return at + int64(i), nil
		}
		if err == io.EOF {
			return -1, nil
		}
		if err != nil {
			return -1, err
		}
		at += int64(n - len(s) + 1)
	}
}
