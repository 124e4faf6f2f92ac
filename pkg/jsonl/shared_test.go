package jsonl

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestManyFiles: files that are written in turn are whole, however few may be open.
func TestManyFiles(t *testing.T) {
	for _, suffix := range []string{"", ".zst", ".gz"} {
		dir := t.TempDir()
		shared := NewShared(0, 2)
		shared.most = 3
		files := make([]*File, 20)
		want := make([]strings.Builder, len(files))
		for i := range files {
			var err error
			path := filepath.Join(dir, fmt.Sprint(i)+suffix)
			if files[i], err = Create(path, WriterOptions{Format: FormatOf(path), Shared: shared}); err != nil {
				t.Fatal(err)
			}
		}
		for n := range 40 {
			for i, f := range files[1:] { // one stays empty
				line := strings.Repeat(fmt.Sprint(n, i, " "), 1000) + "\n"
				want[i+1].WriteString(line)
				if _, err := f.Write([]byte(line)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if shared.open.Len() > shared.most {
			t.Errorf("%d files are open", shared.open.Len())
		}
		for _, f := range files {
			if err := f.Writer.Close(); err != nil {
				t.Fatal(err)
			}
		}
		shared.Close()
		for i, f := range files {
			if err := f.Commit(); err != nil {
				t.Fatal(err)
			}
			if got := uncompressed(t, f.target); got != want[i].String() {
				t.Errorf("%s: %d bytes, want %d", f.target, len(got), want[i].Len())
			}
		}
		if shared.open.Len() != 0 {
			t.Errorf("%d files are still open", shared.open.Len())
		}
	}
}

func uncompressed(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(Decompress(f, path, Options{}))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestFileThatChangedMeanwhile: while a file is closed it has no lock.
func TestFileThatChangedMeanwhile(t *testing.T) {
	f := func(change func(path string)) {
		t.Helper()
		dir := t.TempDir()
		shared := NewShared(0, 1)
		defer shared.Close()
		shared.most = 1
		var files []*File
		for _, name := range []string{"a", "b"} {
			file, err := Create(filepath.Join(dir, name), WriterOptions{Shared: shared})
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
			file.Write([]byte("line\n"))
			if err := file.Flush(); err != nil {
				t.Fatal(err)
			}
		}
		change(filepath.Join(dir, "a.partial"))
		if err := files[0].Commit(); err == nil || !strings.Contains(err.Error(), "changed the file") {
			t.Errorf("the changed one: %v", err)
		}
		if err := files[1].Commit(); err != nil {
			t.Errorf("the other: %v", err)
		}
	}
	f(func(path string) { os.Truncate(path, 0) })
	f(func(path string) { write(t, path, []byte("others")) })
	f(func(path string) {
		os.Remove(path)
		write(t, path, []byte("line\nline\n"))
	})
}

// TestShare: what many gather together is bounded, as long as each gets enough.
func TestShare(t *testing.T) {
	f := func(writers, want int) {
		t.Helper()
		s := Shared{writers: writers}
		if got := s.share(frameFast, leastFrame); got != want {
			t.Errorf("%d writers: %d bytes each, want %d", writers, got, want)
		}
	}
	f(1, 1<<20)
	f(64, 1<<20)
	f(128, 1<<19)
	f(10000, 64<<10)
}

// TestSharedReader: what readers in turn say of their files, damaged ones among
// them, is what each says alone.
func TestSharedReader(t *testing.T) {
	good := zstdOf(t, someLines(300), shortLines(2000), someLines(50))
	inputs := [][]byte{good, shortLines(500), gzipOf(t, shortLines(900)), good[:len(good)*2/3], good}
	for i := range 40 { // nearly every bit that flips is noticed
		flipped := bytes.Clone(good)
		flipped[(i+1)*len(good)/42] ^= 0x10
		inputs = append(inputs, flipped)
	}
	var shared SharedReader
	readers := make([]*Reader, len(inputs))
	got := make([][]Line, len(inputs))
	errs := make([]error, len(inputs))
	for i, in := range inputs {
		readers[i] = NewReader(bytes.NewReader(in), "in", Options{Shared: &shared})
	}
	for left := len(inputs); left > 0; {
		for i, r := range readers {
			if errs[i] != nil {
				continue
			}
			var line Line
			if line, errs[i] = r.Read(); errs[i] != nil {
				left--
				continue
			}
			line.Data = bytes.Clone(line.Data)
			got[i] = append(got[i], line)
		}
	}
	for i, in := range inputs {
		want, err := readAll(bytes.NewReader(in), Options{})
		if !sameLines(got[i], want) {
			t.Errorf("input %d: %d lines, alone %d", i, len(got[i]), len(want))
		}
		if errs[i] == io.EOF && err == nil {
			continue
		}
		if err == nil || errs[i].Error() != err.Error() {
			t.Errorf("input %d: %v, alone %v", i, errs[i], err)
		}
	}
}
