package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
)

// BenchmarkSplit splits 64 MB of prompts into eight files.
func BenchmarkSplit(b *testing.B) {
	in := filepath.Join(b.TempDir(), "in.jsonl")
	f, err := os.Create(in)
	if err != nil {
		b.Fatal(err)
	}
	size := 0
	for i := 0; size < 64<<20; i++ {
		n, _ := fmt.Fprintf(f, `{"id":"prompt-%d","dataset":"bench","messages":[{"role":"user","content":"%s"}]}`+"\n", i, strings.Repeat(`why\nis größer than \"x\"? `, 1+i%40)[1:])
		size += n
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	for _, by := range []string{"hash", "round-robin"} {
		b.Run(by, func(b *testing.B) {
			b.SetBytes(int64(size))
			out := b.TempDir()
			for b.Loop() {
				var told strings.Builder
				code := cmdline.Main(command(), cmdline.Streams{Args: []string{"shard", "-q", "-n", "8", "--by", by, "-o", out + "/{shard}", in}, Out: &told, Err: &told})
				if code != 0 {
					b.Fatal(told.String())
				}
			}
		})
	}
}
