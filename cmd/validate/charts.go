package main

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/report"
)

// facts are what the charts of a record are made of, where somebody wants them.
type facts struct {
	answer             bool // there is one
	reasoning, content int  // characters
	finish, started    []byte
}

// factsOf gathers them; what it keeps is copied into the batch.
func (w *worker) factsOf(line jsonscan.Value, s *record.Sample) facts {
	f := facts{answer: true, reasoning: characters(s.Reasoning), content: characters(s.Content)}
	f.finish = w.keep(s.FinishReason.Raw[:min(s.FinishReason.Len(), nameBytes)])
	if started := line.Get("started_at"); started.Kind() == jsonscan.String && started.Text().Len() <= nameBytes {
		f.started = w.keep(started.Text().Raw)
	}
	return f
}

// characters counts those of a text; half of a surrogate pair is one.
func characters(t jsonscan.Text) int {
	if t.Flags&jsonscan.Escaped == 0 {
		return utf8.RuneCount(t.Raw)
	}
	n := 0
	for raw := t.Raw; ; n++ {
		k := bytes.IndexByte(raw, '\\')
		if k < 0 {
			return n + utf8.RuneCount(raw)
		}
		n += utf8.RuneCount(raw[:k])
		if raw[k+1] == 'u' {
			k += len("0000")
		}
		raw = raw[k+len(`\n`):]
	}
}

// charts counts in constant memory what an HTML report draws.
type charts struct {
	reasoning, content [65]int64 // by powers of two
	finishes           map[string]int64
	slots              []report.Slot
	width              int64 // records of a slot
	begin, end         string
}

// What bounds the charts.
const (
	mostSlots    = 64
	mostFinishes = 30
)

func (c *charts) add(f *facts, passes bool) {
	c.slot(passes)
	if !f.answer {
		return
	}
	c.reasoning[bits.Len(uint(f.reasoning))]++
	c.content[bits.Len(uint(f.content))]++
	if n, ok := c.finishes[string(f.finish)]; ok {
		c.finishes[string(f.finish)] = n + 1
	} else if c.finishes == nil {
		c.finishes = map[string]int64{string(f.finish): 1}
	} else if len(c.finishes) < mostFinishes {
		c.finishes[string(f.finish)] = 1
	} else {
		c.finishes[moreThan]++
	}
	if len(f.started) > 0 {
		started := string(f.started)
		c.begin = min(cmp.Or(c.begin, started), started)
		c.end = max(c.end, started)
	}
}

// slot counts a record in the last slot. When there are too many slots each two
// become one.
func (c *charts) slot(passes bool) {
	last := len(c.slots) - 1
	if last < 0 || c.slots[last].Passed+c.slots[last].Failed >= c.width {
		if len(c.slots) == mostSlots {
			for i := range mostSlots / 2 {
				a, b := c.slots[2*i], c.slots[2*i+1]
				c.slots[i] = report.Slot{Passed: a.Passed + b.Passed, Failed: a.Failed + b.Failed}
			}
			c.slots = c.slots[:mostSlots/2]
		}
		c.width = max(1, c.width)
		if len(c.slots) == mostSlots/2 && c.slots[0].Passed+c.slots[0].Failed > c.width {
			c.width *= 2
		}
		c.slots = append(c.slots, report.Slot{})
		last = len(c.slots) - 1
	}
	if passes {
		c.slots[last].Passed++
	} else {
		c.slots[last].Failed++
	}
}

// report is what was counted, for drawing.
func (c *charts) report() report.Charts {
	r := report.Charts{Timeline: c.slots, Begin: c.begin, End: c.end}
	for _, h := range []struct {
		name   string
		counts []int64
	}{{"reasoning", c.reasoning[:]}, {"content", c.content[:]}} {
		if len(c.finishes) > 0 { // there was an answer
			r.Lengths = append(r.Lengths, report.Histogram{Name: h.name, Unit: "characters", Counts: h.counts})
		}
	}
	for name, n := range c.finishes {
		r.Finishes = append(r.Finishes, report.Count{Name: cmp.Or(name, "no finish reason"), N: n})
	}
	slices.SortFunc(r.Finishes, func(a, b report.Count) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name))
	})
	return r
}
