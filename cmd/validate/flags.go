package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/cmd/internal/whole"
	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/provenance"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

func command() *cmdline.Command {
	return &cmdline.Command{
		Name:      "validate",
		Usage:     "pass good samples through, report the others, fail the build",
		Arguments: "[FILE …]",
		Description: `Reads samples, and all that extract reads. Records that no rule of level fail hits go out, findings
go to the report, and the gate fails (exit code 1) when a rule exceeds its limit.

Memory: 40 to 60 bytes a record, to find what is answered twice or not at all,
25 more for each sample of a prompt but the first; none with --allow duplicate-id
--allow duplicate-answer --allow missing-response.`,
		Examples: `extract raw.jsonl.zst | validate --expect prompts.jsonl -o train.jsonl.zst
validate --check --family kimi_k2 raw.jsonl.zst
validate --fail truncated=1% --report json --report-file gate.json samples.jsonl > good.jsonl`,
		Flags:  flags(),
		Shared: cmdline.Reads | cmdline.Writes | cmdline.Watched | cmdline.Documents,
		Run:    run,
	}
}

func flags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "check", Usage: "only judge: no record goes out"},
		&cli.GenericFlag{Name: "require", Value: cmdline.NewChoice("reasoning", "no-reasoning", "optional"), Usage: "`WHAT` thinking must be there: reasoning, no-reasoning or optional"},
		&cli.StringSliceFlag{Name: "fail", Usage: "fail records by `RULE[=LIMIT]`, and the gate beyond the limit: 3, 0.01 or 1%; repeat"},
		&cli.StringSliceFlag{Name: "warn", Usage: "only tell what `RULE` finds; repeat"},
		&cli.StringSliceFlag{Name: "allow", Usage: "do not look for what `RULE` finds, but still tell lines that are no record; repeat"},
		&cli.StringFlag{Name: "rules", Usage: "levels, limits and parameters of rules from the YAML `FILE`; specforge and specforge-strict take what SpecForge's validator takes"},
		&cli.StringFlag{Name: "by", Usage: "count, and hold limits, for each value of `FIELD`, too, such as dataset or model"},
		&cli.StringSliceFlag{Name: "no-think-ok", Usage: "thinking is not missed where `FIELD=VALUE`, as where the request switched it off; repeat"},
		&cli.BoolFlag{Name: "list-rules", Usage: "show the rules and their levels under these flags"},
		&cli.StringSliceFlag{Name: "expect", Usage: "each prompt of `PROMPTS`, or of a manifest of shard, is answered once; repeat; keeps 50 bytes a prompt, 90 without an id"},
		&cli.IntFlag{Name: "samples", Value: 1, Usage: "each prompt of --expect has `N` answers"},
		&cli.GenericFlag{Name: "turns", Value: cmdline.NewChoice("last", "one", "all"), Usage: "`WHICH` turns of --expect have answers, as gen was told: last, one, or all of the assistant's"},
		&cli.StringFlag{Name: "missing", Usage: "write prompts without an answer to `FILE`, - for standard output"},
		&cli.StringFlag{Name: "prompt-field", Hidden: true, Usage: "with --turns all: the turns of a prompt are in field `NAME`, as gen was told"},
		&cli.StringFlag{Name: "id-field", Usage: "the id of a prompt is in field `NAME`", DefaultText: "id, custom_id, uuid, question_id or task_id"},
		&cli.GenericFlag{Name: "fail-fast", Value: new(failFast), Usage: "stop at the first failing record, or with =`N` at the N-th"},
		&cli.StringSliceFlag{Name: "report", Usage: "report as `FORMAT`: text, json, junit, github or html; repeat, one for each file", DefaultText: "text"},
		&cli.StringSliceFlag{Name: "report-file", Usage: "report to `FILE`, - for standard output; repeat", DefaultText: "standard error"},
		&cli.IntFlag{Name: "max-findings", Value: 20, Usage: "show `N` findings at most; all are counted"},
		&cli.BoolFlag{Name: "allow-empty", Usage: "no records at all is no failure"},
		&cli.StringFlag{Name: "family", Value: "auto", Usage: "how the model marks its thinking: auto, none (the server split it) or `NAME` (extract --list-families)"},
		&cli.GenericFlag{Name: "from", Value: whole.Choice(), Hidden: true, Usage: "inputs are `KIND`: auto, jsonl, json, sse or chunks"},
		&cli.StringFlag{Name: "text-field", Hidden: true, Usage: "the raw text stands at `PATH` of each line, such as output.0.text"},
		&cli.StringFlag{Name: "open", Hidden: true, Usage: "`MARKER` that opens a thought, instead of --family; none when the prompt has it"},
		&cli.StringFlag{Name: "close", Hidden: true, Usage: "`MARKER` that closes a thought, instead of --family"},
		&cli.GenericFlag{Name: "unclosed", Value: cmdline.NewChoice("auto", "reasoning", "content"), Hidden: true, Usage: "a text without closing marker is `WHAT`: auto, reasoning or content"},
	}
}

