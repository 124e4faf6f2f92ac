package scripttest

import (
	"os"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// subject is one of the four as the scripts of contract see it: $CMD.
type subject struct {
	command string
	flags   []string // without which it does nothing
	record  string   // a good line of input, # for the id
}

func subjects() []subject {
	return []subject{
		{"shard", []string{"--select", "0/1"}, `{"id":"r#","prompt":"why?"}`},
		{"gen", []string{"--server", "sim:?latency=0&tokens=4"}, `{"id":"r#","prompt":"why?"}`},
		{"extract", nil, `{"id":"r#","reasoning":"because","content":"so"}`},
		{"validate", nil, `{"id":"r#","reasoning":"because","content":"so","finish_reason":"stop"}`},
	}
}

// run is "exits" with the command under test and the flags it needs:
// "run N [arg…]".
func run(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 {
		ts.Fatalf("usage: run N [arg…]")
	}
	command := append([]string{args[0], ts.Getenv("CMD")}, strings.Fields(ts.Getenv("FLAGS"))...)
	exits(ts, neg, slices.Concat(command, args[1:]))
}

// records writes good lines for the command under test: "records N file".
func records(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, "records N file")
	repeat(ts, neg, []string{args[0], ts.Getenv("RECORD"), args[1]})
}

// exists reports whether a command's main.go is there yet.
func (s subject) exists() bool {
	_, err := os.Stat("../../" + s.command + "/main.go")
	return err == nil
}
