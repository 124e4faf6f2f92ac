package main

import (
	"cmp"
	"slices"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/report"
)

// group is a part of the records: those with one value of --by, or all.
type group struct {
	name                    string
	records, passed, failed int64
	expected                int64 // answers, 0 without --expect
	counts                  map[tally]int64
	limits                  map[string]cmdline.Limit // its own
}

func newGroup(name string, limits map[string]cmdline.Limit) *group {
	return &group{name: name, counts: map[tally]int64{}, limits: limits}
}

// What groups are called that no value names.
const (
	noValue   = "(none)"
	moreThan  = "(others)" // those after the first mostGroups
	nameBytes = 120        // of a group
)

// mostGroups bounds the memory of --by: a field with that many values is none
// to group by.
const mostGroups = 1000

// group finds the group of a value, or begins it.
func (g *gate) group(value []byte) *group {
	if len(g.config.by) == 0 {
		return nil
	}
	if found := g.groups[string(value)]; found != nil {
		return found
	}
	name := cut(string(value), nameBytes)
	switch _, own := g.config.groupLimits[name]; {
	case len(value) == 0:
		name = noValue
	case len(g.groups) >= mostGroups && !own:
		name = moreThan
	}
	found := g.groups[name]
	if found == nil {
		found = newGroup(name, g.config.groupLimits[name])
		g.groups[name] = found
	}
	if len(g.groups) < mostGroups {
		g.groups[string(value)] = found // so that it is found at once
	}
	return found
}

// expect counts answers that are wanted of a prompt.
func (g *gate) expect(line jsonscan.Value, answers int) {
	g.all.expected += int64(answers)
	if in := g.groupOf(line); in != nil {
		in.expected += int64(answers)
	}
}

// groupOf is the group of a prompt, nil without --by.
func (g *gate) groupOf(line jsonscan.Value) *group {
	if g.config.by == "" {
		return nil
	}
	return g.group(g.config.byField.appendTo(nil, line, nil))
}

// isUngrouped reports whether no record has the field of --by, as when it is misspelt.
func (g *gate) isUngrouped() bool {
	none := g.groups[noValue]
	return none != nil && none.records > 0 && none.records == g.all.records
}

// inOrder are the groups, those with the most failing records first.
func (g *gate) inOrder() (groups []*group) {
	for value, x := range g.groups {
		if value == x.name {
			groups = append(groups, x)
		}
	}
	slices.SortFunc(groups, func(a, b *group) int {
		return cmp.Or(cmp.Compare(b.failed, a.failed), cmp.Compare(b.records, a.records), cmp.Compare(a.name, b.name))
	})
	return groups
}

// total is what a rule's findings are a share of: answers that are wanted or
// records that are there.
func (x *group) total(rule string) int64 {
	if rule == check.MissingResponse && x.expected > 0 {
		return x.expected
	}
	return x.records
}

// failures are the findings of a rule that count against its limit.
func (x *group) failures(rule string) int64 { return x.counts[tally{rule, check.Fail}] }

// limit is what a group takes of a rule.
func (x *group) limit(c *config, rule string) cmdline.Limit {
	if own, ok := x.limits[rule]; ok {
		return own
	}
	return c.limits[rule]
}

// row is the tally of a rule at a level.
func (x *group) row(c *config, rule string, level check.Level) report.Rule {
	n := x.counts[tally{rule, level}]
	row := report.Rule{Name: rule, Meaning: check.Meaning(rule), Level: level.String(), Count: n, NoLimit: level != check.Fail}
	if total := x.total(rule); total > 0 {
		row.Rate = float64(n) / float64(total)
	}
	limit := x.limit(c, rule)
	if rate, ok := limit.IsRate(); ok {
		row.Limit, row.NoLimit = rate, row.NoLimit || rate == 1
	} else {
		row.Limit = float64(limit.Count())
	}
	row.Exceeded = level == check.Fail && !limit.Allows(n, x.total(rule))
	return row
}

// report is the group's part of the report: the rules that found something or
// have a limit of its own.
func (x *group) report(c *config) report.Group {
	r := report.Group{Name: x.name, Records: x.records, Passed: x.passed, Failed: x.failed}
	for rule := range check.Rules() {
		_, own := x.limits[rule.Name]
		for _, level := range []check.Level{check.Fail, check.Warn} {
			if x.counts[tally{rule.Name, level}] > 0 || own && level == check.Fail {
				r.Rules = append(r.Rules, x.row(c, rule.Name, level))
			}
		}
	}
	return r
}

// excess is a rule beyond its limit, in all records or in a group.
type excess struct {
	rule  string
	in    *group
	n     int64
	total int64
	limit cmdline.Limit
}

// exceeded are the rules beyond their limits, those with the most findings first.
// Limits hold for all records and for each group; a group with a limit of its
// own is judged by that, and does not count for all.
func (g *gate) exceeded() (all []excess) {
	groups := g.inOrder()
	for rule := range check.Rules() {
		judge := func(x *group, n, total int64, limit cmdline.Limit) {
			if !limit.Allows(n, total) {
				all = append(all, excess{rule.Name, x, n, total, limit})
			}
		}
		n, total := g.all.failures(rule.Name), g.all.total(rule.Name)
		for _, x := range groups {
			if _, own := x.limits[rule.Name]; own {
				n, total = n-x.failures(rule.Name), total-x.total(rule.Name)
			}
			judge(x, x.failures(rule.Name), x.total(rule.Name), x.limit(g.config, rule.Name))
		}
		judge(g.all, n, total, g.config.limits[rule.Name])
	}
	// What holds for all is said once, not once more for each group.
	everywhere := map[string]bool{}
	for _, e := range all {
		everywhere[e.rule] = everywhere[e.rule] || e.in == g.all
	}
	all = slices.DeleteFunc(all, func(e excess) bool {
		_, own := e.in.limits[e.rule]
		return e.in != g.all && everywhere[e.rule] && !own
	})
	slices.SortStableFunc(all, func(a, b excess) int { return cmp.Compare(b.n, a.n) })
	return all
}

// cut ends a long text between characters.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && s[most]&0xC0 == 0x80 {
		most--
	}
	return s[:most] + "…"
}
