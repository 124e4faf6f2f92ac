package check

import (
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// has reports whether a flag of pkg/extractor stands in a sample.
func has(s *record.Sample, flag string) bool { return slices.Contains(s.Extract.Flags, flag) }

// Finding is one thing that is wrong with one record.
type Finding struct {
	Rule   string
	Level  Level  // Warn or Fail
	Detail string // what was seen, in a few words; may quote the data
	// Excerpt is the piece, under a policy that asks for it and where there is one.
	Excerpt Excerpt
}

// Checker looks at one answer after the other.
type Checker struct {
	policy    Policy
	explained bool // a failing finding explains what is empty or cut
	excused   bool // thinking may be absent

	found   []Finding
	markers *markers
	sights  [2]sight // of the texts
	loop    loopFinder
	doc     jsonscan.Doc
	buf     []byte
}

// NewChecker returns a Checker under a policy, which it copies.
func NewChecker(p Policy) *Checker {
	return &Checker{policy: p, markers: newMarkers(p.Params), loop: loopFinder{least: p.Params.LeastLoop}}
}

// Check returns what is wrong with an answer, causes first; valid until the
// next call. Where the request switched thinking off, none is asked for.
func (c *Checker) Check(s *record.Sample) []Finding {
	return c.CheckWithout(s, ByDesign(s))
}

// ByDesign reports whether the request switched the thinking off and there is none.
func ByDesign(s *record.Sample) bool {
	return s.Status == string(reasoning.Absent) && slices.ContainsFunc(s.Extract.Flags, isSwitch)
}

// isSwitch reports whether a flag says that a request switched thinking off. A
// model that never thinks, or only when it is asked to, is another matter: it
// may be the wrong one.
func isSwitch(flag string) bool {
	switch flag {
	case extractor.FlagOffRequest, extractor.FlagOffEffort, extractor.FlagOffSoft, extractor.FlagOffPrompt:
		return true
	}
	return false
}

// CheckWithout is Check for whoever knows better whether thinking may be absent.
func (c *Checker) CheckWithout(s *record.Sample, excused bool) []Finding {
	c.found, c.explained, c.excused = c.found[:0], false, excused
	for i := range table {
		rule := &table[i]
		if rule.find == nil || c.policy.rules[i].level == Off {
			continue
		}
		h := rule.find(c, s)
		if h.detail == "" {
			continue
		}
		f, _ := c.policy.finding(i, h)
		c.found = append(c.found, f)
		c.explained = c.explained || rule.explains && f.Level == Fail
	}
	return c.found
}

// texts are the parts of an answer that a model wrote, and what to call them.
func texts(s *record.Sample) [2]part {
	return [2]part{{"reasoning", s.Reasoning}, {"content", s.Content}}
}

type part struct {
	name string
	text jsonscan.Text
}
