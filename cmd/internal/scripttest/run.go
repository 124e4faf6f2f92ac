package scripttest

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Run runs every script of a folder, each as a parallel subtest in a folder of
// its own, with the commands that the scripts mention first on PATH. With
// UPDATE=1 in the environment, what "cmp" compares is written into the scripts.
func Run(t *testing.T, dir string) {
	t.Helper()
	RunWith(t, dir, Build(t, mentioned(t, dir)...), nil)
}

// RunWith is Run with commands that are built already and more variables in
// the scripts' environment.
func RunWith(t *testing.T, dir, bin string, vars map[string]string) {
	t.Helper()
	testscript.Run(t, testscript.Params{
		Dir:                dir,
		Cmds:               words(),
		RequireUniqueNames: true,
		UpdateScripts:      os.Getenv("UPDATE") != "",
		Condition: func(cond string) (bool, error) {
			return cond == vars["CMD"], checkCondition(cond)
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("GORACE", goRace)
			e.Setenv("PATH", bin+string(os.PathListSeparator)+e.Getenv("PATH"))
			for name, value := range vars {
				e.Setenv(name, value)
			}
			return nil
		},
	})
}

// goRace keeps a process with the race detector from waiting a second at its end.
const goRace = "atexit_sleep_ms=0"

// checkCondition refuses all but "[shard]", "[gen]" and so on, which hold while
// the command under test is that one.
func checkCondition(cond string) error {
	if !slices.Contains(Commands(), cond) {
		return fmt.Errorf("unknown condition %q", cond)
	}
	return nil
}

// words are the commands that scripts have beside those of testscript.
func words() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"exits":      exits,
		"pipeline":   pipeline,
		"signals":    signals,
		"counts":     counts,
		"jsonlines":  jsonLines,
		"compress":   compress,
		"decompress": decompress,
		"head-bytes": headBytes,
		"repeat":     repeat,
		"run":        run,
		"records":    records,
	}
}
