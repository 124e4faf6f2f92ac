package check

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// repetition looks at the thinking and the answer, not at arguments of calls,
// which may be data of any kind.
func repetition(c *Checker, s *record.Sample) hit {
	for _, p := range texts(s) {
		if l, ok := c.loop.find(p.text.Raw); ok {
			end := l.at + l.length
			return hit{
				detail: fmt.Sprintf("%d times %s in %s, %d characters after %d", l.times, quoted(jsonscan.Text{Raw: l.unit, Flags: anyFlags}), p.name, runes(p.text.Raw[l.at:end]), runes(p.text.Raw[:l.at])),
				mark:   mark{part: p.name, text: p.text.Raw, start: l.at, end: end},
			}
		}
	}
	return hit{}
}
