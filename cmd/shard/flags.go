package main

import (
	"math"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

func command() *cmdline.Command {
	return &cmdline.Command{
		Name:        "shard",
		Usage:       "split and choose lines of prompts",
		Arguments:   "[FILE …]",
		Description: manual,
		Examples:    examples,
		Flags:       flags(),
		Shared:      cmdline.Reads | cmdline.Writes | cmdline.Watched,
		Run:         run,
		Subcommands: absent(),
	}
}

const manual = `Lines are JSON objects, copied byte for byte. With -n N they go to N files, with --select I/N those
of one shard pass, with neither all do. A line without id goes by the one that gen will give it.
-o takes placeholders: {shard}, five digits from 00000; {shards}; and {NAME}, the value of any
field. All N files exist at the end, the empty ones, too, unless there was no line at all.

Memory grows with the number of files, by up to 4 MB for each that is compressed (0.6 MB when they
are a thousand) and 0.1 MB for each that is not; with --dedupe by about 60 bytes a line, with
--assign-ids by about 200 bytes a line without id and 60 bytes a line whose id is of the given form.`

const examples = `shard -n 8 -o 'shards/{shard}.jsonl.zst' prompts.jsonl
shard --select 3/8 prompts.jsonl | gen --server http://host:8000 -o raw.3.jsonl.zst
shard -o 'by-dataset/{dataset}.jsonl' all.jsonl.zst
shard --assign-ids --keep 1% prompts.jsonl > few.jsonl`

func flags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "shards", Aliases: []string{"n"}, Usage: "split into `N` files, named by {shard} in -o"},
		&cli.StringFlag{Name: "select", Usage: "pass the lines of one shard, `I/N`, I from 0"},
		&cli.StringFlag{Name: "by", Value: "hash", Usage: "what decides a line's shard, `RULE`: hash (of the id), field=NAME, round-robin, range or bytes"},
		&cli.BoolFlag{Name: "assign-ids", Usage: "give an id to lines that have none"},
		&cli.StringFlag{Name: "id-field", Usage: "the id is in field `NAME`", DefaultText: "id, custom_id, uuid, question_id or task_id"},
		&cli.GenericFlag{Name: "keep", Value: new(cmdline.Limit), DefaultText: "all", Usage: "keep a share of the lines, `RATE`, such as 0.1 or 10%, chosen by id"},
		&cli.Int64Flag{Name: "limit", Usage: "stop after `N` lines were written"},
		&cli.StringFlag{Name: "dedupe", Usage: "drop lines whose `id|content` was there before; content is the prompt"},
		&cli.StringFlag{Name: "prompt-field", Usage: "the prompt is in field `NAME`; a line without it is bad"},
		&cli.IntFlag{Name: "max-files", Value: 1024, Hidden: true, Usage: "refuse to write more than `N` files"},
	}
}

// plan is what the flags ask for.
type plan struct {
	rule     shard.Rule
	split    bool            // there are shards
	chosen   int             // the shard that passes, -1 for all
	template *shard.Template // nil: one output
	assign   bool
	idField  string
	keep     float64 // share of the lines
	limit    int64
	dedupe   string // "id", "content" or ""
	maxFiles int

	promptField string
}

func newPlan(s *cmdline.Session) (plan, error) {
	p := plan{
		split:    s.IsSet("shards") || s.IsSet("select"),
		chosen:   -1,
		assign:   s.Bool("assign-ids"),
		idField:  s.String("id-field"),
		keep:     1,
		limit:    math.MaxInt64,
		dedupe:   s.String("dedupe"),
		maxFiles: s.Int("max-files"),

		promptField: s.String("prompt-field"),
	}
	t, err := shard.ParseTemplate(s.String("output"))
	if err != nil {
		return p, cmdline.Usagef("--output: %w", err)
	}
	n, err := p.shards(s, t)
	if err != nil {
		return p, err
	}
	if p.rule, err = shard.ParseRule(s.String("by"), n); err != nil {
		return p, cmdline.Usagef("--by: %w", err)
	}
	if err := p.filters(s); err != nil {
		return p, err
	}
	return p, p.output(s, t)
}

