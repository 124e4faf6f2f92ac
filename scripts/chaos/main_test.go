package main

import (
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestChaos is a short version of make chaos.
func TestChaos(t *testing.T) {
	if err := run(build(t), 24, 1, 6, t.Output()); err != nil {
		t.Fatal(err)
	}
}

// TestSoak is a short version of make soak: idle connections live for a fraction
// of a second, and a run is stopped for longer than its clocks allow.
func TestSoak(t *testing.T) {
	if err := soakAll(build(t), 250*time.Millisecond, 4*time.Second, t.Output()); err != nil {
		t.Fatal(err)
	}
}

func build(t *testing.T) (gen string) {
	t.Helper()
	gen = filepath.Join(t.TempDir(), "gen")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", gen, "../../cmd/gen").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return gen
}
