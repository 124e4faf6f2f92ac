package main

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

// plan is what the flags ask for.
type plan struct {
	by       string // the rule's name
	rule     shard.Rule
	split    bool            // there are shards
	chosen   int             // the shard that passes, -1 for all
	template *shard.Template // nil: one output
	assign   bool
	idField  string
	keep     float64 // share of the lines
	limit    int64
	dedupe   string // "id", "content" or ""
	shuffle  bool
	seed     int64
	longWhen *prompt.Condition  // nil: lanes are not set
	exclude  []string           // archives
	read     []cmdline.PathFlag // files that are read besides the arguments
	answered *shard.Set         // the ids that they answer, nil without --exclude
	maxFiles int

	promptField string
	manifest    string // file, "" for none
	fromJSON    bool
	joins       bool // shards are merged
	memory      int64
	tmpDir      string
}

func newPlan(s *cmdline.Session) (plan, error) {
	p := plan{
		by:       s.String("by"),
		split:    s.IsSet("shards") || s.IsSet("select"),
		chosen:   -1,
		assign:   s.Bool("assign-ids"),
		idField:  s.String("id-field"),
		keep:     1,
		limit:    math.MaxInt64,
		dedupe:   s.String("dedupe"),
		shuffle:  s.IsSet("shuffle"),
		seed:     s.Int64("shuffle"),
		maxFiles: s.Int("max-files"),

		promptField: s.String("prompt-field"),
		manifest:    s.String("manifest"),
		fromJSON:    isJSON(s),
		memory:      int64(*s.Generic("memory").(*cmdline.Size)),
		tmpDir:      s.String("tmp-dir"),
	}
	if err := s.RefuseEmpty("id-field", "manifest", "tmp-dir", "exclude", "prompt-field"); err != nil {
		return p, err
	}
	t, err := shard.ParseTemplate(s.String("output"))
	if err != nil {
		return p, cmdline.Usagef("--output: %w", err)
	}
	n, err := p.shards(s, t)
	if err != nil {
		return p, err
	}
	if p.rule, err = shard.ParseRule(p.by, n); err != nil {
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

func (p *plan) filters(s *cmdline.Session) (err error) {
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
	if s.IsSet("long-when") {
		when, err := prompt.ParseCondition(s.String("long-when"))
		if err != nil {
			return cmdline.Usagef("--long-when: %w", err)
		}
		p.longWhen = &when
	}
	if p.exclude, err = archives(s, s.StringSlice("exclude")); err != nil {
		return err
	}
	p.read = pathFlags("--exclude", p.exclude...)
	fewer := p.dedupe != "" || s.IsSet("keep") || s.IsSet("exclude")
	if p.rule.Counts() && (s.IsSet("limit") || fewer && !p.shuffle) {
		return cmdline.WithHint(cmdline.Usagef("--by %s with --keep, --limit, --dedupe or --exclude: its runs would be of any size", p.by),
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
	case strings.HasSuffix(s.String("output"), "/"):
		return cmdline.Usagef("--output: %s names a folder, not a file", cmdline.Quote(s.String("output")))
	case p.maxFiles < 1:
		return cmdline.Usagef("--max-files: %d is below 1", p.maxFiles)
	case p.template != nil && p.groupSize() > p.maxFiles:
		return tooManyFiles(p.maxFiles)
	case p.manifest != "" && (!s.IsSet("output") || s.String("output") == "-"):
		return cmdline.WithHint(cmdline.Usagef("--manifest without --output: there is no file to name"), "add -o FILE")
	case p.manifest != "" && !utf8.ValidString(s.String("output")+p.manifest):
		return cmdline.Usagef("--manifest: names that are not UTF-8 cannot stand in it")
	}
	return nil
}

func tooManyFiles(n int) error {
	return cmdline.WithHint(cmdline.Usagef("more than %d files", n), "--max-files N allows more")
}

// groupSize is how many files each group has.
func (p *plan) groupSize() int {
	if p.template != nil && p.template.HasShard() && p.chosen < 0 {
		return p.rule.N
	}
	return 1
}

// needsID reports whether a line's id decides something, or is told in a manifest.
func (p *plan) needsID() bool {
	return p.assign || p.keep < 1 || p.dedupe == "id" || p.exclude != nil || p.manifest != "" || p.split && p.rule.By == shard.Hash
}

// mustHaveID reports whether a line is bad that has no id and gets none: the name
// that gen gives it depends on the lines before, which gen may not see.
func (p *plan) mustHaveID() bool { return p.dedupe == "id" || p.exclude != nil }

// writes are the files that are written besides --output.
func (p *plan) writes() []cmdline.PathFlag {
	if p.manifest == "" {
		return nil
	}
	return pathFlags("--manifest", p.manifest, p.manifest+shard.OrderSuffix)
}

func pathFlags(flag string, paths ...string) []cmdline.PathFlag {
	files := make([]cmdline.PathFlag, len(paths))
	for i, path := range paths {
		files[i] = cmdline.PathFlag{Name: flag, Path: path}
	}
	return files
}
