package main

import (
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

	all                 *group
	groups              map[string]*group // of --by, by value
	prompts, badPrompts int64             // of --expect
	passedOver          int64             // attempts that failed and that no rule asks for
	byDesign            int64             // records whose thinking is absent by design
	continued           int64             // records that were cut, and that another is the whole of
	retried             int64             // attempts that another line follows
	probes              int64             // what gen asked before a run
	stopped             bool              // by --fail-fast
	damaged             bool              // the input
	charts              charts
}

// tally names a count: a rule may have findings of two levels.
type tally struct {
	rule  string
	level check.Level
}

func newGate(c *config) *gate {
	return &gate{config: c, all: newGroup("", nil), groups: map[string]*group{}, examples: newExamples(c.maxFindings)}
}

// found counts one finding about a record.
func (g *gate) found(f check.Finding, e *entry, in *group) {
	of := tally{f.Rule, f.Level}
	if g.count(of, in) {
		g.examples.add(of, report.Finding{
			ID: string(e.id), Sample: e.sample, Choice: e.choice, Detail: f.Detail, Excerpt: report.Excerpt(f.Excerpt),
		}, e.pos)
	}
}

// missing counts one answer that is not there, in a group or in none.
func (g *gate) missing(pos jsonl.Pos, id string, sample int, detail string, in *group) {
	f, ok := g.config.policy.Finding(check.MissingResponse, detail)
	if of := (tally{f.Rule, f.Level}); ok && g.count(of, in) {
		g.examples.add(of, report.Finding{ID: id, Sample: sample, Detail: detail}, pos)
	}
}

// count reports whether an example is wanted.
func (g *gate) count(of tally, in *group) bool {
	g.all.counts[of]++
	if in != nil {
		in.counts[of]++
	}
	return g.examples.wants(of)
}

// judged counts a record.
func (g *gate) judged(in *group, passes bool) {
	for _, x := range [...]*group{g.all, in} {
		switch {
		case x == nil:
			continue
		case passes:
			x.passed++
		default:
			x.failed++
		}
		x.records++
	}
}

// report is the report of everything so far, with the verdict, and the places
// of its findings.
func (g *gate) report() (*report.Report, []example) {
	r := &report.Report{Records: g.all.records, Passed: g.all.passed, Failed: g.all.failed, Gate: "pass", By: g.config.by, Charts: g.charts.report()}
	var order []tally
	for rule := range check.Rules() {
		for _, level := range []check.Level{check.Fail, check.Warn} {
			if g.all.counts[tally{rule.Name, level}] > 0 || g.config.policy.Level(rule.Name) == level {
				r.Rules = append(r.Rules, g.all.row(g.config, rule.Name, level))
			}
			order = append(order, tally{rule.Name, level})
		}
	}
	for _, x := range g.inOrder() {
		r.Groups = append(r.Groups, x.report(g.config))
	}
	over := g.exceeded()
	for i := range r.Rules { // groups with limits of their own do not count
		r.Rules[i].Exceeded = r.Rules[i].Level == check.Fail.String() &&
			slices.ContainsFunc(over, func(e excess) bool { return e.in == g.all && e.rule == r.Rules[i].Name })
	}
	for _, e := range over {
		r.Why = append(r.Why, g.because(e))
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

// because says it in plain words: "truncated hits 3 of 50 records, limit 1%".
func (g *gate) because(e excess) string {
	what := fmt.Sprintf("%s hits %d of %s", e.rule, e.n, counted(e.total, "record"))
	switch {
	case e.rule == check.BadJSON:
		what = fmt.Sprintf("%d of %d records are bad lines", e.n, e.total)
	case e.rule == check.MissingResponse && e.in.expected > 0:
		what = fmt.Sprintf("%d of %d answers are missing", e.n, e.total)
	case e.rule == check.MissingResponse:
		what = counted(e.n, "attempt") + " failed for good"
	}
	if e.in != g.all {
		what += fmt.Sprintf(" of %s %s", g.config.by, cmdline.Quote(e.in.name))
	}
	if e.limit.String() != "0" {
		what += ", limit " + e.limit.String()
	}
	return what
}

func (g *gate) otherReasons() (why []string) {
	if limit := g.config.limits[check.BadJSON]; !limit.Allows(g.badPrompts, g.prompts+g.badPrompts) {
		why = append(why, g.aboutPrompts())
	}
	if g.all.records == 0 && !g.config.allowEmpty {
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
	if g.byDesign > 0 {
		notes = append(notes, counted(g.byDesign, "record")+" without thinking by design")
	}
	if g.continued > 0 {
		notes = append(notes, counted(g.continued, "cut answer")+" continued by a later record: the whole counts")
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
	if over := g.exceeded(); len(over) > 0 {
		return cmdline.WithHint(err, advice(over))
	}
	if slices.Contains(r.Why, g.aboutPrompts()) {
		return cmdline.WithHint(err, "--max-bad N|RATE tolerates some of them")
	}
	if g.all.records == 0 && !g.config.allowEmpty {
		return cmdline.WithHint(err, "--allow-empty lets no records pass")
	}
	return err
}

// advice is about the first rule whose limit is exceeded, or about what all records
// have: then it is rather the command that is wrong.
func advice(over []excess) string {
	all := map[string]bool{}
	for _, e := range over {
		all[e.rule] = all[e.rule] || e.n == e.total
	}
	switch first := over[0].rule; {
	case all[check.MissingResponse] && all[check.UnknownID]:
		return "no prompt of --expect has an id of the records: is it what was asked, and --id-field as gen was told?"
	case all[check.EmptyReasoning] && first == check.EmptyReasoning:
		return "none has thinking: gen probe shows where a server puts it, --require optional takes what is without"
	case all[check.BadJSON] && first == check.BadJSON:
		return "no line is a record: --from and --text-field say where answers stand"
	case first == check.Simulated:
		return "--allow simulated lets a rehearsal pass"
	default:
		return fmt.Sprintf("--fail %s=N|RATE tolerates some of them, --warn %[1]s all", first)
	}
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
