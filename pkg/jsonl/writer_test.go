package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var formats = []Format{Plain, Zstd, Gzip}

func TestWriterFormats(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	f := func(o WriterOptions, size int) {
		t.Helper()
		var text, out bytes.Buffer
		w := NewWriter(&out, o)
		for text.Len() < size {
			p := fmt.Appendf(nil, "%d %s\n", text.Len(), strings.Repeat("na", rnd.IntN(40000)))
			text.Write(p)
			if n, err := w.Write(p); n != len(p) || err != nil {
				t.Fatal(n, err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(Decompress(&out, "out", Options{}))
		if err != nil || !bytes.Equal(got, text.Bytes()) {
			t.Errorf("%+v: %d bytes of %d, %v", o, len(got), text.Len(), err)
		}
	}
	f(WriterOptions{}, 1<<20)
	f(WriterOptions{Format: Gzip}, 1<<20)
	f(WriterOptions{Format: Zstd, Workers: 1}, 5<<20)
	f(WriterOptions{Format: Zstd, Workers: 3}, 9<<20)
	f(WriterOptions{Format: Zstd, FrameBytes: 1000}, 1<<20)
	f(WriterOptions{Format: Zstd, Level: 3}, 9<<20)
	f(WriterOptions{Format: Zstd, Level: 9, FrameBytes: 1 << 17}, 1<<20)
	f(WriterOptions{Format: Zstd, Level: 22}, 1<<20)
}

func TestSharedCompressors(t *testing.T) {
	c := NewShared(0, 2)
	defer c.Close()
	var outs [20]bytes.Buffer
	var writers []*Writer
	for i := range outs {
		writers = append(writers, NewWriter(&outs[i], WriterOptions{Format: Zstd, Shared: c, FrameBytes: 100 << 10}))
	}
	broken := NewWriter(&fullDisk{}, WriterOptions{Format: Zstd, Shared: c, FrameBytes: 100 << 10})
	p := []byte(strings.Repeat("x", 99) + "\n")
	for range 6000 {
		broken.Write(p)
		for _, w := range writers {
			if _, err := w.Write(p); err != nil {
				t.Fatal("an error of another writer:", err)
			}
		}
	}
	if err := broken.Close(); err != errFull {
		t.Errorf("writer to a full disk: %v", err)
	}
	for i, w := range writers {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(Decompress(&outs[i], "out", Options{}))
		if err != nil || !bytes.Equal(got, bytes.Repeat(p, 6000)) {
			t.Errorf("writer %d: %d bytes, %v", i, len(got), err)
		}
	}
}

// TestFramesEndWithLines: each frame of an output is lines of its own.
func TestFramesEndWithLines(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, WriterOptions{Format: Zstd})
	for i := range 5000 {
		fmt.Fprintf(w, "%d %s\n", i, strings.Repeat("x", 700))
	}
	w.Close()
	f := newFrameSplitter(newInput(&out, nil), Options{}.withDefaults(), 1)
	d := newDecoder(1 << 30)
	var p piece
	frames := 0
	for f.next(&p); p.err == nil; f.next(&p) {
		p.decode(d)
		if frames++; len(p.ends) != 1 || p.out[len(p.out)-1] != '\n' {
			t.Errorf("frame %d ends with %q", frames, p.out[len(p.out)-1])
		}
	}
	if p.err != io.EOF || frames != 4 {
		t.Errorf("%d frames of 3.5 MB, %v", frames, p.err)
	}
}

func TestFlushReaches(t *testing.T) {
	for _, format := range formats {
		var out bytes.Buffer
		w := NewWriter(&out, WriterOptions{Format: format})
		for i := range 3 {
			fmt.Fprintf(w, "%d\n", i)
			if err := w.Idle(); err != nil {
				t.Fatal(err)
			}
			got, _ := io.ReadAll(Decompress(bytes.NewReader(out.Bytes()), "out", Options{}))
			if n := bytes.Count(got, newline); n != i+1 {
				t.Errorf("format %d: %d lines arrived, want %d", format, n, i+1)
			}
		}
		w.Close()
	}
}

// fullDisk takes n bytes.
type fullDisk struct{ n int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.n -= len(p); d.n < 0 {
		return max(len(p)+d.n, 0), errFull
	}
	return len(p), nil
}

// TestWriterFailsAtEveryByte: the error comes out, and stays.
func TestWriterFailsAtEveryByte(t *testing.T) {
	text := bytes.SplitAfter(shortLines(30), newline)
	f := func(format Format) {
		t.Helper()
		var out bytes.Buffer
		run := func(dst io.Writer) error {
			w := NewWriter(dst, WriterOptions{Format: format, Workers: 2})
			var first error
			for i, l := range text {
				_, err := w.Write(l)
				if i%10 == 9 && err == nil {
					err = w.Flush()
				}
				if first != nil && err != first {
					t.Fatalf("format %d: %v after %v", format, err, first)
				}
				first = err
			}
			if err := w.Close(); first != nil && err != first {
				t.Fatalf("format %d: Close: %v after %v", format, err, first)
			} else {
				first = err
			}
			if again := w.Close(); again != first {
				t.Fatalf("format %d: Close again: %v after %v", format, again, first)
			}
			if _, err := w.Write(newline); err == nil {
				t.Fatalf("format %d: Write after Close", format)
			}
			return first
		}
		if err := run(&out); err != nil {
			t.Fatal(err)
		}
		for n := range out.Len() {
			if err := run(&fullDisk{n}); err != errFull {
				t.Fatalf("format %d, room for %d bytes: %v", format, n, err)
			}
		}
	}
	for _, format := range formats {
		f(format)
	}
}

type shortWriter struct{}

func (shortWriter) Write(p []byte) (int, error) { return len(p) / 2, nil }

func TestShortWrite(t *testing.T) {
	for _, format := range formats {
		w := NewWriter(shortWriter{}, WriterOptions{Format: format})
		io.WriteString(w, "some text that is written short\n")
		if err := w.Close(); err != io.ErrShortWrite {
			t.Errorf("format %d: %v", format, err)
		}
	}
}

// TestEmptyOutputs are accepted by the tools of their kind.
func TestEmptyOutputs(t *testing.T) {
	for format, tool := range map[Format]string{Zstd: "zstd", Gzip: "gzip"} {
		var out bytes.Buffer
		NewWriter(&out, WriterOptions{Format: format}).Close()
		if lines, err := readAll(bytes.NewReader(out.Bytes()), Options{}); len(lines) > 0 || err != nil {
			t.Errorf("%s: %d lines, %v", tool, len(lines), err)
		}
		if _, err := exec.LookPath(tool); err != nil {
			t.Logf("no %s here", tool)
			continue
		}
		c := exec.Command(tool, "-t")
		c.Stdin = &out
		if msg, err := c.CombinedOutput(); err != nil {
			t.Errorf("%s -t: %v: %s", tool, err, msg)
		}
	}
}

func TestFormatOf(t *testing.T) {
	f := func(name string, want Format) {
		t.Helper()
		if got := FormatOf(name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	f("a.jsonl.zst", Zstd)
	f("a.jsonl.gz", Gzip)
	f("a.jsonl", Plain)
	f("zst", Plain)
}

func create(t *testing.T, path string, text string) *File {
	t.Helper()
	f, err := Create(path, WriterOptions{Format: FormatOf(path)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, text); err != nil {
		t.Fatal(err)
	}
	return f
}

func content(path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return "none"
	}
	return string(b)
}

func TestFileAppearsWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	write(t, path, []byte("old\n"))
	os.Chmod(path, 0o640)
	f := create(t, path, "new\n")
	if got := content(path); got != "old\n" {
		t.Errorf("before Commit: %q", got)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := content(path); got != "new\n" {
		t.Errorf("after Commit: %q", got)
	}
	if fi, _ := os.Stat(path); fi.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, want that of the old file", fi.Mode())
	}
	if got := content(path + ".partial"); got != "none" {
		t.Errorf("partial file after Commit: %q", got)
	}
}

func TestFileAbandoned(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	f := create(t, path, "half\n")
	partial, err := f.Abandon()
	if err != nil || partial != path+".partial" || content(partial) != "half\n" || content(path) != "none" {
		t.Errorf("%q, %v, %q, %q", partial, err, content(partial), content(path))
	}
	f = create(t, path, "")
	if partial, err := f.Abandon(); partial != "" || err != nil || content(path+".partial") != "none" {
		t.Errorf("nothing written: %q, %v, %q", partial, err, content(path+".partial"))
	}
}

func TestFileOfTwoWriters(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	first := create(t, path, "first\n")
	_, err := Create(path, WriterOptions{})
	var held *LockedError
	if !errors.As(err, &held) || held.Path != path {
		t.Errorf("second writer: %v", err)
	}
	if err := first.Commit(); err != nil || content(path) != "first\n" {
		t.Errorf("%v, %q", err, content(path))
	}
	if err := create(t, path, "second\n").Commit(); err != nil || content(path) != "second\n" {
		t.Errorf("%v, %q", err, content(path))
	}
}

// A link is relative to the folder that it is in, not to the name of that folder.
func TestTarget(t *testing.T) {
	t.Chdir(t.TempDir())
	os.MkdirAll("real/deep", 0o777)
	os.Symlink("real/deep", "folder")
	os.Symlink("../out", "real/deep/link")
	f := func(path, sameAs string) {
		t.Helper()
		target, err := Target(path)
		if err != nil {
			t.Fatal(err)
		}
		os.WriteFile(target, nil, 0o666)
		defer os.Remove(sameAs)
		if _, err := os.Stat(sameAs); err != nil {
			t.Errorf("%s: %s, want %s", path, target, sameAs)
		}
	}
	f("a", "a")
	f("folder/link", "real/out")
	f("folder/../b", "real/b")
	for _, direct := range []string{"/dev/null", "/dev/stderr", "/dev/fd/1", "real"} {
		if target, err := Target(direct); target != "" || err != nil {
			t.Errorf("%s: %q, %v", direct, target, err)
		}
	}
}

func TestFileFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "real"), 0o777)
	link := filepath.Join(dir, "link.jsonl")
	target := filepath.Join(dir, "real", "out.jsonl")
	os.Symlink("middle.jsonl", link)
	os.Symlink(filepath.Join("real", "out.jsonl"), filepath.Join(dir, "middle.jsonl"))
	for _, text := range []string{"1\n", "2\n"} {
		if err := create(t, link, text).Commit(); err != nil || content(target) != text {
			t.Errorf("%v, %q", err, content(target))
		}
	}
	if fi, err := os.Lstat(link); err != nil || fi.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v", err)
	}
	os.Symlink("loop", filepath.Join(dir, "loop"))
	if _, err := Create(filepath.Join(dir, "loop"), WriterOptions{}); err == nil {
		t.Error("a link to itself was opened")
	}
}

