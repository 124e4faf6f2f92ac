package scripttest

import (
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// exits runs a command and compares its exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	want := leadingCode(ts, neg, args, "exits N command [arg…] [<file] [>file] [2>file]")
	command, redirections := args[1:], ""
	for len(command) > 1 && isRedirection(command[len(command)-1]) {
		last := command[len(command)-1]
		at := strings.IndexAny(last, "<>") + 1
		redirections = " " + last[:at] + "'" + last[at:] + "'" + redirections
		command = command[:len(command)-1]
	}
	if redirections != "" {
		command = slices.Concat([]string{"sh", "-c", `exec "$@"` + redirections, "sh"}, command)
	}
	expect(ts, want, command)
}

func isRedirection(arg string) bool {
	arg = strings.TrimPrefix(arg, "2")
	return len(arg) > 1 && (arg[0] == '<' || arg[0] == '>')
}

// pipeline runs a line of bash and compares its exit code.
func pipeline(ts *testscript.TestScript, neg bool, args []string) {
	want := leadingCode(ts, neg, args, "pipeline N 'a | b'")
	expect(ts, want, slices.Concat([]string{"bash", "-o", "pipefail", "-c"}, args[1:]))
}

func leadingCode(ts *testscript.TestScript, neg bool, args []string, usage string) int {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: %s", usage)
	}
	want, err := strconv.Atoi(args[0])
	if err != nil {
		ts.Fatalf("usage: %s", usage)
	}
	return want
}

func expect(ts *testscript.TestScript, want int, command []string) {
	if got := exitCode(ts, ts.Exec(command[0], command[1:]...)); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// exitCode is what a shell shows: 128+n for signal n.
func exitCode(ts *testscript.TestScript, err error) int {
	var exit *exec.ExitError
	if err == nil {
		return 0
	}
	if !errors.As(err, &exit) {
		ts.Fatalf("%v", err)
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return exit.ExitCode()
}

// signals stops a command that waits for input by a signal.
func signals(ts *testscript.TestScript, neg bool, args []string) {
	const usage = "signals N INT|TERM file command [arg…]"
	want := leadingCode(ts, neg, args, usage)
	if len(args) < 4 {
		ts.Fatalf("usage: %s", usage)
	}
	signal := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM}[args[1]]
	cmd, ended := start(ts, args[3:])
	defer cmd.Process.Kill()
	waitFor(ts, args[2], ended)
	ts.Check(cmd.Process.Signal(signal))
	if got := exitCode(ts, <-ended); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// start starts a command whose standard input stays open. How it ended can be
// received once.
func start(ts *testscript.TestScript, args []string) (*exec.Cmd, <-chan error) {
	cmd := exec.Command("/usr/bin/env", args...) // which looks it up on the script's PATH
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "GORACE", "CMD", "FLAGS"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	_, err := cmd.StdinPipe()
	ts.Check(err)
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	ts.Check(cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return cmd, ended
}

// waitFor waits until a file exists, and holds something when its name is given with
// a + behind it, but not longer than the command lives.
func waitFor(ts *testscript.TestScript, file string, ended <-chan error) {
	file, filled := strings.CutSuffix(file, "+")
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case err := <-ended:
			ts.Fatalf("the command ended (%v) before %s appeared", err, file)
		case <-look.C:
			if info, err := os.Stat(ts.MkAbs(file)); err == nil && (!filled || info.Size() > 0) {
				return
			}
		}
	}
}
