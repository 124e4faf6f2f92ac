package main

import (
	"bytes"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/cmd/internal/scripttest"
)

// asCommand in the environment makes the test's own program gen.
const asCommand = "GEN_TEST_AS_COMMAND"

// TestMain checks that no goroutine outlives the runs.
func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	log.SetOutput(io.Discard) // as main does
	goleak.VerifyTestMain(m)
}

func TestScripts(t *testing.T) {
	stop, err := filepath.Abs("../../scripts/stop")
	if err != nil {
		t.Fatal(err)
	}
	scripttest.RunWith(t, "testdata", scripttest.Build(t, scripttest.Commands()...), map[string]string{"STOP": stop, "SCHEMA": "response_format={\n\"type\": \"json_object\"\n}"})
}

// gen runs the command in this process.
func gen(t *testing.T, input string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, log bytes.Buffer
	code = cmdline.Main(command(), cmdline.Streams{
		Args: append([]string{"gen"}, args...), In: strings.NewReader(input), Out: &out, Err: &log,
	})
	return code, out.String(), log.String()
}
