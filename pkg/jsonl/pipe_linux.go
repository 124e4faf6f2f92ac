package jsonl

import (
	"os"

	"golang.org/x/sys/unix"
)

// pipeBytes is the largest pipe that needs no privilege (pipe(7)).
const pipeBytes = 1 << 20

// growPipe makes a pipe's buffer large: with 64 KiB a chain of filters runs at
// half speed. Best effort; anything but a pipe refuses.
func growPipe(f *os.File) {
	c, err := f.SyscallConn()
	if err != nil {
		return
	}
	c.Control(func(fd uintptr) {
		n, err := unix.FcntlInt(fd, unix.F_GETPIPE_SZ, 0)
		if err == nil && n < pipeBytes {
			unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeBytes)
		}
	})
}
