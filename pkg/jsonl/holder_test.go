package jsonl

import (
	"path/filepath"
	"testing"
)

// An archive that nobody writes has no holder, and asking leaves no file. That of
// another process is seen in the scripts of gen status.
func TestHolderOfNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	for range 2 {
		if held, err := Holder(path); held != nil || err != nil {
			t.Errorf("%v, %v", held, err)
		}
		a, _, err := OpenAppend(path, AppendOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := filepath.Glob(path + "*"); len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}
