package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// appendFrame is the most input of a frame of an archive.
const appendFrame = 4 << 20

// AppendOptions say how an archive is opened.
type AppendOptions struct {
	Options
	Level int // of zstd, as in [WriterOptions]
	// Whole reports whether a line of a tail, one without newline above all, is
	// complete (valid JSON) and may be kept. nil means that those with a newline are.
	Whole func(line []byte) bool
	// Visit is called with every whole line that the file holds, in order. Its
	// error ends OpenAppend.
	Visit func(Line) error
}

// Appender adds lines to the end of a file and makes them durable. It may be
// used by several goroutines; lines that are appended during a Sync wait for
// the next one. Its first error is returned by every later call.
type Appender struct {
	path     string
	identity fs.FileInfo // of the file that was opened at path
	lock     *lockFile

	mu     sync.Mutex
	f      durable
	pack   func(dst, lines []byte) []byte // lines as a frame, a member, or themselves
	buf    []byte                         // lines of the frame to come
	frame  []byte
	size   int64 // of the file, which ends with a whole frame
	synced int64 // of what is durable
	err    error
}

// durable is what an Appender needs of its file.
type durable interface {
	Write(p []byte) (int, error) // at the end
	Sync() error
	Truncate(size int64) error
	Close() error
}

// OpenAppend opens or creates path for appending under a lock (path.lock, gone
// after Close; on Linux of the file, too, whatever its name), keeps the container found there (a new file gets the one of its
// name), and mends what a crash left at the end: a torn tail is cut off by bytes
// into path.torn, after its whole lines were read; these are written again. A
// last line without newline that is Whole gets its newline. torn is nil when
// nothing was cut.
//
// Errors: *LockedError; a *DamageError when what is damaged is no tail, since
// whole frames follow, or cannot be read (a window over MaxWindow, a read
// error), and then the file is left as it is; path is not a regular file.
func OpenAppend(path string, o AppendOptions) (a *Appender, torn *Torn, err error) {
	target, err := appendTarget(path)
	if err != nil {
		return nil, nil, err
	}
	lock, err := takeLock(target)
	if err != nil {
		return nil, nil, err
	}
	a = &Appender{path: target, lock: lock}
	torn, err = a.open(path, o)
	if err != nil {
		return nil, nil, errors.Join(err, lock.release())
	}
	return a, torn, nil
}

// appendTarget follows symlinks and refuses what cannot be appended to durably.
func appendTarget(path string) (string, error) {
	target, err := Target(path)
	if target == "" && err == nil {
		err = &fs.PathError{Op: "append", Path: path, Err: errors.New("not a regular file")}
	}
	return target, err
}

func (a *Appender) open(name string, o AppendOptions) (*Torn, error) {
	_, err := os.Stat(a.path)
	isNew := errors.Is(err, fs.ErrNotExist)
	f, err := os.OpenFile(a.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, err
	}
	a.f = dataFile{f}
	if a.identity, err = f.Stat(); err == nil {
		err = lockData(f)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	if isNew {
		err = syncDir(Folder(a.path))
	}
	var torn *Torn
	if err == nil {
		torn, err = a.recover(f, name, o)
	}
	if err != nil {
		f.Close()
	}
	return torn, err
}

// packer is how lines are put into a container.
func packer(format Format, zstdLevel int) func(dst, lines []byte) []byte {
	switch format {
	case Zstd:
		e := newEncoder(zstdLevel, appendFrame)
		return func(dst, lines []byte) []byte { return e.EncodeAll(lines, dst) }
	case Gzip:
		return newMembers()
	}
	return func(dst, lines []byte) []byte { return append(dst, lines...) }
}

// newMembers is a function that makes members of gzip, with one compressor.
func newMembers() func(dst, lines []byte) []byte {
	z := gzip.NewWriter(nil)
	return func(dst, lines []byte) []byte {
		b := bytes.NewBuffer(dst)
		z.Reset(b)
		z.Write(lines) // a bytes.Buffer takes everything
		z.Close()
		return b.Bytes()
	}
}

// Append adds one line; a newline is added. It is durable after the next Sync.
// A line that holds a newline is refused, and nothing happens.
func (a *Appender) Append(line []byte) error {
	if bytes.IndexByte(line, '\n') >= 0 {
		return fmt.Errorf("append to %q: line holds a newline", a.path)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err != nil {
		return a.err
	}
	a.buf = append(append(a.buf, line...), '\n')
	if len(a.buf) >= appendFrame {
		return a.endFrame()
	}
	return nil
}

// endFrame writes what was gathered; a.mu is held.
func (a *Appender) endFrame() error {
	if a.err != nil || len(a.buf) == 0 {
		return a.err
	}
	frame := a.pack(a.frame[:0], a.buf)
	a.buf, a.frame = kept(a.buf), kept(frame)
	return a.write(frame)
}

// write adds a whole frame to the file, or leaves the file without it.
func (a *Appender) write(frame []byte) error {
	if err := writeAll(a.f, frame); err != nil {
		return a.fail(err, a.size)
	}
	a.size += int64(len(frame))
	return nil
}

// fail keeps err and cuts the file back to where it is sound. Should that not
// succeed, the next OpenAppend finds a torn tail.
func (a *Appender) fail(err error, sound int64) error {
	a.err = err
	if a.f.Truncate(sound) == nil {
		a.size = sound
		a.f.Sync()
	}
	return err
}

// Sync ends the frame and fsyncs. Frames also end at 4 MiB. That somebody moved, cut
// or removed the file, or its lock, is an error: what was written is in no file that
// the next run would find, or another run writes there, too.
func (a *Appender) Sync() error {
	a.mu.Lock()
	err := a.endFrame()
	size, synced := a.size, a.synced
	a.mu.Unlock()
	if err != nil || size == synced {
		return err
	}
	err = a.f.Sync()
	a.mu.Lock()
	defer a.mu.Unlock()
	if err != nil {
		return a.fail(err, a.synced) // what the disk holds beyond is unknown
	}
	if err := a.misplaced(); err != nil && a.err == nil {
		a.err = err
	}
	if a.err != nil {
		return a.err
	}
	a.synced = max(a.synced, size)
	return a.err
}

// misplaced says that the file, or its lock, is no longer where it was opened, or
// that the file is shorter than what was written.
func (a *Appender) misplaced() error {
	info, err := os.Stat(a.path)
	if err != nil || !os.SameFile(info, a.identity) {
		return fmt.Errorf("%q was moved, removed or replaced while it was written", a.path)
	}
	if info.Size() < a.size {
		return fmt.Errorf("%q was cut to %d bytes or less while it was written: what stood there is lost", a.path, info.Size())
	}
	if info, err := os.Stat(a.lock.path); err != nil || !os.SameFile(info, a.lock.identity) {
		return fmt.Errorf("%q was removed while the archive was written: another run may write it, too", a.lock.path)
	}
	return nil
}

// Close syncs, closes and unlocks.
func (a *Appender) Close() error {
	if a.lock == nil {
		return os.ErrClosed
	}
	a.mu.Lock()
	if a.size == 0 && len(a.buf) == 0 && a.err == nil {
		a.write(a.pack(nil, nil)) // an empty archive is one that its tools accept
	}
	a.mu.Unlock()
	err := a.Sync()
	a.end()
	if e := a.f.Close(); err == nil {
		err = e
	}
	if e := a.lock.release(); err == nil {
		err = e
	}
	a.lock = nil
	return err
}

// end refuses what is appended after Close.
func (a *Appender) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		a.err = os.ErrClosed
	}
}
