package main

import (
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// cutAnswer is what was said of an answer that the token limit cut: it is taken
// back when a later record is the whole of it (gen --continue).
type cutAnswer struct {
	found []tally
	in    *group
	pos   jsonl.Pos
}

// across is what the account says of a record.
func (v *validator) across(e *entry) []check.Finding {
	part, ok := v.cut[e.digest.Answer]
	if !ok || !e.digest.Continued {
		return v.account.Add(&e.digest)
	}
	delete(v.cut, e.digest.Answer)
	v.gate.takeBack(part)
	return v.account.Replace(&e.digest)
}

// remember keeps what was said of a cut answer, about 150 bytes.
func (v *validator) remember(e *entry, in *group, findings ...[]check.Finding) {
	all := slices.Concat(findings...)
	if e.digest.Prompt == 0 || !slices.ContainsFunc(all, func(f check.Finding) bool { return f.Rule == check.Truncated }) {
		return
	}
	part := cutAnswer{in: in, pos: e.pos}
	for _, f := range all {
		part.found = append(part.found, tally{f.Rule, f.Level})
	}
	if v.cut == nil {
		v.cut = map[uint64]cutAnswer{}
	}
	v.cut[e.digest.Answer] = part
}

// takeBack uncounts a record that failed, and its findings.
func (g *gate) takeBack(part cutAnswer) {
	g.continued++
	for _, x := range [...]*group{g.all, part.in} {
		if x == nil {
			continue
		}
		x.records--
		x.failed--
		for _, t := range part.found {
			x.counts[t]--
		}
	}
	for _, t := range part.found {
		g.examples.drop(t, part.pos)
	}
}

// drop takes an example back.
func (e *examples) drop(of tally, at jsonl.Pos) {
	i := slices.IndexFunc(e.kept[of], func(x example) bool { return x.pos == at })
	if i >= 0 {
		e.kept[of] = slices.Delete(e.kept[of], i, i+1)
		e.added--
	}
}
