package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// visited opens path, and returns the lines it held.
func visited(t testing.TB, path string) (a *Appender, lines []string, torn *Torn) {
	t.Helper()
	a, torn, err := OpenAppend(path, AppendOptions{
		Whole: json.Valid,
		Visit: func(l Line) error {
			lines = append(lines, string(l.Data))
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return a, lines, torn
}

func linesOfFile(t testing.TB, path string) []string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := readAll(bytes.NewReader(b), Options{})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return texts(lines)
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
}

func appendLines(t testing.TB, a *Appender, lines ...string) {
	t.Helper()
	for _, l := range lines {
		if err := a.Append([]byte(l)); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

// mend opens a damaged archive, appends a line, and reads everything back. The
// lines must be the first of want, and the new one.
func mend(t testing.TB, path string, in []byte, want []string) (kept int) {
	t.Helper()
	write(t, path, in)
	os.Remove(path + ".torn")
	a, seen, torn := visited(t, path)
	appendLines(t, a, `"new"`)
	got := linesOfFile(t, path)
	kept = len(got) - 1
	if kept < 0 || kept > len(want) || got[kept] != `"new"` || !equal(got[:kept], want[:kept]) {
		t.Fatalf("%d bytes: lines %.200q, want the first of %.200q and the new one", len(in), got, want)
	}
	if !equal(seen, got[:kept]) {
		t.Fatalf("%d bytes: visited %.200q, then read %.200q", len(in), seen, got[:kept])
	}
	if torn != nil {
		b, err := os.ReadFile(torn.File)
		if err != nil || int64(len(b)) != torn.Bytes || !bytes.HasSuffix(in, b) {
			t.Fatalf("%d bytes: torn file holds %q (%v), want the last %d bytes", len(in), b, err, torn.Bytes)
		}
	}
	return kept
}

func equal(a, b []string) bool {
	return strings.Join(a, "\n") == strings.Join(b, "\n") && len(a) == len(b)
}

func TestAppendCutAtEveryByte(t *testing.T) {
	text := shortLines(6)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	third := bytes.Index(text, []byte("{\"id\":4"))
	half := len(text)/2 + 1
	f := func(name string, in []byte, least func(cut int) int) {
		t.Helper()
		path := filepath.Join(memDir(t), name)
		for cut := range len(in) + 1 {
			if kept := mend(t, path, in[:cut], lines); kept < least(cut) {
				t.Fatalf("%s, cut at %d: %d lines kept, want at least %d", name, cut, kept, least(cut))
			}
		}
	}
	frames := [][]byte{text[:third], text[third:]}
	first := len(zstdOf(t, frames[0]))
	firstMember := len(gzipOf(t, frames[0]))
	f("plain.jsonl", text, func(cut int) int { return bytes.Count(text[:cut], newline) })
	f("aligned.jsonl.zst", zstdOf(t, frames...), atLeast(first, 4))
	f("unaligned.jsonl.zst", zstdOf(t, text[:half], text[half:]), atLeast(len(zstdOf(t, text[:half])), bytes.Count(text[:half], newline)))
	f("many.jsonl.zst", zstdOf(t, text[:50], text[50:60], text[60:75], text[75:90], text[90:]), atLeast(1<<20, 0))
	f("one.jsonl.zst", zstdOf(t, text), func(int) int { return 0 })
	f("aligned.jsonl.gz", gzipOf(t, frames...), atLeast(firstMember, 4))
	f("unaligned.jsonl.gz", gzipOf(t, text[:half], text[half:]), atLeast(len(gzipOf(t, text[:half])), bytes.Count(text[:half], newline)))
}

func atLeast(size, lines int) func(int) int {
	return func(cut int) int {
		if cut < size {
			return 0
		}
		return lines
	}
}

func TestAppendLastLineWithoutNewline(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	f := func(in, want string, cut int64) {
		t.Helper()
		write(t, path, []byte(in))
		a, _, torn := visited(t, path)
		appendLines(t, a, `2`)
		b, _ := os.ReadFile(path)
		if string(b) != want {
			t.Errorf("%q became %q, want %q", in, b, want)
		}
		if (torn == nil) != (cut == 0) || torn != nil && torn.Bytes != cut {
			t.Errorf("%q: torn %+v, want %d bytes", in, torn, cut)
		}
	}
	f("", "2\n", 0)
	f("1\n", "1\n2\n", 0)
	f("1", "1\n2\n", 0)
	f(`1`+"\n"+`{"a":`, "1\n2\n", 5)
	f("1\n  ", "1\n2\n", 2)
	f("1\n\x00\x00\x00", "1\n2\n", 3)
	f("{", "2\n", 1)
}

func TestAppendCase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	in := testFile(t, "torn-last-line-then-resume.jsonl")
	n := mend(t, path, in, strings.Split(string(in), "\n"))
	if n != 2 {
		t.Errorf("%d lines kept, want 2", n)
	}
}

func TestAppendKeepsContainer(t *testing.T) {
	dir := t.TempDir()
	f := func(name string, in []byte, magic string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if in != nil {
			write(t, path, in)
		}
		for range 2 {
			a, _, torn := visited(t, path)
			if torn != nil {
				t.Errorf("%s: torn %+v", name, torn)
			}
			appendLines(t, a, "7")
		}
		b, _ := os.ReadFile(path)
		if !bytes.HasPrefix(b, append(in, magic...)) {
			t.Errorf("%s: begins with %q", name, b)
		}
		if got := linesOfFile(t, path); len(got) < 2 || got[len(got)-1] != "7" {
			t.Errorf("%s: lines %q", name, got)
		}
		if _, err := os.Stat(path + ".lock"); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the lock file is still there", name)
		}
	}
	f("new.jsonl.zst", nil, "\x28\xb5\x2f\xfd")
	f("new.jsonl.gz", nil, "\x1f\x8b")
	f("new.jsonl", nil, "7")
	f("plain.zst", []byte("1\n"), "7")
	f("zstd.jsonl", zstdOf(t, []byte("1\n")), "\x28\xb5\x2f\xfd")
	f("gzip.zst", gzipOf(t, []byte("1\n")), "\x1f\x8b")
	f("empty.zst", []byte{}, "\x28\xb5\x2f\xfd")
}

func TestAppendRefusesDamageInTheMiddle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl.zst")
	one, two := zstdOf(t, []byte("1\n")), zstdOf(t, someLines(50))
	f := func(name string, in []byte, want string) {
		t.Helper()
		write(t, path, in)
		_, _, err := OpenAppend(path, AppendOptions{Options: Options{MaxWindow: 1 << 20}})
		var d *DamageError
		if !errors.As(err, &d) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
		if b, _ := os.ReadFile(path); !bytes.Equal(b, in) {
			t.Errorf("%s: the file was changed", name)
		}
	}
	bad := bytes.Clone(two)
	bad[len(bad)-1] ^= 1 // checksum
	f("bad frame", append(append(bytes.Clone(one), bad...), two...), "a whole frame follows")
	bad = bytes.Clone(two)
	bad[7] ^= 0x80 // the size of the block: it now ends after the file
	f("bad block size", append(bytes.Clone(bad), two...), "a whole frame follows")
	f("garbage", append(append(bytes.Clone(one), 0, 0, 0, 0), two...), "a whole frame follows")
	f("window", testFile(t, "long-31.jsonl.zst"), "window of 2147483648 bytes is larger than --max-window 1048576")
	f("bzip2", []byte("BZh91AY&SY"), "bzip2")
}

func TestAppendZeroTail(t *testing.T) {
	// A machine that loses power may leave zeros at the end.
	path := filepath.Join(t.TempDir(), "a.jsonl.zst")
	text := someLines(40)
	in := append(zstdOf(t, text), make([]byte, 5000)...)
	if n := mend(t, path, in, strings.Split(string(text), "\n")); n != 40 {
		t.Errorf("%d lines kept, want 40", n)
	}
}

func TestAppendKilledAnywhere(t *testing.T) {
	dir := memDir(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"a.jsonl.zst", "a.jsonl.gz", "a.jsonl"} {
		path := filepath.Join(dir, name)
		var want []string
		for round := range 8 {
			a, got, _ := visited(t, path)
			if !equal(got, want) {
				t.Fatalf("%s: round %d visits %d lines, want %d", name, round, len(got), len(want))
			}
			for i := range rnd.IntN(50) {
				l := fmt.Sprintf(`{"round":%d,"i":%d,"x":%q}`, round, i, strings.Repeat("y", rnd.IntN(3000)))
				if err := a.Append([]byte(l)); err != nil {
					t.Fatal(err)
				}
				want = append(want, l)
				if rnd.IntN(8) == 0 {
					if err := a.Sync(); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			b, _ := os.ReadFile(path)
			cut := len(b) - rnd.IntN(len(b)/3+1)
			want = want[:mend(t, path, b[:cut], want)]
			want = append(want, `"new"`)
		}
	}
}

func TestAppendLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	a, _, _ := visited(t, path)
	_, _, err := OpenAppend(path, AppendOptions{})
	var held *LockedError
	if !errors.As(err, &held) || held.PID != os.Getpid() || held.Path != path {
		t.Errorf("second writer: %v", err)
	}
	appendLines(t, a, "1")
	b, _, _ := visited(t, path)
	appendLines(t, b, "2")
}

func TestAppendRefusesSpecialFiles(t *testing.T) {
	for _, path := range []string{"/dev/null", "/dev/stdout", t.TempDir()} {
		if _, _, err := OpenAppend(path, AppendOptions{}); err == nil {
			t.Errorf("%s: opened", path)
		}
	}
	_, _, err := OpenAppend(filepath.Join(t.TempDir(), "no", "a.jsonl"), AppendOptions{})
	if err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("missing folder: %v", err)
	}
}

// fussyFile fails at its n-th operation, after half of what is written.
type fussyFile struct {
	durable
	n int
}

var errFull = errors.New("no space left")

func (f *fussyFile) fail() bool { f.n--; return f.n == 0 }

func (f *fussyFile) Write(p []byte) (int, error) {
	if f.fail() {
		n, _ := f.durable.Write(p[:len(p)/2])
		return n, errFull
	}
	return f.durable.Write(p)
}

func (f *fussyFile) Sync() error {
	if f.fail() {
		return errFull
	}
	return f.durable.Sync()
}

func (f *fussyFile) Truncate(n int64) error {
	if f.fail() {
		return errFull
	}
	return f.durable.Truncate(n)
}

func TestAppendFailsAtEveryOperation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl.zst")
	for n := 1; n <= 12; n++ {
		os.Remove(path)
		os.Remove(path + ".torn")
		a, _, _ := visited(t, path)
		a.f = &fussyFile{a.f, n}
		var want []string
		durable, failed := 0, false
		for i := range 6 {
			l := fmt.Sprintf(`{"n":%d,"text":%q}`, i, strings.Repeat("z", 100*i))
			want = append(want, l)
			err := a.Append([]byte(l))
			if err == nil {
				err = a.Sync()
			}
			if err == nil && !failed {
				durable = i + 1
			}
			if failed && err != errFull {
				t.Fatalf("failing at %d: after the failure: %v", n, err)
			}
			failed = failed || err != nil
		}
		if err := a.Close(); failed && err != errFull {
			t.Fatalf("failing at %d: Close: %v", n, err)
		}
		b, got, _ := visited(t, path)
		if len(got) < durable || len(got) > len(want) || !equal(got, want[:len(got)]) {
			t.Fatalf("failing at %d: %d lines were durable, found %q", n, durable, got)
		}
		appendLines(t, b, "1")
	}
}

