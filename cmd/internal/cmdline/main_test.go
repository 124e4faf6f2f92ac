package cmdline

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"
)

// ran is what one run of a command did.
type ran struct {
	code     int
	out, err string
}

// command is a command with a flag of every kind.
func command(run func(*Session) error) *Command {
	if run == nil {
		run = func(*Session) error { return nil }
	}
	return &Command{
		Name:      "demo",
		Usage:     "show what a command line means",
		Arguments: "[FILE …]",
		Examples:  "demo -n 4 a.jsonl",
		Shared:    Writes | Watched,
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "number", Aliases: []string{"n"}, Usage: "take `N`", Value: 1},
			&cli.UintFlag{Name: "natural", Usage: "not below 0"},
			&cli.Float64Flag{Name: "rate", Usage: "a share"},
			&cli.DurationFlag{Name: "grace", Usage: "wait so `LONG`", Value: 20 * time.Second},
			&cli.StringSliceFlag{Name: "header", Usage: "add `NAME: VALUE` (repeat)"},
			&cli.StringFlag{Name: "name", Usage: "a name, empty by default"},
			&cli.BoolFlag{Name: "stream", Hidden: true, Usage: "seldom needed"},
			&cli.GenericFlag{Name: "size", Usage: "take `SIZE` bytes", Value: NewSize(1024)},
			&cli.GenericFlag{Name: "fail-fast", Value: new(optional), Usage: "stop after `N`"},
		},
		Run: func(_ context.Context, s *Session) error { return run(s) },
		Subcommands: []*Command{{
			Name:  "merge",
			Usage: "join",
			Run: func(_ context.Context, s *Session) error {
				s.Note("merging %v", s.Files())
				return nil
			},
			Arguments: "FILE …",
		}},
	}
}

// optional is a flag that may have a value.
type optional struct{ text string }

func (o *optional) Set(s string) error { o.text = s; return nil }
func (o *optional) String() string     { return o.text }
func (o *optional) IsBoolFlag() bool   { return true }

func try(c *Command, args ...string) ran {
	var out, errs bytes.Buffer
	code := Main(c, Streams{
		Args: append([]string{"demo"}, args...),
		In:   strings.NewReader(""), Out: &out, Err: &errs,
	})
	return ran{code, out.String(), errs.String()}
}

func TestFlagsStandAnywhere(t *testing.T) {
	f := func(args, want string) {
		t.Helper()
		var got string
		r := try(command(func(s *Session) error {
			got = fmt.Sprintf("n=%d rate=%v name=%q headers=%q stream=%v quiet=%v fast=%v files=%q", s.Int("number"), s.Float64("rate"),
				s.String("name"), s.StringSlice("header"), s.Bool("stream"), s.Quiet(), s.Generic("fail-fast"), s.Files())
			return nil
		}), strings.Fields(args)...)
		if r.code != 0 || !strings.Contains(got, want) {
			t.Errorf("demo %s: exit %d, %s\n%s, want %s", args, r.code, r.err, got, want)
		}
	}
	f("a b -n 4", `n=4`)
	f("a -n 4 b", `files=["a" "b"]`)
	f("-n4 a", `n=4`)
	f("-n=4 a", `n=4`)
	f("--number=4 a", `n=4`)
	f("a --number 4 b", `files=["a" "b"]`)
	f("-n 010", `n=10`)
	f("-n -3", `n=-3`)
	f("--rate .5", `rate=0.5`)
	f("--rate -1e2", `rate=-100`)
	f("-- -n 4", `files=["-n" "4"]`)
	f("a -- --", `files=["a" "--"]`)
	f("-", `files=["-"]`)
	f("a - b --stream", `stream=true quiet=false fast= files=["a" "-" "b"]`)
	f("--stream false", `stream=true quiet=false fast= files=["false"]`)
	f("--stream=false", `stream=false`)
	f("--stream --stream", `stream=true`)
	f("--header a,b --header c", `headers=["a,b" "c"]`)
	f("--name=", `name=""`)
	f("--name=--stream", `name="--stream"`)
	f("--name -x", `name="-x"`)
	f("--name a=b", `name="a=b"`)
	f("-qv", `quiet=true`)
	f("-qn4", `n=4`)
	f("--fail-fast a", `fast=true files=["a"]`)
	f("--fail-fast=3 a", `fast=3 files=["a"]`)
	f("help", `files=["help"]`)
	f("./merge", `files=["./merge"]`)
	f("-- merge", `files=["merge"]`)
}