func TestFileWrittenDirectly(t *testing.T) {
	f := create(t, os.DevNull, "x\n")
	if partial, err := f.Abandon(); partial != "" || err != nil {
		t.Errorf("%q, %v", partial, err)
	}
	if err := create(t, os.DevNull, "x\n").Commit(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(os.DevNull + ".partial"); err == nil {
		t.Error("a partial file beside /dev/null")
	}
	if _, err := Create(t.TempDir(), WriterOptions{}); err == nil {
		t.Error("a folder was opened")
	}
}

func TestFileInMissingFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "no")
	_, err := Create(filepath.Join(dir, "out.jsonl"), WriterOptions{})
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), fmt.Sprintf("folder %q", dir)) {
		t.Errorf("%v", err)
	}
}

func TestFileOverItsInput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.jsonl.zst")
	write(t, path, zstdOf(t, someLines(3000)))
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	out := create(t, path, "")
	lines, err := mapAll(in, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines[1:] {
		out.Write(append(l.Data, '\n'))
	}
	if err := out.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := linesOfFile(t, path); !equal(got, texts(lines[1:])) {
		t.Errorf("%d lines of %d", len(got), len(lines))
	}
}

func TestFileOnFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	f, err := Create("/dev/full", WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, "x\n")
	if err := f.Commit(); err == nil || strings.Count(err.Error(), "no space") != 1 {
		t.Errorf("%v", err)
	}
}

func TestFolder(t *testing.T) {
	f := func(path, want string) {
		t.Helper()
		if got := Folder(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
	f("a", ".")
	f("a/b", "a")
	f("a/b/", "a")
	f("a//b", "a/")
	f("link/../b", "link/..")
	f("./b", ".")
	f("/b", "/")
	f("", ".")
}