// An archive that is moved, removed or replaced under the run, or whose lock is,
// must not be taken for written.
func TestAppenderMisplaced(t *testing.T) {
	f := func(what string, disturb func(path string) error) {
		t.Helper()
		path := filepath.Join(t.TempDir(), "raw.jsonl")
		a, _, err := OpenAppend(path, AppendOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(a.Append([]byte(`{"id":1}`)), a.Sync()); err != nil {
			t.Fatal(err)
		}
		if err := disturb(path); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(a.Append([]byte(`{"id":2}`)), a.Sync()); err == nil {
			t.Errorf("%s: no error", what)
		}
		if err := a.Close(); err == nil {
			t.Errorf("%s: no error of Close", what)
		}
	}
	f("removed", os.Remove)
	f("moved", func(path string) error { return os.Rename(path, path+".old") })
	f("replaced", func(path string) error {
		return errors.Join(os.WriteFile(path+".new", []byte("{}\n"), 0o666), os.Rename(path+".new", path))
	})
	f("cut", func(path string) error { return os.Truncate(path, 0) })
	f("unlocked", func(path string) error { return os.Remove(path + ".lock") })
}

func TestAppendLockedByAnotherName(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a lock belongs to a process here")
	}
	path := filepath.Join(t.TempDir(), "a.jsonl")
	a, _, _ := visited(t, path)
	link := filepath.Join(filepath.Dir(path), "b.jsonl")
	if err := os.Link(path, link); err != nil {
		t.Fatal(err)
	}
	_, _, err := OpenAppend(link, AppendOptions{})
	if held := (*LockedError)(nil); !errors.As(err, &held) {
		t.Errorf("second writer: %v", err)
	}
	appendLines(t, a, "1")
	b, got, _ := visited(t, link)
	if !equal(got, []string{"1"}) {
		t.Errorf("visited %q", got)
	}
	appendLines(t, b, "2")
}

