package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/report"
)

// gate counts what was found, keeps examples, and decides.
type gate struct {
	config   *config
	examples examples

	records, passed, failed int64
	prompts, badPrompts     int64 // of --expect
	passedOver              int64 // attempts that failed and that no rule asks for
	counts                  map[tally]int64
	stopped                 bool // by --fail-fast
	damaged                 bool // the input
}

// tally names a count: a rule may have findings of two levels.
type tally struct {
	rule  string
	level check.Level
}

func newGate(c *config) *gate {
	return &gate{config: c, counts: map[tally]int64{}, examples: newExamples(c.maxFindings)}
}

// found counts one finding about a record.
func (g *gate) found(f check.Finding, e *entry) {
	if g.count(f) {
		g.examples.add(report.Finding{Rule: f.Rule, Level: f.Level.String(), ID: string(e.id), Sample: e.sample, Choice: e.choice, Detail: f.Detail}, e.pos)
	}
}

// missing counts one answer that is not there.
func (g *gate) missing(pos jsonl.Pos, id string, sample int, detail string) {
	f, ok := g.config.policy.Finding(check.MissingResponse, detail)
	if ok && g.count(f) {
		g.examples.add(report.Finding{Rule: f.Rule, Level: f.Level.String(), ID: id, Sample: sample, Detail: detail}, pos)
	}
}

// count reports whether an example is wanted.
func (g *gate) count(f check.Finding) bool {
	g.counts[tally{f.Rule, f.Level}]++
	return g.examples.wants(f.Rule)
}

// report is the report of everything so far, with the verdict, and the places
// of its findings.
func (g *gate) report() (*report.Report, []example) {
	r := &report.Report{Records: g.records, Passed: g.passed, Failed: g.failed, Gate: "pass"}
	var order []string
	for rule := range check.Rules() {
		for _, level := range []check.Level{check.Fail, check.Warn} {
			n := g.counts[tally{rule.Name, level}]
			if n > 0 || g.config.policy.Level(rule.Name) == level {
				r.Rules = append(r.Rules, g.row(rule.Name, level, n))
			}
		}
		order = append(order, rule.Name)
	}
	for _, rule := range g.exceeded() {
		r.Why = append(r.Why, g.because(rule))
	}
	r.Why = append(r.Why, g.otherReasons()...)
	if len(r.Why) > 0 {
		r.Gate = "fail"
	}
	chosen := g.examples.choose(order)
	for _, e := range chosen {
		r.Findings = append(r.Findings, e.Finding)
	}
	return r, chosen
}

func (g *gate) row(rule string, level check.Level, n int64) report.Rule {
	row := report.Rule{Name: rule, Level: level.String(), Count: n, NoLimit: level != check.Fail}
	if total := g.total(rule); total > 0 {
		row.Rate = float64(n) / float64(total)
	}
	limit := g.config.limits[rule]
	if rate, ok := limit.IsRate(); ok {
		row.Limit = rate
	} else {
		row.Limit = float64(limit.Count())
	}
	return row
}

// total is what a rule's findings are a share of: answers that are wanted or
// records that are there.
func (g *gate) total(rule string) int64 {
	if rule == check.MissingResponse && g.expected() > 0 {
		return g.expected()
	}
	return g.records
}

// expected is how many answers are wanted, 0 without --expect.
func (g *gate) expected() int64 { return g.prompts * int64(g.config.samples) }

// exceeded are the rules beyond their limits, those with the most findings first.
func (g *gate) exceeded() (rules []string) {
	for rule := range check.Rules() {
		limit := g.config.limits[rule.Name]
		if n := g.failures(rule.Name); !limit.Allows(n, g.total(rule.Name)) {
			rules = append(rules, rule.Name)
		}
	}
	slices.SortStableFunc(rules, func(a, b string) int { return cmp.Compare(g.failures(b), g.failures(a)) })
	return rules
}

func (g *gate) failures(rule string) int64 { return g.counts[tally{rule, check.Fail}] }

// because says it in plain words: "truncated hits 3 of 50 records, limit 1%".
func (g *gate) because(rule string) string {
	n, limit := g.failures(rule), g.config.limits[rule]
	what := fmt.Sprintf("%s hits %d of %s", rule, n, counted(g.records, "record"))
	switch {
	case rule == check.BadJSON:
		what = fmt.Sprintf("%d of %d records are bad lines", n, g.records)
	case rule == check.MissingResponse && g.expected() > 0:
		what = fmt.Sprintf("%d of %d answers are missing", n, g.expected())
	case rule == check.MissingResponse:
		what = fmt.Sprintf("%d failed for good", n)
	}
	if limit.String() != "0" {
		what += ", limit " + limit.String()
	}
	return what
}

func (g *gate) otherReasons() (why []string) {
	if limit := g.config.limits[check.BadJSON]; !limit.Allows(g.badPrompts, g.prompts+g.badPrompts) {
		why = append(why, g.aboutPrompts())
	}
	if g.records == 0 && !g.config.allowEmpty {
		why = append(why, "there are no records")
	}
	if g.stopped {
		why = append(why, fmt.Sprintf("stopped early by --fail-fast=%d", g.config.failFast))
	}
	if g.damaged {
		why = append(why, "the input could not be read to its end")
	}
	return why
}

func (g *gate) aboutPrompts() string {
	return fmt.Sprintf("%d of %d prompts are bad lines", g.badPrompts, g.prompts+g.badPrompts)
}

// lost is what the gate tolerates although something went in that does not come out.
func (g *gate) lost(r *report.Report) (notes []string) {
	if g.badPrompts > 0 && !slices.Contains(r.Why, g.aboutPrompts()) {
		notes = append(notes, g.aboutPrompts())
	}
	if g.passedOver > 0 {
		notes = append(notes, counted(g.passedOver, "attempt")+" failed")
	}
	return notes
}

// verdict is the run's error, nil when the gate passes.
func (g *gate) verdict(r *report.Report) error {
	if r.Gate == "pass" {
		return nil
	}
	err := cmdline.Failed(cmdline.CodeBad, errors.New(r.Verdict()))
	if rules := g.exceeded(); len(rules) > 0 {
		return cmdline.WithHint(err, fmt.Sprintf("--fail %s=N|RATE tolerates some of them, --warn %[1]s all", rules[0]))
	}
	if slices.Contains(r.Why, g.aboutPrompts()) {
		return cmdline.WithHint(err, "--max-bad N|RATE tolerates some of them")
	}
	if g.records == 0 && !g.config.allowEmpty {
		return cmdline.WithHint(err, "--allow-empty lets no records pass")
	}
	return err
}

// counted is a number of things: "1 attempt", "2 attempts".
func counted(n int64, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// causes are the findings that fail a record, and the one that says that it is
// none at whatever level: what --rejects calls the error.
func causes(bad string, found, across []check.Finding) string {
	var causes []string
	for _, f := range slices.Concat(found, across) {
		if f.Level == check.Fail || f.Rule == bad {
			causes = append(causes, f.Rule+": "+f.Detail)
		}
	}
	return strings.Join(causes, "; ")
}
