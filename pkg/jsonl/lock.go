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
	host, _ := os.Hostname()
	l, err := claim(name, fmt.Sprintf("%d %s\n", os.Getpid(), host))
	if held := (*LockedError)(nil); errors.As(err, &held) {
		return nil, whoHolds(held, path, name)
	}
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, fmt.Errorf("%w: an archive must not be written twice at once, and this file system cannot lock", err)
	}
	if err != nil {
		return nil, explainMissing(err, path)
	}
	return l, nil
}

// Claim makes path a file of text that is this process's until release removes it.
// Errors: *LockedError while another process holds it; one that Is
// errors.ErrUnsupported where the file system cannot lock, and nothing was written.
func Claim(path, text string) (release func() error, err error) {
	l, err := claim(path, text)
	if err != nil {
		return nil, err
	}
	return l.release, nil
}

func claim(path, text string) (*lockFile, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("not a regular file")}
	}
	f, err := openLocked(path, os.O_RDWR)
	if err == nil {
		err = f.Truncate(0)
	}
	if err == nil {
		_, err = f.WriteAt([]byte(text), 0)
	}
	var identity fs.FileInfo
	if err == nil {
		identity, err = f.Stat()
	}
	if err == nil {
		return &lockFile{f, path, identity}, nil
	}
	if f != nil {
		if !errors.Is(err, errors.ErrUnsupported) { // it is ours, and says nothing
			os.Remove(path)
		}
		f.Close()
	}
	return nil, err
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
