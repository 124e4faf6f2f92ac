package jsonl

import (
	"os"

	"golang.org/x/sys/unix"
)

// dataFile is a file whose Sync leaves out its times.
type dataFile struct{ *os.File }

func (f dataFile) Sync() error {
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	cerr := c.Control(func(fd uintptr) {
		for err = unix.Fdatasync(int(fd)); err == unix.EINTR; err = unix.Fdatasync(int(fd)) {
		}
	})
	if cerr != nil {
		return cerr
	}
	return os.NewSyscallError("fdatasync", err)
}
