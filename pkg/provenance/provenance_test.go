package provenance_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/provenance"
)

func TestRoundTrip(t *testing.T) {
	at := time.Date(2026, 11, 30, 11, 41, 0, 0, time.UTC)
	exit := 0
	want := &provenance.Archive{
		Epochs: []provenance.Epoch{{Number: 2, Servers: []string{"http://a"}, Since: at, Server: provenance.Server{
			Engine: "sglang", Version: "0.5", Model: "m", KnownParsers: true, ReasoningParser: "kimi_k2", TemplateSHA256: "ab",
			Arguments: map[string]json.RawMessage{"tp_size": json.RawMessage("8")},
		}}},
		Runs: []provenance.Run{{
			Run: "run_1", Started: at, Finished: &at, Version: "v1", Commit: "c", Go: "go", Command: []string{"gen", "--server", "<a>"},
			Sampling: json.RawMessage(`{"top_p":1E0}`), Probes: []provenance.Probe{{Server: "http://a", Epoch: 2, Thinking: "reasoning", Prompt: -1}},
			Exit: &exit, Account: json.RawMessage(`{"in":1}`),
		}},
	}
	path := filepath.Join(t.TempDir(), "raw.jsonl.zst")
	if _, err := provenance.Read(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing there: %v", err)
	}
	if err := want.Write(path); err != nil {
		t.Fatal(err)
	}
	got, err := provenance.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	compact := got.Runs[0]
	if string(compact.Sampling) == "" || got.Epoch(2) == nil || got.Epoch(1) != nil || got.Last() != 2 {
		t.Errorf("got %+v", got)
	}
	got.Runs[0].Sampling, got.Runs[0].Account = want.Runs[0].Sampling, want.Runs[0].Account // indented
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %+v\nwant %+v", got, want)
	}
}

func TestEmptyListsAreThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raw.jsonl")
	a := provenance.Archive{Epochs: []provenance.Epoch{{Number: 1}}, Runs: []provenance.Run{{Run: "run_1"}}}
	if err := a.Write(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(provenance.Path(path))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Epochs, Runs []map[string]any
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for key, v := range map[string]any{"servers": got.Epochs[0]["servers"], "arguments": got.Epochs[0]["arguments"],
		"command": got.Runs[0]["command"], "probes": got.Runs[0]["probes"], "sampling": got.Runs[0]["sampling"]} {
		if v == nil {
			t.Errorf("%s is null", key)
		}
	}
}

func TestSameState(t *testing.T) {
	f := func(change func(*provenance.Server), want bool) {
		t.Helper()
		a := provenance.Server{Engine: "vllm", Version: "0.11", Model: "m", Arguments: map[string]json.RawMessage{"max_model_len": json.RawMessage("4096")}}
		b := a
		b.Arguments = map[string]json.RawMessage{"max_model_len": json.RawMessage("4096")}
		change(&b)
		if a.Same(&b) != want || b.Same(&a) != want {
			t.Errorf("%+v: want same %v", b, want)
		}
	}
	f(func(*provenance.Server) {}, true)
	f(func(s *provenance.Server) { s.Version = "0.12" }, false)
	f(func(s *provenance.Server) { s.ReasoningParser = "kimi_k2" }, false)
	f(func(s *provenance.Server) { s.KnownParsers = true }, false)
	f(func(s *provenance.Server) { s.TemplateSHA256 = "a" }, false)
	f(func(s *provenance.Server) { s.Arguments["max_model_len"] = json.RawMessage("8192") }, false)
	f(func(s *provenance.Server) { s.Arguments["tp_size"] = json.RawMessage("8") }, false)
}

func TestDamagedFileIsNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raw.jsonl")
	if err := os.WriteFile(provenance.Path(path), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := provenance.Read(path); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestBeside(t *testing.T) {
	f := func(name, want string) {
		t.Helper()
		if got := provenance.Beside(name); got != want {
			t.Errorf("Beside(%q) = %q, want %q", name, got, want)
		}
	}
	f("raw.jsonl.zst.run.json", "raw.jsonl.zst")
	f("d/raw.jsonl.probe", "d/raw.jsonl")
	f("raw.jsonl.zst.partial", "raw.jsonl.zst")
	f("raw.jsonl.zst.lock", "raw.jsonl.zst")
	f("raw.jsonl.probe.torn", "raw.jsonl.probe")
	f("raw.jsonl.zst", "")
	f("run.json", "")
	f("d/.probe", "")
	f(".lock", "")
}

func TestApart(t *testing.T) {
	f := func(files, archives, beside string) {
		t.Helper()
		a, b := provenance.Apart(strings.Fields(files))
		if strings.Join(a, " ") != archives || strings.Join(b, " ") != beside {
			t.Errorf("Apart(%s) = %v, %v", files, a, b)
		}
	}
	f("raw raw.probe raw.run.json raw2", "raw raw2", "raw.probe raw.run.json")
	f("raw.probe.lock raw", "raw", "raw.probe.lock")
	f("raw.probe.lock raw.probe", "raw.probe", "raw.probe.lock")
	f("raw.probe other", "raw.probe other", "")
	f("d/raw ./d//raw.probe e/raw.probe", "d/raw e/raw.probe", "./d//raw.probe")
	f("- raw raw", "- raw raw", "")
	f("", "", "")
}

// TestIn looks into folders whose own names are patterns.
func TestIn(t *testing.T) {
	for _, name := range []string{"odd[1]", "a*", "b?", `c\d`, "plain"} {
		folder := filepath.Join(t.TempDir(), name)
		if _, err := provenance.In(folder, provenance.Pattern); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s, not there: %v", name, err)
		}
		if err := os.MkdirAll(filepath.Join(folder, "raw.d.jsonl"), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"raw.b.jsonl.zst", "raw.a.jsonl", "raw.a.jsonl.probe", "raw.a.jsonl.run.json", "rare.jsonl"} {
			if err := os.WriteFile(filepath.Join(folder, file), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		found, err := provenance.In(folder, provenance.Pattern)
		want := []string{filepath.Join(folder, "raw.a.jsonl"), filepath.Join(folder, "raw.b.jsonl.zst")}
		if err != nil || !slices.Equal(found, want) {
			t.Errorf("In(%q) = %q, %v", name, found, err)
		}
	}
}