// What something else wrote behind a container goes to FILE.torn, and only lines of
// an archive come back.
func TestAppendForeignTail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl.zst")
	write(t, path, append(zstdOf(t, []byte("1\n2\n")), "done\n3\n"...))
	for range 2 {
		var got []string
		a, _, err := OpenAppend(path, AppendOptions{
			Whole: func(line []byte) bool { return line[0] != 'd' },
			Visit: func(l Line) error { got = append(got, string(l.Data)); return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		if equal(got, []string{"1", "2", "3"}) {
			return
		}
	}
	t.Error("done is still there, or 3 is not")
}

func TestClaim(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pid")
	if os.Getenv("CLAIM") != "" { // below, in a process that cannot write files
		signal.Ignore(syscall.SIGXFSZ)
		if _, err := Claim(path, "1\n"); err == nil {
			t.Fatal("it was written")
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("what could not be written is there")
		}
		return
	}
	limited := exec.Command("sh", "-c", `ulimit -f 0; exec "$0" -test.run='^TestClaim$'`, os.Args[0])
	limited.Env = append(os.Environ(), "CLAIM=1")
	if out, err := limited.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if err := os.Symlink("/dev/null", path); err != nil {
		t.Fatal(err)
	}
	if _, err := Claim(path, "1\n"); err == nil {
		t.Error("/dev/null was claimed")
	}
	if _, err := os.Stat(path); err != nil {
		t.Error("what is no file was removed")
	}
}
