package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// gold is a stream as vLLM sent it, special tokens in the content, and the
// right split of it.
type gold struct {
	NormalContent    string `json:"normal_content"`
	ReasoningContent string `json:"reasoning_content"`
	ToolCalls        []struct {
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
	Data []struct{ Data json.RawMessage }
}

func readGold(t *testing.T, file []byte) (g gold) {
	if err := json.Unmarshal(file, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

// chunks are those of the stream, a line each.
func (g gold) chunks() string {
	var lines bytes.Buffer
	for _, d := range g.Data {
		json.Compact(&lines, d.Data)
		lines.WriteByte('\n')
	}
	return lines.String()
}

// TestGold holds what extract makes of raw streams against splits made elsewhere.
func TestGold(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(data(t, "gold"), "*"))
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			file, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			g := readGold(t, file)
			r := try(g.chunks(), "--from", "chunks")
			got := parse(t, r.out)["0"]
			if r.code != 0 || got.Reasoning != g.ReasoningContent || got.Content != g.NormalContent {
				t.Errorf("exit %d\n%s reasoning %q\nwant %q\ncontent %q\nwant %q", r.code, r.err, got.Reasoning, g.ReasoningContent, got.Content, g.NormalContent)
			}
			if len(got.ToolCalls) != len(g.ToolCalls) {
				t.Fatalf("calls %v, want %v", got.ToolCalls, g.ToolCalls)
			}
			for i, want := range g.ToolCalls {
				if got := got.ToolCalls[i].Function; got.Name != want.Function.Name || !sameJSON(got.Arguments, want.Function.Arguments) {
					t.Errorf("call %v, want %v", got, want)
				}
			}
		})
	}
}

// sameJSON compares values, not texts: one of the splits has its keys in
// another order than the model wrote them.
func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}
