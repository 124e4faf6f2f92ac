//go:build unix

package jsonl

import (
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// poller returns a function that reports whether reading f would return within
// d: data, the end, or an error are there. It is nil when f cannot be polled.
func poller(f *os.File) func(d time.Duration) bool {
	c, err := f.SyscallConn()
	if err != nil {
		return nil
	}
	return func(d time.Duration) bool {
		ready := true
		err := c.Control(func(fd uintptr) {
			p := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			n, err := unix.Poll(p, int(d/time.Millisecond))
			ready = n > 0 || err != nil && err != unix.EINTR
		})
		return ready || err != nil
	}
}
