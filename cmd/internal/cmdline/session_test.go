package cmdline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/progress"
)

// copier is a filter that copies lines and takes those with "bad" in them for bad.
func copier() *Command {
	return &Command{
		Name:      "demo",
		Usage:     "copy lines",
		Arguments: "[FILE …]",
		Shared:    Reads | Writes | Watched,
		Run:       copyLines,
	}
}

func copyLines(ctx context.Context, s *Session) error {
	out, err := s.Output()
	if err != nil {
		return err
	}
	worker := func() func(*jsonl.Block) {
		return func(b *jsonl.Block) {
			for l := range b.Lines() {
				if !bytes.Contains(l.Data, []byte("bad")) {
					b.Out = append(append(b.Out, l.Data...), '\n')
				}
			}
		}
	}
	return jsonl.Map(ctx, s.Inputs(), s.Options(), worker, func(b *jsonl.Block) error {
		for l := range b.Lines() {
			s.Records(1)
			if bytes.Contains(l.Data, []byte("bad")) {
				s.Bad(l.Pos, "x", "is bad", l.Data)
			}
		}
		_, err := out.Write(b.Out)
		return err
	})
}

// in runs the copier on an input within a folder.
func in(t *testing.T, dir, input string, out io.Writer, args ...string) ran {
	t.Helper()
	t.Chdir(dir)
	var errs, stdout bytes.Buffer
	if out == nil {
		out = &stdout
	}
	code := Main(copier(), Streams{Args: append([]string{"demo"}, args...), In: strings.NewReader(input), Out: out, Err: &errs})
	return ran{code, stdout.String(), errs.String()}
}

