package scripttest

import "testing"

// TestContract runs what all four promise, for each of them.
func TestContract(t *testing.T) {
	for _, s := range subjects() {
		t.Run(s.command, func(t *testing.T) {
			if !s.exists() {
				t.Skipf("cmd/%s/main.go does not exist", s.command)
			}
			bin := Build(t, s.command)
			RunWith(t, "contract", bin, s.environment())
		})
	}
}

// TestWords runs the words that scripts have here against plain sh.
func TestWords(t *testing.T) { Run(t, "testdata") }

// TestPipeline runs scripts of several commands.
func TestPipeline(t *testing.T) { Run(t, "pipeline") }
