package jsonl

import (
	"os"

	"golang.org/x/sys/unix"
)

// nameless opens a file that has never had a name; not every file system can.
func nameless(dir string) (*os.File, error) {
	return os.OpenFile(dir, os.O_RDWR|unix.O_TMPFILE, 0o600)
}
