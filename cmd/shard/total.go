package main

import (
	"context"
	"os"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// total counts the lines of the inputs, or their bytes, in a reading of its own.
// Damage is left to the second reading to tell.
func total(ctx context.Context, s *cmdline.Session, p *plan, sources []jsonl.Source) (int64, error) {
	if err := readableTwice(s); err != nil {
		return 0, err
	}
	newWorker := func() func(*jsonl.Block) { return countBlock }
	var lines, bytes int64
	jsonl.Map(ctx, sources, s.Options(), newWorker, func(b *jsonl.Block) error {
		c := b.Value.(counts)
		lines += c.lines
		bytes += c.bytes
		return nil
	})
	if p.rule.By == shard.Bytes {
		return bytes, ctx.Err()
	}
	return lines, ctx.Err()
}

type counts struct{ lines, bytes int64 }

func countBlock(b *jsonl.Block) {
	var c counts
	for line := range b.Lines() {
		c.lines++
		c.bytes += int64(len(line.Data)) + 1
	}
	b.Value = c
}

func readableTwice(s *cmdline.Session) error {
	names := s.Files()
	if len(names) == 0 {
		names = []string{"-"}
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if name != "-" && (err != nil || info.Mode().IsRegular()) {
			continue
		}
		return cmdline.WithHint(cmdline.Usagef("--by %s reads the input twice, which %s does not allow", s.String("by"), cmdline.Quote(name)),
			"name regular files, or use --by round-robin; with --shuffle one reading is enough")
	}
	return nil
}