func content(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return "(none)"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestBadRecords(t *testing.T) {
	dir := t.TempDir()
	f := func(code int, args, wantErr string) {
		t.Helper()
		r := in(t, dir, "1\nbad\n3\n", nil, strings.Fields(args)...)
		if r.code != code || r.out != "1\n3\n" || r.err != wantErr {
			t.Errorf("demo %s: exit %d, want %d\nout %q\nerr %s\nwant %s", args, r.code, code, r.out, r.err, wantErr)
		}
	}
	line := "<stdin>:2: id \"x\": is bad\n"
	f(1, "", line+"demo: 1 of 3 records are bad, --max-bad is 0\n")
	f(0, "--max-bad 1", line+"demo: 1 of 3 records are bad, --max-bad is 1\n")
	f(0, "--max-bad 1 -q", line)
	f(0, "--max-bad 50%", line+"demo: 1 of 3 records are bad, --max-bad is 50%\n")
	f(1, "--max-bad 0.3", line+"demo: 1 of 3 records are bad, --max-bad is 0.3\n")
	f(1, "-v", "<stdin>:2: id \"x\": is bad (byte 2)\ndemo: 1 of 3 records are bad, --max-bad is 0\n")
}

func TestOutputFile(t *testing.T) {
	dir := t.TempDir()
	r := in(t, dir, "1\n3\n", nil, "-o", "out", "-q")
	if r != (ran{}) || content(t, "out") != "1\n3\n" || content(t, "out.partial") != "(none)" {
		t.Errorf("success: %+v, %q", r, content(t, "out"))
	}
	os.Remove("out")
	r = in(t, dir, "1\nbad\n3\n", nil, "-o", "out")
	if r.code != 1 || content(t, "out") != "(none)" || content(t, "out.partial") != "1\n3\n" {
		t.Errorf("bad records: %+v, %q", r, content(t, "out.partial"))
	}
	if want := "demo: hint: \"out.partial\" has what is good, 2 lines; --max-bad N|RATE tolerates the rest\n"; !strings.HasSuffix(r.err, want) {
		t.Errorf("hint: %s, want %s", r.err, want)
	}
	r = in(t, dir, "1\nbad\n3\n", nil, "-o", "out", "--max-bad", "1")
	if r.code != 0 || content(t, "out") != "1\n3\n" {
		t.Errorf("tolerated: %+v, %q", r, content(t, "out"))
	}
}

func TestRejects(t *testing.T) {
	dir := t.TempDir()
	r := in(t, dir, "1\nbad \"\xff\n", nil, "--rejects", "rejects", "-o", "out")
	want := `{"file":"<stdin>","line":2,"offset":2,"id":"x","error":"is bad","raw":"bad \"` + "\ufffd" + `","raw_base64":"YmFkICL/"}` + "\n"
	if r.code != 1 || content(t, "rejects") != want || !json.Valid([]byte(want)) {
		t.Errorf("%+v\n%s, want\n%s", r, content(t, "rejects"), want)
	}
	r = in(t, dir, "1\n", nil, "--rejects", "rejects")
	if r.code != 0 || content(t, "rejects") != "" {
		t.Errorf("no rejects: %+v, %q", r, content(t, "rejects"))
	}
	r = in(t, dir, "1\n", nil, "--rejects", "same", "-o", "same")
	if r.code != 2 || content(t, "same") != "(none)" {
		t.Errorf("one name for two: %+v", r)
	}
	r = in(t, dir, "1\nbad\n", nil, "--rejects", "/dev/full", "--max-bad", "1")
	if r.code != 3 || strings.Count(r.err, "no space left on device") != 1 {
		t.Errorf("rejects that cannot be written: %+v", r)
	}
}

func TestJSONLog(t *testing.T) {
	r := in(t, t.TempDir(), "1\nbad\n", nil, "--log-format", "json", "-o", "out")
	var got []string
	for line := range strings.Lines(r.err) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		got = append(got, fmt.Sprint(m["level"], " ", m["command"], " ", m["file"], " ", m["line"], " ", m["offset"], " ", m["id"], " ", m["message"]))
	}
	want := []string{
		"error demo <stdin> 2 2 x is bad",
		"error demo <nil> <nil> <nil> <nil> 1 of 2 records are bad, --max-bad is 0",
		`hint demo <nil> <nil> <nil> <nil> "out.partial" has what is good, 1 line; --max-bad N|RATE tolerates the rest`,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestInputs(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "-c"} {
		os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666)
	}
	f := func(code int, args, out, errs string) {
		t.Helper()
		r := in(t, dir, "in\n", nil, strings.Fields(args)...)
		if r.code != code || r.out != out || r.err != errs {
			t.Errorf("demo %s: exit %d, out %q, err %q", args, r.code, r.out, r.err)
		}
	}
	f(0, "", "in\n", "")
	f(0, "-", "in\n", "")
	f(0, "a - b", "a\nin\nb\n", "")
	f(0, "a a", "a\na\n", "")
	f(0, "-- -c", "-c\n", "")
	f(2, "- -", "", "demo: standard input can be read once only, - is there twice\n")
	f(3, "a no b nor -o out", "", "demo: no: no such file or directory\ndemo: nor: no such file or directory\n")
	f(3, ".", "", "demo: .: is a directory\ndemo: hint: a pattern names the files in it, such as ./*.jsonl*\n")
	f(2, "-j 0", "", "demo: --jobs: 0 is below 1\n")
	if content(t, "out.partial") != "(none)" {
		t.Error("an output was begun before the inputs were looked at")
	}
}

func TestCompressedOutput(t *testing.T) {
	dir := t.TempDir()
	f := func(args, file, magic string) {
		t.Helper()
		r := in(t, dir, "1\n", nil, strings.Fields(args)...)
		if file != "" {
			r.out = content(t, file)
		}
		if r.code != 0 || !strings.HasPrefix(r.out, magic) {
			t.Errorf("demo %s: %+v", args, r)
		}
	}
	const zstd, gzip = "\x28\xb5\x2f\xfd", "\x1f\x8b"
	f("--zstd", "", zstd)
	f("-o -", "", "1\n")
	f("-o out.zst", "out.zst", zstd)
	f("-o out.jsonl --zstd", "out.jsonl", zstd)
	f("-o out.zst --zstd-level 19", "out.zst", zstd)
	f("-o out.gz", "out.gz", gzip)
	wrong := func(args, want string) {
		t.Helper()
		if r := in(t, dir, "1\n", nil, strings.Fields(args)...); r.code != 2 || !strings.Contains(r.err, want) {
			t.Errorf("demo %s: %+v", args, r)
		}
	}
	wrong("-o out.gz --zstd", "--zstd does not fit")
	wrong("-o out.jsonl --zstd-level 3", "--zstd-level without zstd output")
	wrong("--zstd --zstd-level 0", "not within 1 to 22")
	wrong("-o=", "name is empty")
}

