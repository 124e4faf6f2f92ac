package main

import (
	"bytes"
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