// failFast is the number of failing records that end the run, 0 for none: a
// flag that may do without a value.
type failFast int64

func (f *failFast) IsBoolFlag() bool { return true }

func (f *failFast) String() string { return strconv.FormatInt(int64(*f), 10) }

func (f *failFast) Set(text string) error {
	if text == "true" || text == "false" {
		*f = failFast(strings.Count(text, "true"))
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return errors.New("not a number of records from 1")
	}
	*f = failFast(n)
	return nil
}

// config is the command line, checked.
type config struct {
	check       bool
	policy      check.Policy
	limits      map[string]cmdline.Limit // of rules that have one other than 0
	expect      []string
	samples     int
	turns       prompt.Turns
	missing     string
	idField     string
	promptField string
	failFast    int64
	reports     []reportFlag
	charts      bool   // somebody wants them
	by          string // the field of groups, "" for none
	byField     field
	groupLimits map[string]map[string]cmdline.Limit // by group and rule
	noThink     []condition
	rows        bool // lines are looked at as rows of another program
	strictRows  bool
	maxFindings int
	allowEmpty  bool
	from        string
	extract     extractor.Config
	asTheyStand bool                           // flat records are not split
	known       map[string]*provenance.Archive // by input
}

func configOf(s *cmdline.Session) (*config, error) {
	if err := s.RefuseEmpty("expect", "missing", "id-field", "prompt-field", "report", "report-file", "rules", "by", "no-think-ok", "family", "text-field", "close"); err != nil {
		return nil, err
	}
	c := &config{
		check:       s.Bool("check"),
		expect:      s.StringSlice("expect"),
		samples:     s.Int("samples"),
		turns:       prompt.Turns(choice(s, "turns")),
		missing:     s.String("missing"),
		idField:     s.String("id-field"),
		promptField: s.String("prompt-field"),
		failFast:    int64(*s.Generic("fail-fast").(*failFast)),
		groupLimits: map[string]map[string]cmdline.Limit{},
		limits:      map[string]cmdline.Limit{},
		policy:      check.DefaultPolicy(),
		maxFindings: s.Int("max-findings"),
		allowEmpty:  s.Bool("allow-empty"),
		from:        choice(s, "from"),
	}
	if err := errors.Join(c.setPolicy(s), c.setReports(s)); err != nil {
		return nil, err
	}
	if err := c.setExtract(s); err != nil {
		return nil, err
	}
	return c, c.verify(s)
}

func choice(s *cmdline.Session, flag string) string { return fmt.Sprint(s.Generic(flag)) }

// verify refuses what does not go together.
func (c *config) verify(s *cmdline.Session) error {
	for _, flag := range []string{"samples", "turns", "missing", "id-field", "prompt-field"} {
		if s.IsSet(flag) && len(c.expect) == 0 {
			return cmdline.Usagef("--%s is about prompts: it needs --expect", flag)
		}
	}
	switch {
	case slices.Contains(c.expect, "-") && (s.NArg() == 0 || slices.Contains(s.Files(), "-")):
		return cmdline.Usagef("--expect - and the records both are standard input")
	case c.check && s.IsSet("output"):
		return cmdline.Usagef("--check lets nothing out, --output has no use")
	case c.samples < 1 || c.samples > check.MaxSamples:
		return cmdline.Usagef("--samples: %d is not within 1 to %d", c.samples, check.MaxSamples)
	case c.extract.TextField != "" && (c.from == "sse" || c.from == "chunks"):
		return cmdline.Usagef("--text-field looks into lines, --from %s has none", c.from)
	case c.maxFindings < 0:
		return cmdline.Usagef("--max-findings: %d is below 0", c.maxFindings)
	}
	if err := c.oneStdout(s); err != nil {
		return err
	}
	return s.Distinct(s.PathFlags("missing", "report-file"), c.readBesides(s))
}

