//go:build unix

package jsonl

import (
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// openLocked opens or creates path and locks it; a *LockedError when somebody
// else holds it. Where the file system cannot lock, an error that Is
// errors.ErrUnsupported comes with the file. Whoever held it may have renamed or
// removed the file between open and lock, so that it is opened again until it
// is the one of that name.
func openLocked(path string, flag int) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, flag|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		err = lock(f)
		if errors.Is(err, errors.ErrUnsupported) {
			return f, err
		}
		if err != nil {
			f.Close()
			return nil, err
		}
		if isAt(f, path) {
			return f, nil
		}
		f.Close()
	}
}

func isAt(f *os.File, path string) bool {
	a, err1 := f.Stat()
	b, err2 := os.Stat(path)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}

// lock takes two record locks (fcntl(2)), which work between the nodes of a
// network file system and end with the process. Byte 0 belongs to the open file,
// where the system can do that, and so keeps this process out as well; byte 1
// belongs to the process, and tells others its id.
func lock(f *os.File) error {
	var err error
	c, e := f.SyscallConn()
	if e != nil {
		return e
	}
	if e := c.Control(func(fd uintptr) { err = lockFD(fd, f.Name()) }); e != nil {
		return e
	}
	return err
}

// lockData locks the archive itself, too, where the system lets a lock belong to an
// open file: by another name of it, a hard link's, it has another lock file. Where
// that cannot be had, the lock file is all there is.
func lockData(f *os.File) error {
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	file := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: 0, Len: 1}
	var failed error
	if err := c.Control(func(fd uintptr) { failed = unix.FcntlFlock(fd, lockOpenFile, &file) }); err != nil {
		return err
	}
	if errors.Is(failed, unix.EAGAIN) || errors.Is(failed, unix.EACCES) {
		return &LockedError{Path: f.Name()}
	}
	return nil
}

func lockFD(fd uintptr, path string) error {
	file := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: 0, Len: 1}
	err := unix.FcntlFlock(fd, lockOpenFile, &file)
	if err == nil || errors.Is(err, unix.EINVAL) {
		process := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: 1, Len: 1}
		err = unix.FcntlFlock(fd, unix.F_SETLK, &process)
	}
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EACCES) {
		return &LockedError{Path: path, PID: holder(fd)}
	}
	if errors.Is(err, unix.ENOLCK) { // some say this, others ENOSYS or EOPNOTSUPP
		err = unix.EOPNOTSUPP
	}
	if err != nil {
		return &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return nil
}

// heldBy is the process that holds the lock of an open file, 0 when nobody does.
func heldBy(f *os.File) (pid int) {
	c, err := f.SyscallConn()
	if err != nil || c.Control(func(fd uintptr) { pid = holder(fd) }) != nil {
		return 0
	}
	return pid
}

// holder is the process that holds the lock, 0 when unknown.
func holder(fd uintptr) int {
	l := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart, Start: 1, Len: 1}
	if err := unix.FcntlFlock(fd, unix.F_GETLK, &l); err != nil || l.Type == unix.F_UNLCK || l.Pid <= 0 {
		return 0
	}
	return int(l.Pid)
}

func isInvalid(err error) bool { return errors.Is(err, unix.EINVAL) }