// brokenWriter fails every write.
type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestWriteErrors(t *testing.T) {
	dir := t.TempDir()
	noSpace := &os.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
	r := in(t, dir, strings.Repeat("1\n", 1e6), brokenWriter{noSpace})
	if r.code != 3 || r.err != "demo: write <stdout>: no space left on device\n" {
		t.Errorf("full disk: %+v", r)
	}
	r = in(t, dir, "1\n", nil, "-o", "/dev/full")
	if r.code != 3 || r.err != "demo: write /dev/full: no space left on device\n" {
		t.Errorf("-o /dev/full: %+v", r)
	}
	r = in(t, dir, "1\n", brokenWriter{&os.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}})
	if r.code != 141 || r.err != "" {
		t.Errorf("closed pipe: %+v", r)
	}
	r = in(t, dir, "1\n", nil, "-o", "no/such/folder")
	if r.code != 3 || strings.Count(r.err, "\n") != 1 || strings.Count(r.err, "no/such") != 2 {
		t.Errorf("no folder: %+v", r)
	}
}

func TestDamage(t *testing.T) {
	dir := t.TempDir()
	in(t, dir, strings.Repeat("1\n", 1000), nil, "-o", "a.zst")
	whole := content(t, "a.zst")
	os.WriteFile("cut.zst", []byte(whole[:len(whole)-6]), 0o666)
	r := in(t, dir, "", nil, "cut.zst", "a.zst", "-o", "out")
	if r.code != 3 || !strings.HasPrefix(r.err, "demo: cut.zst:") || content(t, "out") != "(none)" {
		t.Errorf("%+v", r)
	}
	if !strings.Contains(r.err, `hint: "out.partial" has what could be read, `) || !strings.HasSuffix(content(t, "out.partial"), strings.Repeat("1\n", 1000)) {
		t.Errorf("%s", r.err)
	}
}

func TestMeter(t *testing.T) {
	f := func(args string, off bool, want string) {
		t.Helper()
		c := copier()
		c.Run = func(_ context.Context, s *Session) error {
			m := s.Meter("records", off, progress.Counts{Total: 10, Tokens: -1})
			m.Update(progress.Counts{Total: 10, Done: 1, Tokens: -1}, time.Now())
			s.Note("a message")
			m.Finish(progress.Counts{Total: 10, Done: 2, Tokens: -1}, time.Now())
			return nil
		}
		r := try(c, strings.Fields(args)...)
		got := regexp.MustCompile(`"time":"[^"]*"`).ReplaceAllString(r.err, "")
		got = regexp.MustCompile(` [0-9.]+ records/min,`).ReplaceAllString(got, "")
		got = regexp.MustCompile(` in [0-9.]+m?s,`).ReplaceAllString(got, ",")
		if got != want {
			t.Errorf("demo %s, %v: %s, want %s", args, off, got, want)
		}
	}
	const line, note = "demo: 2/10 done, 0 retried, 0 failed\n", "demo: a message\n"
	f("", false, note)
	f("", true, note+line)
	f("-q", true, "")
	f("--progress always", false, note+line)
	f("--progress never", true, note)
	f("--log-format json --progress always", false,
		`{,"level":"note","command":"demo","message":"a message"}`+"\n"+
			`{,"level":"note","command":"demo","message":"2/10 done, 0 retried, 0 failed"}`+"\n")
}

// On a terminal messages stand above the line, which is removed at the end
// when nobody finished it.
func TestMeterOnTerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	c := copier()
	c.Run = func(_ context.Context, s *Session) error {
		s.Log.terminal = true
		start := time.Now()
		m := s.Meter("records", false, progress.Counts{Total: -1, Tokens: -1})
		m.Update(progress.Counts{Total: -1, Done: 7, Tokens: -1}, start.Add(time.Hour))
		s.Note("a message")
		return nil
	}
	r := try(c)
	const erase = "\r\x1b[K"
	drawn, rest, _ := strings.Cut(r.err, erase+"demo: a message\n")
	line := strings.TrimSuffix(rest, erase)
	if !strings.HasPrefix(line, "demo  7 done") || drawn != "\r"+line+"\x1b[K" || !strings.HasSuffix(rest, erase) {
		t.Errorf("%q", r.err)
	}
}

