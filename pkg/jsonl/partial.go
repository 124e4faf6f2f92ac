package jsonl

import (
	"container/list"
	"errors"
	"io/fs"
	"os"
)

// partialFile is an output that has not its name yet, under a lock. With others it
// may be closed while it waits for more, and then loses its lock: whether it is
// still the same is looked at when it is opened again.
type partialFile struct {
	path   string
	f      *os.File // nil while closed
	size   int64
	shared *Shared // nil for a file that stays open
	in     *list.Element
	is     fs.FileInfo
}

// createPartial opens and locks path.partial, empty.
func createPartial(path string, shared *Shared) (*partialFile, error) {
	p := &partialFile{path: path + PartialSuffix, shared: shared}
	if err := p.open(os.O_WRONLY); err != nil {
		return nil, err
	}
	err := p.f.Truncate(0)
	if err == nil {
		p.is, err = p.f.Stat()
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	if fi, err := os.Stat(path); err == nil {
		p.f.Chmod(fi.Mode().Perm()) // a file that is replaced keeps its permissions
	}
	return p, nil
}

// open opens and locks the file, and closes another where too many are open.
func (p *partialFile) open(flag int) error {
	if p.shared != nil && p.shared.open.Len() >= p.shared.most {
		oldest := p.shared.open.Back().Value.(*partialFile)
		if err := oldest.Close(); err != nil {
			return err
		}
	}
	f, err := openLocked(p.path, flag)
	if held := (*LockedError)(nil); errors.As(err, &held) {
		held.Path = p.path[:len(p.path)-len(PartialSuffix)]
	}
	if err != nil && !errors.Is(err, errors.ErrUnsupported) { // a lock is a courtesy here
		return err
	}
	p.f = f
	if p.shared != nil {
		p.in = p.shared.open.PushFront(p)
	}
	return nil
}

// use makes sure that the file is open.
func (p *partialFile) use() error {
	if p.f != nil {
		if p.in != nil {
			p.shared.open.MoveToFront(p.in)
		}
		return nil
	}
	if err := p.open(os.O_WRONLY | os.O_APPEND); err != nil {
		return err
	}
	if fi, err := p.f.Stat(); err != nil || !os.SameFile(fi, p.is) || fi.Size() != p.size {
		p.Close()
		return errors.Join(err, &fs.PathError{Op: "write", Path: p.path, Err: errors.New("somebody else changed the file meanwhile")})
	}
	return nil
}

// Write implements io.Writer.
func (p *partialFile) Write(b []byte) (int, error) {
	if err := p.use(); err != nil {
		return 0, err
	}
	n, err := p.f.Write(b)
	p.size += int64(n)
	return n, err
}

// Sync makes durable what was written. It may be called for several files at once.
func (p *partialFile) Sync() error {
	if p.f != nil {
		return p.f.Sync()
	}
	f, err := os.OpenFile(p.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = f.Sync()
	return errors.Join(err, f.Close())
}

// Close closes the file until use.
func (p *partialFile) Close() error {
	if p.f == nil {
		return nil
	}
	if p.in != nil {
		p.shared.open.Remove(p.in)
		p.in = nil
	}
	f := p.f
	p.f = nil
	return f.Close()
}
