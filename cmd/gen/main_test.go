package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/cmd/internal/scripttest"
)

func TestScripts(t *testing.T) { scripttest.Run(t, "testdata") }

// gen runs the command in this process.
func gen(t *testing.T, input string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, log bytes.Buffer
	code = cmdline.Main(command(), cmdline.Streams{
		Args: append([]string{"gen"}, args...), In: strings.NewReader(input), Out: &out, Err: &log,
	})
	return code, out.String(), log.String()
}
