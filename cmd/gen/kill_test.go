package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/scripttest"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// TestKill kills gen at random moments and starts the same command again, until
// a run comes to its end: then every prompt has exactly one success, every line
// of the archive parses, and every sha256 holds.
func TestKill(t *testing.T) {
	bin := filepath.Join(scripttest.Build(t, "gen"), "gen")
	for _, name := range []string{"raw.jsonl.zst", "raw.jsonl"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			killAndResume(t, bin, filepath.Join(t.TempDir(), name), 300)
		})
	}
}

func killAndResume(t *testing.T, bin, archive string, prompts int) {
	var in bytes.Buffer
	for i := range prompts {
		fmt.Fprintf(&in, `{"id":"p%d","prompt":"What is %d plus %d?"}`+"\n", i, i, i+1)
	}
	file := filepath.Join(filepath.Dir(archive), "prompts.jsonl")
	if err := os.WriteFile(file, in.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	seed := 0 // with one seed, what failed before a kill fails behind it: the breaker would wait
	run := func(killAfter time.Duration) error {
		seed++
		server := fmt.Sprintf("sim:?latency=15ms&fail=500:0.1&cut=0.05&seed=%d", seed)
		cmd := exec.Command(bin, "--server", server, "-c", "8", "--sync-interval", "20ms", "--progress", "never", "-o", archive, file)
		var log bytes.Buffer
		cmd.Stderr = &log
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(killAfter, func() { cmd.Process.Kill() })
		defer kill.Stop()
		err := cmd.Wait()
		if err == nil {
			t.Logf("%s", log.Bytes())
		}
		return err
	}
	kills := 0
	for kills < 8 && run(time.Duration(20+rand.IntN(400))*time.Millisecond) != nil {
		kills++
	}
	if err := run(2 * time.Minute); err != nil {
		t.Fatalf("the last run: %v", err)
	}
	t.Logf("killed %d times", kills)
	checkArchive(t, archive, prompts)
}

// checkArchive reads an archive as a stranger would.
func checkArchive(t *testing.T, path string, prompts int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	successes := map[string]int{}
	err = eachLine(jsonl.NewReader(f, path, jsonl.Options{}), func(line jsonl.Line) error {
		var x struct {
			ID       string `json:"custom_id"`
			Error    *struct{ Code string }
			Response *struct {
				Body   json.RawMessage
				Text   string
				SHA256 string `json:"sha256"`
			}
		}
		if err := json.Unmarshal(line.Data, &x); err != nil {
			return fmt.Errorf("%s: %w", line.Pos, err)
		}
		if x.Error == nil {
			successes[x.ID]++
		}
		if r := x.Response; r != nil {
			sum := sha256.Sum256(append(r.Body, r.Text...))
			if hex.EncodeToString(sum[:]) != r.SHA256 {
				return fmt.Errorf("%s: the sha256 does not hold", line.Pos)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range prompts {
		if n := successes[fmt.Sprintf("p%d", i)]; n != 1 {
			t.Errorf("p%d has %d successes", i, n)
		}
	}
	if len(successes) != prompts {
		t.Errorf("%d ids, %d prompts", len(successes), prompts)
	}
}
