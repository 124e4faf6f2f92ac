package jsonl

import (
	"io"
	"os"
	"runtime"
	"testing"
)

// TestTempFile: what is written can be read, and no name is there at any time where
// the system can do without.
func TestTempFile(t *testing.T) {
	dir := t.TempDir()
	f, err := TempFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := io.WriteString(f, "text"); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 4)
	if _, err := f.ReadAt(b, 0); err != nil || string(b) != "text" {
		t.Errorf("%q, %v", b, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if _, err := TempFile(dir + "/none"); err == nil {
		t.Error("a file in a folder that is not there")
	}
	if runtime.GOOS == "linux" {
		f, err := nameless(dir)
		if err != nil {
			t.Skip("this file system has no files without names: ", err)
		}
		f.Close()
	}
}