// shards is the N of -n or --select, 1 for neither.
func (p *plan) shards(s *cmdline.Session, t *shard.Template) (n int, err error) {
	switch {
	case s.IsSet("shards") && s.IsSet("select"):
		return 0, cmdline.Usagef("--shards splits and --select passes one shard: not both")
	case s.IsSet("select"):
		if p.chosen, n, err = shard.ParsePart(s.String("select")); err != nil {
			return 0, cmdline.Usagef("--select: %w", err)
		}
		return n, nil
	case s.IsSet("shards"):
		if n = s.Int("shards"); n < 1 {
			return 0, cmdline.Usagef("--shards: %d is below 1", n)
		}
		return n, nil
	case s.IsSet("by") && !(t.HasFields() && strings.HasPrefix(s.String("by"), "field=")):
		return 0, cmdline.WithHint(cmdline.Usagef("--by without a number of shards"), "add -n N or --select I/N")
	}
	return 1, nil
}

func (p *plan) filters(s *cmdline.Session) error {
	if s.IsSet("id-field") && p.idField == "" {
		return cmdline.Usagef("--id-field: the name is empty")
	}
	if s.IsSet("keep") {
		keep := s.Generic("keep").(*cmdline.Limit)
		rate, ok := keep.IsRate()
		if !ok {
			return cmdline.WithHint(cmdline.Usagef("--keep: %s is a number of lines, not a share", keep), "--limit N stops after N lines")
		}
		p.keep = rate
	}
	if s.IsSet("limit") {
		if p.limit = s.Int64("limit"); p.limit < 1 {
			return cmdline.Usagef("--limit: %d is below 1", p.limit)
		}
	}
	if s.IsSet("dedupe") && p.dedupe != "id" && p.dedupe != "content" {
		return cmdline.Usagef("--dedupe: %s is not one of id, content", cmdline.Quote(p.dedupe))
	}
	if p.rule.Counts() && (p.dedupe != "" || s.IsSet("keep") || s.IsSet("limit")) {
		return cmdline.WithHint(cmdline.Usagef("--by %s with --keep, --limit or --dedupe: its runs would be of any size", s.String("by")),
			"choose first: shard --keep … | shard --by …")
	}
	return nil
}

// output tells a template from the name of one file.
func (p *plan) output(s *cmdline.Session, t *shard.Template) error {
	if t.HasShard() || t.HasFields() || t.HasShards() {
		p.template = t
	}
	switch {
	case s.IsSet("shards") && !t.HasShard() && t.HasFields():
		return cmdline.WithHint(cmdline.Usagef("--shards without {shard} in --output"), "without -n there is a file for each value")
	case s.IsSet("shards") && !t.HasShard():
		return cmdline.WithHint(cmdline.Usagef("--shards without {shard} in --output"),
			"such as -o 'shards/{shard}.jsonl.zst'; --select I/N writes one shard to standard output")
	case t.HasShard() && !p.split:
		return cmdline.WithHint(cmdline.Usagef("{shard} in --output without a number of shards"), "add -n N")
	case p.maxFiles < 1:
		return cmdline.Usagef("--max-files: %d is below 1", p.maxFiles)
	case p.template != nil && p.groupSize() > p.maxFiles:
		return tooManyFiles(p.maxFiles)
	}
	return nil
}

func tooManyFiles(n int) error {
	return cmdline.WithHint(cmdline.Usagef("more than %d files", n), "--max-files N allows more")
}

// groupSize is how many files each group has.
func (p *plan) groupSize() int {
	if p.template.HasShard() && p.chosen < 0 {
		return p.rule.N
	}
	return 1
}

// needsID reports whether a line's id decides something.
func (p *plan) needsID() bool {
	return p.assign || p.keep < 1 || p.dedupe == "id" || p.split && p.rule.By == shard.Hash
}
