package main

import (
	"cmp"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/report"
)

// examples keeps the first findings of each rule, so that a common one does not
// hide the others.
type examples struct {
	most  int
	kept  map[string][]example // by rule
	added int
}

type example struct {
	report.Finding
	pos   jsonl.Pos
	order int
}

func newExamples(most int) examples { return examples{most: most, kept: map[string][]example{}} }

// wants reports whether one more of a rule may be shown.
func (e *examples) wants(rule string) bool { return len(e.kept[rule]) < e.most }

func (e *examples) add(f report.Finding, pos jsonl.Pos) {
	f.File, f.Line = pos.File, pos.Line
	e.added++
	e.kept[f.Rule] = append(e.kept[f.Rule], example{f, pos, e.added})
}

// choose takes the first of every rule, then the second, and so on until there
// are enough, and returns them in the order in which they were found.
func (e *examples) choose(rules []string) []example {
	var chosen []example
	for round := 0; len(chosen) < min(e.most, e.added); round++ {
		before := len(chosen)
		for _, rule := range rules {
			if kept := e.kept[rule]; round < len(kept) && len(chosen) < e.most {
				chosen = append(chosen, kept[round])
			}
		}
		if len(chosen) == before {
			break
		}
	}
	slices.SortFunc(chosen, func(a, b example) int { return cmp.Compare(a.order, b.order) })
	return chosen
}