// readBesides are the files that are read beside the records, those of manifests
// included.
func (c *config) readBesides(s *cmdline.Session) []cmdline.PathFlag {
	files := s.PathFlags("expect")
	if _, _, preset := check.Preset(s.String("rules")); !preset {
		files = append(files, s.PathFlags("rules")...)
	}
	for _, name := range c.expect {
		m, err := readManifest(name)
		if err != nil || m == nil {
			continue // told where the prompts are read
		}
		for i := range m.Files {
			files = append(files, cmdline.PathFlag{Name: "a file of --expect", Path: shard.FilePath(name, m.Files[i].Name)})
		}
	}
	return files
}

// oneStdout refuses two uses of standard output.
func (c *config) oneStdout(s *cmdline.Session) error {
	var uses []string
	if out := s.String("output"); !c.check && (out == "" || out == "-") {
		uses = append(uses, "the records")
	}
	for _, f := range s.PathFlags("missing", "report-file") {
		if f.Path == "-" {
			uses = append(uses, f.Name)
		}
	}
	if len(uses) > 1 {
		return cmdline.Usagef("%s and %s both are standard output", uses[0], uses[1])
	}
	return nil
}

func (c *config) setExtract(s *cmdline.Session) error {
	c.extract = extractor.Config{
		Family: s.String("family"), Open: s.String("open"), Close: s.String("close"),
		Unclosed: choice(s, "unclosed"), TextField: s.String("text-field"),
	}
	c.asTheyStand = c.extract.Family == "auto" && c.extract.Close == "" && c.extract.TextField == ""
	if _, err := extractor.New(c.extract); err != nil {
		return cmdline.Usagef("%w", err)
	}
	return nil
}

// setPolicy reads --rules, then what says otherwise: --require, --fail, --warn,
// --allow, --max-bad, --by and --no-think-ok.
func (c *config) setPolicy(s *cmdline.Session) (err error) {
	if name := s.String("rules"); name != "" {
		if err := c.readRules(name); err != nil {
			return err
		}
	}
	if s.IsSet("require") {
		if c.policy.Require, err = check.ParseRequire(choice(s, "require")); err != nil {
			return cmdline.Usagef("--require: %w", err)
		}
	}
	if s.IsSet("max-bad") {
		c.limits[check.BadJSON] = *s.Generic("max-bad").(*cmdline.Limit)
	}
	if err := c.setRules(s); err != nil {
		return err
	}
	if s.IsSet("by") {
		c.by = s.String("by")
	}
	c.byField = fieldOf(c.by)
	for _, text := range s.StringSlice("no-think-ok") {
		if err := c.addNoThink(text); err != nil {
			return cmdline.Usagef("--no-think-ok: %w", err)
		}
	}
	if len(c.groupLimits) > 0 && c.by == "" {
		return cmdline.Usagef("--rules: there are limits for groups: they need by, or --by")
	}
	return nil
}

func (c *config) setRules(s *cmdline.Session) error {
	named := map[string]string{}
	for _, f := range []struct {
		name  string
		level check.Level
	}{{"fail", check.Fail}, {"warn", check.Warn}, {"allow", check.Off}} {
		for _, value := range s.StringSlice(f.name) {
			if err := setRule(&c.policy, c.limits, named, f.name, f.level, value); err != nil {
				return err
			}
			rule, _, _ := strings.Cut(value, "=")
			if c.rows && f.level != check.Off && check.LooksAtAnswers(rule) {
				return cmdline.Usagef("--%s %s: --rules %s looks at rows, not at answers", f.name, rule, s.String("rules"))
			}
		}
	}
	return nil
}

func setRule(p *check.Policy, limits map[string]cmdline.Limit, named map[string]string, flag string, level check.Level, value string) error {
	rule, text, hasLimit := strings.Cut(value, "=")
	if err := p.Set(rule, level); err != nil {
		return cmdline.WithHint(cmdline.Usagef("--%s: %w", flag, err), "validate --list-rules shows all")
	}
	if before := named[rule]; before != "" {
		return cmdline.Usagef("--%s %s: --%s names that rule already", flag, rule, before)
	}
	named[rule] = flag
	if !hasLimit {
		return nil
	}
	if level != check.Fail {
		return cmdline.Usagef("--%s %s: only --fail takes a limit", flag, cmdline.Quote(value))
	}
	limit, err := cmdline.ParseLimit(text)
	if err != nil {
		return cmdline.Usagef("--%s %s: %w", flag, cmdline.Quote(value), err)
	}
	limits[rule] = limit
	return nil
}
