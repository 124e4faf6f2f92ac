//go:build unix

package jsonl

import (
	"math"

	"golang.org/x/sys/unix"
)

// openFileLimit is how many files the process may have open: the runtime has
// raised the soft limit as far as it may.
func openFileLimit() int {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 256
	}
	return int(min(uint64(limit.Cur), math.MaxInt32))
}
