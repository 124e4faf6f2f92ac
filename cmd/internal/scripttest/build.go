package scripttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// Commands are the four.
func Commands() []string { return []string{"shard", "gen", "extract", "validate"} }

// Build builds commands into a folder that lives as long as the test, with the
// race detector when the test has it, and returns the folder.
func Build(t testing.TB, commands ...string) string {
	t.Helper()
	bin := t.TempDir()
	if len(commands) == 0 {
		return bin
	}
	// Neither the version nor the state of a checkout matters to a script.
	args := []string{"build", "-buildvcs=false", "-o", bin + string(filepath.Separator)}
	if race {
		args = append(args, "-race")
	}
	for _, c := range commands {
		args = append(args, "github.com/thinkpipe/thinkpipe/cmd/"+c)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("go %v: %v\n%s", args, err, out)
	}
	return bin
}

// mentioned are the commands that the scripts of a folder name: linking takes
// longer than running.
func mentioned(t testing.TB, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no scripts (%v)", dir, err)
	}
	return slices.DeleteFunc(Commands(), func(c string) bool {
		word := regexp.MustCompile(`\b` + c + `\b`)
		return !slices.ContainsFunc(files, func(f string) bool {
			text, err := os.ReadFile(f)
			return err != nil || word.Match(text)
		})
	})
}
