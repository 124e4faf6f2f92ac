package main

import (
	"cmp"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/report"
)

// examples keeps the first findings of each rule and level, so that a common one
// does not hide the others.
type examples struct {
	most  int
	kept  map[tally][]example
	added int
}

type example struct {
	report.Finding
	pos   jsonl.Pos
	order int
}

func newExamples(most int) examples { return examples{most: most, kept: map[tally][]example{}} }

// wants reports whether one more may be shown.
func (e *examples) wants(of tally) bool { return len(e.kept[of]) < e.most }

func (e *examples) add(of tally, f report.Finding, pos jsonl.Pos) {
	f.Rule, f.Level, f.File, f.Line = of.rule, of.level.String(), pos.File, pos.Line
	e.added++
	e.kept[of] = append(e.kept[of], example{f, pos, e.added})
}

// choose takes the first of each in order, then the second, and so on until there
// are enough, and returns them in the order in which they were found.
func (e *examples) choose(order []tally) []example {
	var chosen []example
	for round := 0; len(chosen) < min(e.most, e.added); round++ {
		before := len(chosen)
		for _, of := range order {
			if kept := e.kept[of]; round < len(kept) && len(chosen) < e.most {
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
