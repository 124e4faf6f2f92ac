package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkValidate judges archived answers of about 17 KB; THINKPIPE_CORPUS
// names a file of others.
func BenchmarkValidate(b *testing.B) {
	file := os.Getenv("THINKPIPE_CORPUS")
	if file == "" {
		file = filepath.Join(b.TempDir(), "raw.jsonl")
		var lines strings.Builder
		for i := range 1000 {
			lines.WriteString(exchange(i))
		}
		if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	b.ReportAllocs()
	for b.Loop() {
		if code, _, stderr := validate("", "--check", "-q", "--max-findings", "0", file); code > 1 {
			b.Fatal(stderr)
		}
	}
}

// exchange is an archived answer that passes.
func exchange(i int) string {
	var text strings.Builder
	for n := 0; text.Len() < 17_000; n++ {
		fmt.Fprintf(&text, `Step %d of %d: we take the %d-th term, $\\frac{%d}{%d}$, and \"add\" it.\nfor i := %d; i < n; i++ { s[i] = '<' }\n`, n, i, n*7, i*n, n+1, n*n+3)
	}
	return fmt.Sprintf(`{"id":"q%d","response":{"choices":[{"index":0,"message":{"content":"<think>%s</think>So it is."},"finish_reason":"stop"}],"model":"qwen3"}}`+"\n", i, text.String())
}

// TestAllocations: what does not fail costs next to nothing, however much it is.
func TestAllocations(t *testing.T) {
	input := func(n int) string {
		var lines strings.Builder
		for i := range n {
			lines.WriteString(exchange(i))
		}
		return lines.String()
	}
	allocs := func(in string) float64 {
		return testing.AllocsPerRun(5, func() {
			if code, _, stderr := validate(in, "-q"); code != 0 {
				t.Fatal(stderr)
			}
		})
	}
	few, many := allocs(input(50)), allocs(input(250))
	if per := (many - few) / 200; per > 1 { // the race detector makes pools forget
		t.Errorf("%.2f allocations a record", per)
	}
}
