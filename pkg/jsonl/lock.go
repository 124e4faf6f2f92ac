package jsonl

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// LockedError says that somebody else writes the file.
type LockedError struct {
	Path string
	PID  int    // 0 when unknown
	Host string // where the process runs, "" when here or unknown
}

func (e *LockedError) Error() string {
	by := "already"
	if e.PID > 0 {
		by = fmt.Sprintf("by process %d", e.PID)
	}
	if e.Host != "" {
		by += " on " + e.Host
	}
	return fmt.Sprintf("%q is being written %s", e.Path, by)
}

// lockFile is NAME.lock beside an archive: the archive itself cannot hold the
// lock, since readers may open and close it in this process, and because what
// holds it is to be read by people: process id and host.
type lockFile struct {
	f        *os.File
	path     string
	identity fs.FileInfo
}

func takeLock(path string) (*lockFile, error) {
	name := path + ".lock"
	f, err := openLocked(name, os.O_RDWR)
	if held := (*LockedError)(nil); errors.As(err, &held) {
		return nil, whoHolds(held, path, name)
	}
	if f != nil && err != nil {
		f.Close()
		return nil, fmt.Errorf("%w: an archive must not be written twice at once, and this file system cannot lock", err)
	}
	if err != nil {
		return nil, explainMissing(err, path)
	}
	host, _ := os.Hostname()
	text := fmt.Sprintf("%d %s\n", os.Getpid(), host)
	if err = f.Truncate(0); err == nil {
		_, err = f.WriteAt([]byte(text), 0)
	}
	identity, statErr := f.Stat()
	if err = errors.Join(err, statErr); err != nil {
		f.Close()
		return nil, err
	}
	return &lockFile{f, name, identity}, nil
}

// whoHolds completes held by what the lock file says.
func whoHolds(held *LockedError, path, name string) error {
	held.Path = path
	text, err := os.ReadFile(name)
	if err != nil {
		return held
	}
	var pid int
	var host string
	fmt.Sscan(string(text), &pid, &host)
	here, _ := os.Hostname()
	if host = strings.TrimSpace(host); host != "" && host != here {
		held.PID, held.Host = pid, host // the number the system gave is not of here
	}
	if held.PID == 0 {
		held.PID = pid
	}
	return held
}

// release removes the file before it lets go of it, so that whoever opened it
// meanwhile notices that it is gone. Another's file of the name stays.
func (l *lockFile) release() (err error) {
	if info, e := os.Stat(l.path); e == nil && os.SameFile(info, l.identity) {
		err = os.Remove(l.path)
	}
	if e := l.f.Close(); err == nil {
		err = e
	}
	return err
}

// Holder says who writes an archive now, in this moment; nil when nobody does, as
// far as the system knows. It takes no lock. A process must not ask about an
// archive that it writes itself.
func Holder(path string) (*LockedError, error) {
	name := path + ".lock"
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	held := &LockedError{PID: heldBy(f)}
	if held.PID == 0 {
		return nil, nil
	}
	whoHolds(held, path, name)
	return held, nil
}
