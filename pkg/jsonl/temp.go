package jsonl

import (
	"fmt"
	"os"
)

// TempFile is a file without a name in dir, "" for the system's place ($TMPDIR): it
// is gone when it is closed, or when the process ends in whatever way. Where files
// must have a name it has one for a moment.
func TempFile(dir string) (*os.File, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	f, err := nameless(dir)
	if err != nil {
		if f, err = os.CreateTemp(dir, "thinkpipe-"); err == nil {
			os.Remove(f.Name()) // fails where open files keep their names
		}
	}
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	return f, nil
}
