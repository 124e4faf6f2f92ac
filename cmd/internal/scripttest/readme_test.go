package scripttest

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const projectRoot = "../../.."

// block is one shell block of a Markdown text.
type block struct {
	line   int // of its first line
	script string
	notRun string // the reason in an HTML comment right before it
}

// testReadme runs every shell block of README.md in a copy of the project, in
// order, as somebody who follows it would. A block after
//
//	<!-- not run: REASON -->
//
// is passed over.
func testReadme(t *testing.T, bin string) {
	text, err := os.ReadFile(filepath.Join(projectRoot, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir := copyProject(t)
	blocks, skipped := shellBlocks(string(text)), 0
	for _, b := range blocks {
		if b.notRun != "" {
			t.Logf("README.md:%d is not run: %s", b.line, b.notRun)
			skipped++
			continue
		}
		runBlock(t, b, dir, bin)
	}
	t.Logf("%d shell blocks, %d not run", len(blocks), skipped)
	if skipped == len(blocks) {
		t.Error("README.md has no shell block that runs")
	}
}

func runBlock(t *testing.T, b block, dir, bin string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-eo", "pipefail", "-c", b.script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GORACE="+goRace, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("README.md:%d: %v\n%s\n%s", b.line, err, b.script, out)
	}
}

// shellBlocks finds the blocks fenced with ```sh or ```bash.
func shellBlocks(markdown string) []block {
	var blocks []block
	var open *block
	before, n := "", 0
	for line := range strings.Lines(markdown) {
		n++
		text := strings.TrimSpace(line)
		switch {
		case open != nil && text == "```":
			blocks = append(blocks, *open)
			open, before = nil, ""
		case open != nil:
			open.script += line
		case text == "```sh" || text == "```bash":
			open = &block{line: n + 1, notRun: reasonIn(before)}
		case text != "":
			before = text
		}
	}
	return blocks
}

// reasonIn is the REASON of "<!-- not run: REASON -->".
func reasonIn(comment string) string {
	reason, ok := strings.CutPrefix(comment, "<!-- not run:")
	if !ok {
		return ""
	}
	return strings.TrimSpace(strings.TrimSuffix(reason, "-->"))
}

// copyProject copies the project without its history and what it builds.
func copyProject(t *testing.T) string {
	t.Helper()
	to := t.TempDir()
	err := filepath.WalkDir(projectRoot, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(projectRoot, path)
		if err != nil {
			return err
		}
		switch {
		case name == ".git" || name == "bin" || name == filepath.Join("demo", "out"):
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o777)
		case d.Type().IsRegular():
			return copyFile(path, filepath.Join(to, name))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

func copyFile(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, info.Mode().Perm())
}

func TestShellBlocks(t *testing.T) {
	got := shellBlocks("text\n```sh\nmake\n```\n<!-- not run: no cluster here -->\n\n```bash\nsbatch x\n```\n```json\n{}\n```\n")
	want := []block{{3, "make\n", ""}, {8, "sbatch x\n", "no cluster here"}}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("%+v, want %+v", got, want)
	}
}
