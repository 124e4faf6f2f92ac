package cmdline

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// MakeFolder makes the folder that an output is to stand in, and those above it.
// What nothing was left in when the command ends is not there any more.
func (s *Session) MakeFolder(path string) error {
	folder := jsonl.Folder(path)
	for dir := folder; isMissing(dir); dir = jsonl.Folder(dir) {
		s.folders = append(s.folders, dir)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("make the folder of %s: %w", Quote(path), err)
	}
	return nil
}

func isMissing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// leaveFolders removes folders of MakeFolder that are empty, the inner ones first.
func (s *Session) leaveFolders() {
	slices.SortFunc(s.folders, func(a, b string) int { return len(b) - len(a) })
	for _, folder := range s.folders {
		os.Remove(folder) // what is in it keeps it
	}
}
