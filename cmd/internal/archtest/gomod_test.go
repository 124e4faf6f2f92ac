package archtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGoMod holds go.mod to two blocks: what we import, and what that needs. go get
// begins others where it finds comments, and nobody sees what belongs to what.
func TestGoMod(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(projectRoot, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for line := range strings.Lines(string(text)) {
		switch {
		case strings.HasPrefix(line, "require"):
			blocks = append(blocks, "")
		case strings.HasPrefix(line, "\t") && len(blocks) > 0:
			kind := "direct"
			if strings.HasSuffix(line, "// indirect\n") {
				kind = "indirect"
			}
			if last := &blocks[len(blocks)-1]; *last == "" {
				*last = kind
			} else if *last != kind {
				t.Errorf("go.mod: %s stands among the %s requirements", strings.TrimSpace(line), *last)
			}
		}
	}
	if got := strings.Join(blocks, " "); got != "direct indirect" {
		t.Errorf("go.mod has the blocks %q: one of direct, one of indirect requirements", got)
	}
}
