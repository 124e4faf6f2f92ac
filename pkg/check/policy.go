package check

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/xrash/smetrics"
)

// Level is what a finding weighs.
type Level uint8

const (
	Off  Level = iota // not looked for
	Warn              // told, and nothing else
	Fail              // the record does not pass
)

// String is the level's name in reports.
func (l Level) String() string { return [...]string{"off", "warn", "fail"}[l] }

// Require says what must be known of an answer's thinking.
type Require uint8

const (
	Reasoning   Require = iota // every answer has it
	NoReasoning                // no answer has it
	Optional                   // either will do
)

// ParseRequire reads "reasoning", "no-reasoning" and "optional".
func ParseRequire(s string) (Require, error) {
	names := []string{"reasoning", "no-reasoning", "optional"}
	if i := slices.Index(names, s); i >= 0 {
		return Require(i), nil
	}
	return 0, fmt.Errorf("%q is none of %s", s, strings.Join(names, ", "))
}

// Policy says what is required and what each rule's findings weigh. Begin with
// [DefaultPolicy].
type Policy struct {
	Require  Require
	Excerpts bool // findings have one
	Params   Params
	rules    []setting // as in the table
}

// Params are the numbers and words that rules compare with; the zero value of
// each is the rule's own. Lengths are in characters.
type Params struct {
	ShortReasoning, ShortContent int      // too-short: fewer characters are too few
	LeastLoop                    int      // repetition: a shorter loop is none
	LeastCopy                    int      // copied-text: shorter texts are none
	Markers, Ignore              []string // leaked-marker: more of them, and some that are text
}

func (p *Policy) leastCopy() int { return cmp.Or(p.Params.LeastCopy, leastCopy) }

type setting struct {
	level Level
	named bool // by Set: soft findings then weigh as much as the others
}

// DefaultPolicy is the table's levels, and reasoning required.
func DefaultPolicy() Policy {
	p := Policy{rules: make([]setting, len(table))}
	for i := range table {
		p.rules[i].level = table[i].Level
	}
	return p
}

// UnknownRuleError says that there is no rule of a name.
type UnknownRuleError struct {
	Name string
	Near []string // names like it, the nearest first
}

func (e *UnknownRuleError) Error() string {
	if len(e.Near) == 0 {
		return fmt.Sprintf("unknown rule %.80q", e.Name)
	}
	return fmt.Sprintf("unknown rule %.80q (near: %s)", e.Name, strings.Join(e.Near, ", "))
}

// Set gives a rule a level. The error is an *UnknownRuleError.
func (p *Policy) Set(rule string, level Level) error {
	i := index(rule)
	if i < 0 {
		return &UnknownRuleError{Name: rule, Near: near(rule)}
	}
	p.rules[i] = setting{level, true}
	return nil
}

// Level is what findings of a rule weigh; Off for an unknown name.
func (p *Policy) Level(rule string) Level {
	if i := index(rule); i >= 0 {
		return p.rules[i].level
	}
	return Off
}

// finding makes a finding of the rule at i; ok is false when the rule is off.
func (p *Policy) finding(i int, h hit) (f Finding, ok bool) {
	s := p.rules[i]
	if s.level == Fail && h.soft && !s.named {
		s.level = Warn
	}
	f = Finding{Rule: table[i].Name, Level: s.level, Detail: h.detail}
	if p.Excerpts && s.level != Off {
		f.Excerpt = h.mark.excerpt()
	}
	return f, s.level != Off
}

// Finding makes a finding of a rule that the caller checks itself; ok is false
// when the rule is off. It panics for an unknown name.
func (p *Policy) Finding(rule, detail string) (f Finding, ok bool) {
	i := index(rule)
	if i < 0 {
		panic("check: no rule " + rule)
	}
	return p.finding(i, hit{detail: detail})
}

// near returns up to three rules whose names look like name.
func near(name string) []string {
	return Nearest(name, func(yield func(string) bool) {
		for r := range Rules() {
			if !yield(r.Name) {
				return
			}
		}
	})
}

// Nearest returns up to three of the names that look like name, the nearest first.
func Nearest(name string, names iter.Seq[string]) (nearest []string) {
	type candidate struct {
		name     string
		distance int
	}
	var all []candidate
	for n := range names {
		d := smetrics.WagnerFischer(name, n, 1, 1, 1)
		if name != "" && (strings.Contains(n, name) || strings.Contains(name, n)) {
			d = min(d, 1)
		}
		if d <= max(2, len(name)/3) {
			all = append(all, candidate{n, d})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	for _, c := range all[:min(3, len(all))] {
		nearest = append(nearest, c.name)
	}
	return nearest
}
