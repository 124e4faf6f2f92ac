package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/provenance"
)

func TestEpochsAreNumberedByWhatServersAre(t *testing.T) {
	e := newEpochs()
	f := func(server int, version string, want int, wantBefore string) {
		t.Helper()
		got, before := e.enter(server, "server", provenance.Server{Engine: "sglang", Version: version}, time.Time{})
		was := ""
		if before != nil {
			was = before.Version
		}
		if got != want || was != wantBefore || e.of(server) != want {
			t.Errorf("server %d as %s: epoch %d, before %q, want %d %q", server, version, got, was, want, wantBefore)
		}
	}
	e.inherit(&provenance.Archive{Epochs: []provenance.Epoch{
		{Number: 1, Servers: []string{"server"}, Server: provenance.Server{Engine: "sglang", Version: "1"}},
		{Number: 3, Servers: []string{"other"}, Server: provenance.Server{Engine: "sglang", Version: "3"}},
	}})
	e.inherit(&provenance.Archive{Epochs: []provenance.Epoch{{Number: 3, Server: provenance.Server{Engine: "vllm"}}}})
	e.taken(5)
	f(0, "1", 1, "")
	f(1, "1", 1, "")
	f(0, "2", 6, "1")
	f(0, "1", 1, "")
	f(1, "2", 6, "")
	f(2, "3", 7, "2") // 3 means two things; before: what a server of this name was last
	if n := len(e.ofRun()); n != 3 {
		t.Errorf("%d epochs in this run", n)
	}
}

// TestNoSecretsBesideTheArchive holds that neither URL nor key of a server get there.
func TestNoSecretsBesideTheArchive(t *testing.T) {
	url, _ := simulated(t, "latency=0&parser=on", nil)
	t.Setenv("PROBE_KEY", "sk-the-very-key")
	archive := filepath.Join(t.TempDir(), "raw.jsonl")
	server := strings.Replace(url, "http://", "http://somebody:hunter2222@", 1) + "/?key=query-secret"
	code, _, log := gen(t, prompts(2), "--server", server, "--api-key-env", "PROBE_KEY", "--param", "user=sk-the-very-key", "-o", archive, "--progress", "never")
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, log)
	}
	text, err := os.ReadFile(provenance.Path(archive))
	if err != nil {
		t.Fatal(err)
	}
	var a provenance.Archive
	if err := json.Unmarshal(text, &a); err != nil || len(a.Runs) != 1 || len(a.Runs[0].Command) != 11 {
		t.Fatalf("%v %s", err, text)
	}
	for _, secret := range []string{"somebody", "hunter2222", "query-secret", "sk-the-very-key"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%s is in %s", secret, text)
		}
	}
}
