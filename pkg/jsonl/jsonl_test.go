package jsonl

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// readAll is the lines of r and how they ended.
func readAll(r io.Reader, o Options) (lines []Line, err error) {
	rd := NewReader(r, "in", o)
	defer rd.Close()
	for {
		l, err := rd.Read()
		if err == io.EOF {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
		l.Data = bytes.Clone(l.Data)
		lines = append(lines, l)
	}
}

// mapAll is the same through Map.
func mapAll(r io.Reader, o Options) (lines []Line, err error) {
	src := Source{Name: "in", Open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
	worker := func() func(*Block) {
		return func(b *Block) {
			var ls []Line
			for l := range b.Lines() {
				l.Data = bytes.Clone(l.Data)
				ls = append(ls, l)
			}
			b.Value = ls
		}
	}
	err = Map(context.Background(), []Source{src}, o, worker, func(b *Block) error {
		lines = append(lines, b.Value.([]Line)...)
		return nil
	})
	return lines, err
}

func texts(lines []Line) []string {
	var s []string
	for _, l := range lines {
		s = append(s, string(l.Data))
	}
	return s
}

// someLines is n lines of different lengths, with their newlines.
func someLines(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "{\"id\":%d,\"text\":%q}\n", i, strings.Repeat("lorem ipsum ", i*7%50))
	}
	return b.Bytes()
}

// shortLines is n lines, for cutting everywhere.
func shortLines(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "{\"id\":%d,\"a\":\"%x\"}\n", i, i*i*977)
	}
	return b.Bytes()
}

// memDir is a temporary folder, in memory if there is one, where fsync is quick.
func memDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "jsonl")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func zstdOf(t testing.TB, parts ...[]byte) []byte {
	t.Helper()
	e := newEncoder(1, frameFast)
	var out []byte
	for _, p := range parts {
		out = e.EncodeAll(p, out)
	}
	return out
}

func gzipOf(t testing.TB, parts ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, p := range parts {
		z := gzip.NewWriter(&b)
		z.Write(p)
		z.Close()
	}
	return b.Bytes()
}

func testFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestContainers(t *testing.T) {
	text := someLines(6000)
	half := len(text) / 2
	want := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	f := func(name string, in []byte) {
		t.Helper()
		for how, read := range map[string]func(io.Reader, Options) ([]Line, error){"Reader": readAll, "Map": mapAll} {
			lines, err := read(bytes.NewReader(in), Options{})
			if err != nil {
				t.Errorf("%s, %s: %v", name, how, err)
			}
			if got := texts(lines); len(got) != len(want) || strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("%s, %s: %d lines, want %d, or others", name, how, len(got), len(want))
			}
			if last := lines[len(lines)-1]; last.Line != int64(len(want)) || last.Offset != int64(len(text)-len(want[len(want)-1])-1) {
				t.Errorf("%s, %s: last line is at %v, offset %d", name, how, last.Pos, last.Offset)
			}
		}
	}
	f("plain", text)
	f("one frame", zstdOf(t, text))
	f("two frames, cut inside a line", zstdOf(t, text[:half], nil, text[half:]))
	f("gzip members", gzipOf(t, text[:half], nil, text[half:]))
	for _, format := range []Format{Plain, Zstd, Gzip} {
		var b bytes.Buffer
		w := NewWriter(&b, WriterOptions{Format: format})
		for _, l := range bytes.SplitAfter(text, []byte("\n")) {
			w.Write(l)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f(fmt.Sprint("written ", format), b.Bytes())
	}
}