func TestWrongUsage(t *testing.T) {
	f := func(args string, want ...string) {
		t.Helper()
		r := try(command(func(*Session) error {
			t.Errorf("demo %s was run", args)
			return nil
		}), strings.Fields(args)...)
		if r.code != 2 || r.out != "" || !strings.HasPrefix(r.err, "demo: ") {
			t.Errorf("demo %s: exit %d, out %q, err %q", args, r.code, r.out, r.err)
		}
		for _, w := range want {
			if !strings.Contains(r.err, w) {
				t.Errorf("demo %s: %s, want %s", args, r.err, w)
			}
		}
	}
	f("--nmber 4", `unknown flag "--nmber"`, "did you mean --number")
	f("--nam=x", "did you mean --name?")
	f("--zzzzzz", `unknown flag "--zzzzzz"`, "demo --help-all")
	f("-x", `unknown flag "-x"`)
	f("-number 4", "did you mean --number?")
	f("-output=x", "did you mean --output?")
	f("-nfour", `unknown flag "-nfour"`)
	f("--n 4", `unknown flag "--n"`)
	f("a b --number", "--number needs a value")
	f("--name --stream", `--name needs a value, not the flag "--stream"`, "--name=--stream")
	f("-n four", `-n: "four" is not a whole number`)
	f("-n 0x10", "not a whole number")
	f("-n 1_000", "not a whole number")
	f("-n 99999999999999999999", "out of range")
	f("-n 1.5", "not a whole number")
	f("--natural -1", `--natural: "-1" is below 0`)
	f("--rate nan", "not a number")
	f("--rate 0x1p-2", "not a number")
	f("--grace 5", "--grace", "30s")
	f("--stream=maybe", "neither true nor false")
	f("--size 1X", `--size: "1X" is not a number of bytes`)
	f("--size 0", "--size")
	f("--progress sometimes", "auto, always, never")
	f("-n 1 --number 2", `--number is given twice: "1" and "2"`)
	f("-n 1 -n 1", "-n is given twice")
	f("--stream --stream=false", "given twice")
	f("a merge", `subcommand "merge" must come first`, "./merge")
	f("--stream merge a", `subcommand "merge" must come first`)
}

func TestUnexpectedArgument(t *testing.T) {
	c := command(nil)
	c.Arguments = ""
	if r := try(c, "a\x1b[2Jb"); r.code != 2 || r.err != "demo: unexpected argument \"a\\x1b[2Jb\"\n" {
		t.Errorf("exit %d, %q", r.code, r.err)
	}
}

func TestSubcommand(t *testing.T) {
	if r := try(command(nil), "merge", "x", "-v"); r.code != 0 || r.err != "demo merge: merging [x]\n" {
		t.Errorf("exit %d, %q", r.code, r.err)
	}
	if r := try(command(nil), "merge", "-q"); r.err != "" {
		t.Errorf("-q says %q", r.err)
	}
	if r := try(command(nil), "merge", "--help"); !strings.HasPrefix(r.out, "demo merge: join\n\nUsage: demo merge [flags] FILE …\n") {
		t.Errorf("help: %s", r.out)
	}
}

func TestHelp(t *testing.T) {
	few := try(command(nil), "a", "--help", "--nonsense")
	all := try(command(nil), "--help-all")
	for _, r := range []ran{few, all} {
		if r.code != 0 || r.err != "" {
			t.Errorf("exit %d, err %q", r.code, r.err)
		}
		for _, want := range []string{"Usage: demo [flags] [FILE …]\n       demo merge", "demo -n 4 a.jsonl", "-n, --number N",
			"(default 20s)", "--fail-fast[=N]", "-o, --output FILE", "130, 143, 141  SIGINT", "disk full"} {
			if !strings.Contains(r.out, want) {
				t.Errorf("help lacks %q:\n%s", want, r.out)
			}
		}
		for line := range strings.Lines(r.out) {
			if len([]rune(line)) > helpWidth+1 || strings.HasSuffix(line, " \n") {
				t.Errorf("help has a long line or a space at its end: %q", line)
			}
		}
	}
	if strings.Contains(few.out, "--stream") || !strings.Contains(all.out, "--stream") {
		t.Error("hidden flags belong to --help-all only")
	}
	if strings.Contains(few.out, "--log-format") || !strings.Contains(all.out, "--log-format") {
		t.Error("shared hidden flags belong to --help-all only")
	}
}

func TestVersion(t *testing.T) {
	r := try(command(nil), "--version")
	if r.code != 0 || r.err != "" || !strings.HasPrefix(r.out, "demo ") || !strings.Contains(r.out, ", commit ") || !strings.Contains(r.out, ", go1.") {
		t.Errorf("%+v", r)
	}
}

// Rules that flags must obey are checked when a command starts, not when somebody uses the flag.
func TestForbiddenFlagsPanic(t *testing.T) {
	f := func(flag cli.Flag) {
		t.Helper()
		defer func() {
			if recover() == nil {
				t.Errorf("%v is accepted", flag.Names())
			}
		}()
		try(&Command{Name: "demo", Flags: []cli.Flag{flag}})
	}
	f(&cli.StringFlag{Name: "server", Usage: "u", Required: true})
	f(&cli.StringFlag{Name: "server", Usage: "u", Aliases: []string{"s"}})
	f(&cli.StringFlag{Name: "server"})
	f(&cli.BoolFlag{Name: "quiet", Usage: "there already"})
}

func TestPanicIsNotHidden(t *testing.T) {
	defer func() {
		if recover() != "boom" {
			t.Error("the panic was swallowed")
		}
	}()
	try(command(func(*Session) error { panic("boom") }))
}
