package main

import (
	"strings"
	"testing"
	"time"
)

func TestDroughtIsTold(t *testing.T) {
	var d drought
	f := func(lasted time.Duration, due, over bool) {
		t.Helper()
		if gotDue, gotOver := d.due(lasted); gotDue != due || gotOver != over {
			t.Errorf("after %v: due %v, over %v", lasted, gotDue, gotOver)
		}
	}
	f(0, false, false)
	f(59*time.Second, false, false)
	f(0, false, false)
	f(61*time.Second, true, false)
	f(2*time.Minute, false, false)
	f(123*time.Second, true, false)
	f(0, false, true)
	f(0, false, false)
	f(time.Minute, true, false)
}

// TestPatience: a server that only asks to slow down is not asked for ever.
func TestPatience(t *testing.T) {
	code, out, log := gen(t, prompts(30), "--server", "sim:?latency=0&fail=429:1", "--patience", "1s", "-c", "30", "--progress", "never")
	if code != 75 || !strings.Contains(log, "no answer for ") || !strings.Contains(log, "the last with http.429") || !strings.Contains(log, "30 pending") {
		t.Errorf("exit %d\n%s", code, log)
	}
	if n := strings.Count(out, "\n"); n < 20 {
		t.Errorf("gave up after %d attempts", n)
	}
}