// A terminal that knows no control sequences gets none, and lines now and then.
func TestMeterOnDumbTerminal(t *testing.T) {
	for _, term := range []string{"dumb", ""} {
		t.Setenv("TERM", term)
		c := copier()
		c.Run = func(_ context.Context, s *Session) error {
			s.Log.terminal = true
			start := time.Now()
			m := s.Meter("records", false, progress.Counts{Total: -1, Tokens: -1})
			m.Update(progress.Counts{Total: -1, Done: 7, Failed: 1, Tokens: -1}, start.Add(time.Hour))
			s.Note("a message")
			return nil
		}
		r := try(c)
		if !strings.HasPrefix(r.err, "demo: 7 done") || !strings.HasSuffix(r.err, "1 failed\ndemo: a message\n") || strings.ContainsAny(r.err, "\r\x1b") {
			t.Errorf("TERM=%s: %q", term, r.err)
		}
	}
}

// What a message is stands in its text only where it has no key of its own.
func TestLevels(t *testing.T) {
	f := func(args, want string) {
		t.Helper()
		c := copier()
		c.Run = func(_ context.Context, s *Session) error {
			s.Tell("warning", jsonl.Pos{File: "f", Line: 3, Offset: 9}, "x", "is odd")
			s.Warn("all is odd")
			s.Hint("look")
			return nil
		}
		r := try(c, strings.Fields(args)...)
		got := regexp.MustCompile(`"time":"[^"]*",`).ReplaceAllString(r.err, "")
		if got != want {
			t.Errorf("demo %s: %s, want %s", args, got, want)
		}
	}
	f("", "f:3: id \"x\": warning: is odd\ndemo: warning: all is odd\ndemo: hint: look\n")
	f("--log-format json", `{"level":"warning","command":"demo","file":"f","line":3,"offset":9,"id":"x","message":"is odd"}`+"\n"+
		`{"level":"warning","command":"demo","message":"all is odd"}`+"\n"+`{"level":"hint","command":"demo","message":"look"}`+"\n")
}

// A full disk is told once for the files of a set, and for each of others.
func TestErrorsOfMembers(t *testing.T) {
	full := func(name string) error { return newWriteError(name, syscall.ENOSPC) }
	member, single := &Output{member: true}, &Output{}
	err := member.join(nil, full("a"))
	if again := member.join(err, full("b")); again != err {
		t.Errorf("the second member: %v", again)
	}
	if both := single.join(err, full("c")); !strings.Contains(both.Error(), "write a") || !strings.Contains(both.Error(), "write c") {
		t.Errorf("another output: %v", both)
	}
}

// A person at a terminal reads a cause a few times; a log has every line.
func TestCausesOnTerminal(t *testing.T) {
	f := func(terminal bool, lines int, args, want string) {
		t.Helper()
		c := copier()
		c.Run = func(_ context.Context, s *Session) error {
			s.Log.terminal = terminal
			for i := range 8 {
				s.Bad(jsonl.Pos{File: "f", Line: int64(i + 1)}, "", "is odd", nil)
			}
			s.Bad(jsonl.Pos{File: "f", Line: 9}, "", "is even", nil)
			return nil
		}
		r := try(c, strings.Fields(args)...)
		if told := strings.Count(r.err, "f:"); r.code != 1 || told != lines || !strings.Contains(r.err, "f:9: is even") || !strings.HasSuffix(r.err, want) {
			t.Errorf("demo %s, terminal %v: exit %d, %d lines told, want %d\n%s", args, terminal, r.code, told, lines, r.err)
		}
	}
	const verdict = "demo: 9 of 9 records are bad, --max-bad is 0\n"
	f(false, 9, "", "f:9: is even\n"+verdict)
	f(true, 6, "", "f:9: is even\ndemo: 3 more: is odd\ndemo: hint: --rejects FILE collects them, -v tells each\n"+verdict)
	f(true, 6, "--rejects "+filepath.Join(t.TempDir(), "r"), "f:9: is even\ndemo: 3 more: is odd\n"+verdict)
	f(true, 9, "-v", verdict)

}
