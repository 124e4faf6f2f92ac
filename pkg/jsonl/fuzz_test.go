package jsonl

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"
)

// FuzzReader compares with the oracle, also through frames and members that
// are cut anywhere.
func FuzzReader(f *testing.F) {
	for i, s := range framings {
		f.Add([]byte(s), i, uint16(3*i))
	}
	f.Fuzz(func(t *testing.T, text []byte, at int, limit uint16) {
		o := Options{MaxLineBytes: int64(limit) + 1, Workers: 2}
		want := oracle(text, int(limit)+1)
		at = int(uint(at) % uint(len(text)+1))
		inputs := [][]byte{zstdOf(t, text[:at], text[at:]), gzipOf(t, text[:at], text[at:])}
		if kind := sniff(newInput(bytes.NewReader(text), nil)); kind == "" {
			inputs = append(inputs, text)
		}
		for _, in := range inputs {
			if got, err := mapAll(iotest.HalfReader(bytes.NewReader(in)), o); err != nil || !sameLines(got, want) {
				t.Errorf("Map of %q: %v, %v; want %v", in, got, err, want)
			}
			if got, err := readAll(iotest.OneByteReader(bytes.NewReader(in)), o); err != nil || !sameLines(got, want) {
				t.Errorf("Reader of %q: %v, %v; want %v", in, got, err, want)
			}
		}
	})
}

// FuzzDamage reads anything: it must end, and Map must agree with Reader.
func FuzzDamage(f *testing.F) {
	f.Add(zstdOf(f, []byte("1\n2\n"), nil, []byte("3\n")))
	f.Add(gzipOf(f, []byte("1\n2\n"), []byte("3\n")))
	for _, name := range []string{"cut-inside-a-frame.jsonl.zst", "long-31.jsonl.zst", "record-over-two-frames.jsonl.zst"} {
		f.Add(testFile(f, name))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		o := Options{MaxLineBytes: 1 << 20, MaxWindow: 1 << 20, Workers: 2}
		want, err1 := readAll(bytes.NewReader(in), o)
		got, err2 := mapAll(bytes.NewReader(in), o)
		if !sameLines(got, want) || (err1 == nil) != (err2 == nil) {
			t.Errorf("Map: %d lines, %v; Reader: %d lines, %v", len(got), err2, len(want), err1)
		}
	})
}

// FuzzAppender cuts an archive anywhere, mends it and appends.
func FuzzAppender(f *testing.F) {
	f.Add(shortLines(5), 40, 60, uint8(0))
	f.Add(shortLines(9), 10, 50, uint8(1))
	f.Add([]byte("1\n2\r\n\n{}"), 3, 30, uint8(2))
	dir := memDir(f)
	f.Fuzz(func(t *testing.T, text []byte, at, cut int, kind uint8) {
		if bytes.Contains(text, []byte("\xb5\x2f\xfd")) || bytes.Contains(text, []byte("\x1f\x8b")) {
			return // text that looks like a frame is no JSON
		}
		at = int(uint(at) % uint(len(text)+1))
		name, in := "a.jsonl", text
		switch kind % 3 {
		case 1:
			name, in = "a.jsonl.zst", zstdOf(t, text[:at], text[at:])
		case 2:
			name, in = "a.jsonl.gz", gzipOf(t, text[:at], text[at:])
		}
		if k := sniff(newInput(bytes.NewReader(text), nil)); k != "" {
			return
		}
		in = in[:int(uint(cut)%uint(len(in)+1))]
		lines := texts(oracle(text, 1<<30))
		path := filepath.Join(dir, name)
		write(t, path, in)
		os.Remove(path + ".torn")
		var seen []string
		a, _, err := OpenAppend(path, AppendOptions{Whole: json.Valid, Visit: func(l Line) error {
			seen = append(seen, string(l.Data))
			return nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		appendLines(t, a, `"new"`)
		got := linesOfFile(t, path)
		if n := len(got) - 1; n < 0 || got[n] != `"new"` || !equal(got[:n], seen) || !prefix(got[:n], lines) {
			t.Errorf("%q cut to %q: visited %q, then %q", text, in, seen, got)
		}
	})
}

// prefix reports that got begins want; its last line may be the beginning of a
// JSON text that is valid itself, like the number 12 of 123.
func prefix(got, want []string) bool {
	n := len(got)
	if n == 0 || n <= len(want) && equal(got, want[:n]) {
		return true
	}
	return n <= len(want) && equal(got[:n-1], want[:n-1]) && json.Valid([]byte(got[n-1]))
}
