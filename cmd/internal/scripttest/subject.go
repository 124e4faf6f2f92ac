package scripttest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// subject is one of the four as the scripts of contract see it: $CMD.
type subject struct {
	command string
	flags   []string // $FLAGS, without which it does nothing
	record  string   // $RECORD, a good line of input, # for the number in its id
	many    int      // $MANY, records whose output is more than a pipe holds, up to 1 MiB
	empty   int      // $EMPTY, exit code for input without records
}

func subjects() []subject {
	const answer = `{"id":"r#","reasoning":"because","content":"so","finish_reason":"stop"}`
	const prompt = `{"id":"r#","prompt":"why?"}`
	return []subject{
		{"shard", []string{"--select", "0/1"}, prompt, 60000, 0},
		{"gen", []string{"--server", "sim:?latency=0&tokens=1000"}, prompt, 500, 0},
		{"extract", nil, answer, 6000, 0},
		{"validate", nil, answer, 30000, 1},
	}
}

// environment is what scripts know of the command under test.
func (s subject) environment() map[string]string {
	return map[string]string{
		"CMD":    s.command,
		"FLAGS":  strings.Join(s.flags, " "),
		"RECORD": s.record,
		"MANY":   strconv.Itoa(s.many),
		"EMPTY":  strconv.Itoa(s.empty),
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
