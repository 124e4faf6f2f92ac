package scripttest

import (
	"path/filepath"
	"testing"
)

// TestCommands builds the four once and runs everything that needs them.
func TestCommands(t *testing.T) {
	bin := Build(t, Commands()...)
	t.Run("contract", func(t *testing.T) {
		for _, s := range subjects() {
			t.Run(s.command, func(t *testing.T) { RunWith(t, "contract", bin, s.environment()) })
		}
	})
	project, err := filepath.Abs(projectRoot)
	if err != nil {
		t.Fatal(err)
	}
	t.Run("pipeline", func(t *testing.T) { RunWith(t, "pipeline", bin, map[string]string{"project": project}) })
	t.Run("readme", func(t *testing.T) { testReadme(t, bin) })
	t.Run("job", func(t *testing.T) { testJob(t, bin) })
}

// TestWords runs the words that scripts have here against plain sh.
func TestWords(t *testing.T) { Run(t, "testdata") }
