package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/cmd/internal/whole"
	"github.com/thinkpipe/thinkpipe/pkg/export"
	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/provenance"
)

func command() *cmdline.Command {
	return &cmdline.Command{
		Name:      "extract",
		Usage:     "split the thinking off archived answers",
		Arguments: "[FILE …]",
		Description: `Reads archives of gen and what others left: Batch output, bodies, event streams, flat records,
conversations. Writes a sample for each answer, with what is known of it: thinking, answer and
calls apart, reasoning_status, and in extract.flags why it was split so. Lines that are samples
already pass through.

Memory: 8 bytes an answer, and about 700 bytes for each failed attempt until the end: a later
line may make up for it. --rejects holds such lines whole.`,
		Examples: `extract raw.jsonl.zst | validate --expect prompts.jsonl -o train.jsonl.zst
extract --family kimi_k2 --segments raw.jsonl.zst -o samples.jsonl.zst
extract --prove --format hf raw.jsonl.zst -o train.jsonl
extract --repair old/raw_responses.jsonl -o fixed.jsonl`,
		Flags:  flags(),
		Shared: cmdline.Reads | cmdline.Writes | cmdline.Watched | cmdline.Documents,
		Run:    run,
	}
}

func flags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "family", Value: "auto", Usage: "how the model marks its thinking: auto, none (the server split it) or `NAME` (--list-families)"},
		&cli.BoolFlag{Name: "list-families", Usage: "show the families, their aliases and markers"},
		&cli.StringFlag{Name: "open", Usage: "`MARKER` that opens a thought, instead of --family; none when the prompt has it"},
		&cli.StringFlag{Name: "close", Usage: "`MARKER` that closes a thought, instead of --family"},
		&cli.GenericFlag{Name: "unclosed", Value: cmdline.NewChoice("auto", "reasoning", "content"), Usage: "a text without closing marker is `WHAT`: auto, reasoning or content"},
		&cli.StringFlag{Name: "as", Value: "faithful", Usage: "split by whose `RULES`: faithful, which loses and trims nothing, sglang or vllm"},
		&cli.GenericFlag{Name: "from", Value: whole.Choice(), Usage: "inputs are `KIND`: auto (told by how they begin), jsonl, json (one value, array or batch of results), sse (an event stream) or chunks (those of a stream, one a line)"},
		&cli.StringFlag{Name: "text-field", Usage: "the raw text stands at `PATH` of each line, such as output.0.text"},
		&cli.StringFlag{Name: "format", Value: "sample", Usage: "write samples as `FORM`: " + forms()},
		&cli.BoolFlag{Name: "segments", Usage: "add the parts of each answer in order, markers and markup of calls included"},
		&cli.BoolFlag{Name: "prove", Usage: "hold every sample against the archive, byte for byte, and say so in one line"},
		&cli.StringFlag{Name: "compare", Usage: "split by other `RULES`, too, and count where the two differ"},
		&cli.BoolFlag{Name: "trim", Usage: "drop white space at both ends of reasoning and content"},
		&cli.BoolFlag{Name: "only-ok", Usage: "let only samples out whose reasoning_status is present or absent"},
		&cli.BoolFlag{Name: "again", Usage: "split samples that have no thinking again"},
		&cli.BoolFlag{Name: "repair", Usage: "write the lines themselves, with reasoning and content mended in place"},
		&cli.StringFlag{Name: "reasoning-key", Usage: "with --repair, `PATH` of the reasoning, such as out.thought", DefaultText: "the field that is there"},
		&cli.StringFlag{Name: "content-key", Usage: "with --repair, `PATH` of the content, such as out.said", DefaultText: "found by the record's shape"},
	}
}

// config is the command line, checked.
type config struct {
	extractor.Config
	format       *export.Format
	compare      string
	segments     bool
	prove        bool
	from         string
	onlyOK       bool
	repair       bool
	reasoningKey string
	contentKey   string
	rejects      bool                           // failed lines are wanted whole
	known        map[string]*provenance.Archive // by input
	verbose      bool
}

func configOf(s *cmdline.Session) (*config, error) {
	if err := s.RefuseEmpty("family", "as", "compare", "close", "text-field", "format", "reasoning-key", "content-key"); err != nil {
		return nil, err
	}
	c := &config{
		Config: extractor.Config{
			Family: s.String("family"), Open: s.String("open"), Close: s.String("close"),
			Rules: s.String("as"), Unclosed: choice(s, "unclosed"),
			Trim: s.Bool("trim"), Again: s.Bool("again"), TextField: s.String("text-field"),
		},
		compare:      s.String("compare"),
		segments:     s.Bool("segments"),
		prove:        s.Bool("prove"),
		from:         choice(s, "from"),
		onlyOK:       s.Bool("only-ok"),
		repair:       s.Bool("repair"),
		reasoningKey: s.String("reasoning-key"),
		contentKey:   s.String("content-key"),
		rejects:      s.IsSet("rejects"),
		verbose:      s.Verbose(),
	}
	if err := c.verify(s); err != nil {
		return nil, err
	}
	if c.repair {
		c.Again, c.SplitOnly, c.TextField = true, true, c.contentKey
	}
	if err := c.setFormat(s.String("format")); err != nil {
		return nil, err
	}
	c.Segments = c.segments || c.prove
	for _, x := range []extractor.Config{c.Config, c.other()} {
		if _, err := extractor.New(x); err != nil {
			return nil, cmdline.WithHint(cmdline.Usagef("%w", err), "extract --list-families shows the families, --help the rest")
		}
	}
	return c, nil
}

// other is the configuration under the rules of --compare.
func (c *config) other() extractor.Config {
	x := c.Config
	x.Rules = c.compare
	return x
}

func (c *config) setFormat(name string) error {
	format, known := export.Lookup(name)
	if c.format = format; format == nil {
		return cmdline.Usagef("unknown format %.80q, known are: %s", name, strings.Join(known, ", "))
	}
	if format.Segments == export.Without && c.segments {
		return cmdline.Usagef("--format %s has no place for --segments", name)
	}
	c.segments = c.segments || format.Segments == export.Always
	return nil
}

// forms lists the forms for --help: "sample (…), messages (…)".
func forms() string {
	var all []string
	for f := range export.Formats() {
		all = append(all, f.Name+" ("+f.Meaning+")")
	}
	return strings.Join(all, ", ")
}

func choice(s *cmdline.Session, flag string) string { return fmt.Sprint(s.Generic(flag)) }

// verify refuses what does not go together.
func (c *config) verify(s *cmdline.Session) error {
	for _, flag := range []string{"reasoning-key", "content-key"} {
		if s.IsSet(flag) && !c.repair {
			return cmdline.Usagef("--%s is for --repair", flag)
		}
	}
	for _, flag := range []string{"only-ok", "text-field", "again", "format", "segments", "prove", "compare"} {
		if s.IsSet(flag) && c.repair {
			return cmdline.Usagef("--%s and --repair exclude each other", flag)
		}
	}
	switch {
	case c.reasoningKey != "" && c.contentKey == "":
		return cmdline.Usagef("--reasoning-key needs --content-key")
	case c.TextField != "" && (c.from == "sse" || c.from == "chunks"):
		return cmdline.Usagef("--text-field looks into lines, --from %s has none", c.from)
	case c.repair && c.from != "auto" && c.from != "jsonl":
		return cmdline.Usagef("--repair works on lines, --from %s has none", c.from)
	case c.repair:
		return nil // the lines themselves, in place
	}
	return s.Distinct(nil, s.Originals())
}
