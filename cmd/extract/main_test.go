package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/cmd/internal/scripttest"
)

func TestScripts(t *testing.T) { scripttest.Run(t, "testdata") }

// ran is what one run did.
type ran struct {
	code     int
	out, err string
}

// try runs the command with text on its standard input.
func try(stdin string, args ...string) ran {
	var out, errs bytes.Buffer
	code := cmdline.Main(command(), cmdline.Streams{
		Args: append([]string{"extract"}, args...),
		In:   strings.NewReader(stdin), Out: &out, Err: &errs,
	})
	return ran{code, out.String(), errs.String()}
}

// The output does not depend on the number of workers, and keeps input order.
func TestWorkersKeepOrder(t *testing.T) {
	var in strings.Builder
	for n := range 20_000 {
		fmt.Fprintf(&in, `{"id":%d,"content":"<think>%s</think>%d","finish_reason":"stop"}`+"\n", n, strings.Repeat("r", n%300), n)
	}
	one, many := try(in.String(), "-j", "1"), try(in.String(), "-j", "8")
	if one.code != 0 || one.out != many.out || one.err != many.err || strings.Count(one.out, "\n") != 20_000 {
		t.Errorf("-j 1: exit %d, %d bytes, -j 8: exit %d, %d bytes\n%s%s", one.code, len(one.out), many.code, len(many.out), one.err, many.err)
	}
}
