package check

import (
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Answer is a sample and what is known of it besides: facts that the sample
// record does not hold, but for flags in Extract.Flags of the names below. The
// zero facts are right where nothing is known.
type Answer struct {
	Sample     *record.Sample
	NullFinish bool          // the record has a finish reason, and it is null
	Refusal    jsonscan.Text // in the server's field for it
	Simulated  bool          // by the simulated server
}

// Flags of a sample that say the same as the facts of an Answer.
const (
	flagNullFinish = "null-finish"
	flagRefusal    = "refusal"
	flagSimulated  = "simulated"
)

func (a *Answer) has(flag string) bool { return slices.Contains(a.Sample.Extract.Flags, flag) }

// Finding is one thing that is wrong with one record.
type Finding struct {
	Rule   string
	Level  Level  // Warn or Fail
	Detail string // what was seen, in a few words; may quote the data
}

// Checker looks at one answer after the other.
type Checker struct {
	policy    Policy
	explained bool // a failing finding explains what is empty or cut

	found   []Finding
	markers *markers
	loop    loopFinder
	doc     jsonscan.Doc
	buf     []byte
}

// NewChecker returns a Checker under a policy, which it copies.
func NewChecker(p Policy) *Checker { return &Checker{policy: p, markers: newMarkers()} }

// Check returns what is wrong with an answer, causes first; valid until the
// next call.
func (c *Checker) Check(a *Answer) []Finding {
	c.found, c.explained = c.found[:0], false
	for i := range table {
		rule := &table[i]
		if rule.find == nil || c.policy.rules[i].level == Off {
			continue
		}
		h := rule.find(c, a)
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
