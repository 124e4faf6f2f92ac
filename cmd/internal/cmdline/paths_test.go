package cmdline

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// folder is a working directory with files, other names of one, and a folder.
func folder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range []string{"in", "in.partial", "prompts"} {
		if err := os.WriteFile(name, []byte(name+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	os.Symlink("in", "symbolic")
	os.Link("in", "hard")
	os.Symlink("new", "dangling")
	os.MkdirAll("real/deep", 0o777)
	os.Symlink("real/deep", "folder")
}

func TestSamePath(t *testing.T) {
	folder(t)
	f := func(a, b string, want bool) {
		t.Helper()
		if got := SamePath(a, b); got != want || SamePath(b, a) != want {
			t.Errorf("%s and %s: %v", a, b, got)
		}
	}
	dir, _ := os.Getwd()
	f("in", "in", true)
	f("in", "./in", true)
	f("in", dir+"/in", true)
	f("in", "real/../in", true)
	f("in", "symbolic", true)
	f("in", "hard", true)
	f("in", "prompts", false)
	f("in", "new", false)
	f("new", "./new", true)
	f("new", "dangling", true)
	f("new", "newer", false)
	f("real/deep/new", "folder/new", true)
	f("real/new", "folder/../new", true)
	f("new", "folder/../new", false)
	f("no/such/new", "./no//such/new", true)
	f("no/such/new", "no/new", false)
}

// TestDistinct: what would destroy a file is refused, and the file is as it was.
func TestDistinct(t *testing.T) {
	folder(t)
	f := func(args string, want string) {
		t.Helper()
		c := copier()
		c.Flags = []cli.Flag{
			&cli.StringFlag{Name: "report-file", Usage: "u"},
			&cli.StringFlag{Name: "missing", Usage: "u"},
			&cli.StringSliceFlag{Name: "expect", Usage: "u"},
		}
		c.Run = func(_ context.Context, s *Session) error {
			return s.Distinct(s.PathFlags("report-file", "missing"), s.PathFlags("expect"))
		}
		r := try(c, strings.Fields(args)...)
		if want == "" && r.code != 0 || want != "" && (r.code != 2 || r.err != "demo: "+want+"\n") {
			t.Errorf("demo %s: exit %d, %s, want %s", args, r.code, r.err, want)
		}
		if content(t, "in") != "in\n" || content(t, "in.partial") != "in.partial\n" || content(t, "prompts") != "prompts\n" {
			t.Fatalf("demo %s destroyed a file", args)
		}
	}
	f("--rejects in in", `--rejects would write over the input "in"`)
	f("--rejects symbolic in", `--rejects would write over the input "in"`)
	f("--rejects hard prompts ./in", `--rejects would write over the input "./in"`)
	f("--rejects in in.partial", `--rejects would write over the input "in.partial"`)
	f("--rejects a -o ./a in", `--output and --rejects would write the same file, "a"`)
	f("--rejects new -o dangling in", `--output and --rejects would write the same file, "new"`)
	f("--rejects a.partial -o a in", `--output and --rejects would write the same file, "a.partial"`)
	f("--rejects a -o a.partial in", `--output and --rejects would write the same file, "a"`)
	f("-o in in.partial", `--output would write over the input "in.partial"`)
	f("-o in in", "")
	f("-o symbolic hard", "")
	f("--report-file in in", `--report-file would write over the input "in"`)
	f("--report-file prompts --expect prompts in", `--report-file would write over --expect "prompts"`)
	f("--missing ./prompts --expect a --expect prompts in", `--missing would write over --expect "prompts"`)
	f("-o prompts --expect prompts in", `--output would write over --expect "prompts"`)
	f("--missing a --report-file a in", `--report-file and --missing would write the same file, "a"`)
	f("--missing a --rejects a in", `--rejects and --missing would write the same file, "a"`)
	f("--missing a --report-file b --rejects c -o d --expect prompts in", "")
	f("--missing - --report-file= in", "")
	f("--rejects /dev/null -o /dev/null --missing /dev/null /dev/null", "")
}

// TestStreamsAreDistinct: standard input and output are files, too.
func TestStreamsAreDistinct(t *testing.T) {
	folder(t)
	f := func(in, out, args string, want string) {
		t.Helper()
		stdin, err := os.Open(in)
		if err != nil {
			t.Fatal(err)
		}
		defer stdin.Close()
		stdout, err := os.OpenFile(out, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		defer stdout.Close()
		var errs bytes.Buffer
		code := Main(copier(), Streams{Args: append([]string{"demo"}, strings.Fields(args)...), In: stdin, Out: stdout, Err: &errs})
		if want == "" && code != 0 || want != "" && (code != 2 || errs.String() != "demo: "+want+"\n") {
			t.Errorf("demo %s <%s >>%s: exit %d, %s, want %s", args, in, out, code, errs.String(), want)
		}
		if content(t, "in") != "in\n" {
			t.Fatalf("demo %s <%s >>%s destroyed a file", args, in, out)
		}
	}
	f("in", "in", "", "standard output would write over standard input")
	f(os.DevNull, "in", "in", `standard output would write over the input "in"`)
	f("prompts", "in", "- in", `standard output would write over the input "in"`)
	f("in", os.DevNull, "--rejects in", "--rejects would write over standard input")
	f("in", os.DevNull, "-o in.partial --rejects hard -", "--rejects would write over standard input")
	f("prompts", "in", "--rejects in", `standard output and --rejects would write the same file, "in"`)
	f("prompts", "in", "--rejects in.partial -o a in.partial", `--rejects would write over the input "in.partial"`)
	f("in", os.DevNull, "", "")
	f(os.DevNull, os.DevNull, "--rejects /dev/null", "")
	f("prompts", "in", "-o a in", "")
}

// TestDirectOutputIsNoInput: what is written through a descriptor does not replace
// the input at the end, it would grow while it is read.
func TestDirectOutputIsNoInput(t *testing.T) {
	folder(t)
	out, err := os.OpenFile("in", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	r := try(copier(), "-o", fmt.Sprintf("/dev/fd/%d", out.Fd()), "in")
	if r.code != 2 || !strings.Contains(r.err, `--output would write over the input "in"`) || content(t, "in") != "in\n" {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
}

// TestDistinctOfThousands: outputs of one name are not compared with each other, and
// inputs are looked at once.
func TestDistinctOfThousands(t *testing.T) {
	folder(t)
	c := copier()
	c.Run = func(_ context.Context, s *Session) error {
		outputs := make([]PathFlag, 30_000)
		for i := range outputs {
			outputs[i] = PathFlag{"--output", fmt.Sprintf("out/%d", i)}
		}
		read := s.read([]PathFlag{{"--expect", "prompts"}})
		os.Remove("prompts")
		if again := s.read([]PathFlag{{"--expect", "prompts"}}); len(again) != len(read) || again[1].info == nil {
			t.Error("an input was looked at twice")
		}
		return s.Distinct(append(outputs, PathFlag{"--missing", "out/7"}), nil)
	}
	if r := try(c, "in"); r.code != 2 || !strings.Contains(r.err, "--output and --missing would write the same file") {
		t.Errorf("exit %d, %s", r.code, r.err)
	}
}
