package main

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestChaos is a short version of make chaos.
func TestChaos(t *testing.T) {
	gen := filepath.Join(t.TempDir(), "gen")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", gen, "../../cmd/gen").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := run(gen, 24, 1, 6, t.Output()); err != nil {
		t.Fatal(err)
	}
}
