package report

import (
	"fmt"
	"math"
	"strconv"
)

// bar is a rectangle of a chart, in units of its view box.
type bar struct {
	X, Y, W, H float64
	Class      string
	Title      string // shown when pointed at
}

// label is a text under or beside a chart.
type label struct {
	X, Y   float64
	Text   string
	Anchor string // "start", "middle", "end"
}

// chart is an SVG picture.
type chart struct {
	Title, Summary string // Summary is for those who do not see it
	Width, Height  float64
	Bars           []bar
	Labels         []label
}

const (
	chartWidth  = 360.0
	chartHeight = 150.0
	axis        = 18.0 // below the bars, for labels
	top         = 14.0 // above the bars, for the scale
)

// columns begins a chart of upright bars, the highest being most things.
func columns(title string, most int64, what string) chart {
	c := chart{Title: title, Width: chartWidth, Height: chartHeight}
	if most > 0 {
		c.Labels = append(c.Labels, label{0, 10, plural(most, what), "start"})
	}
	return c
}

// column adds bar i of n, the part from..from+count of most.
func (c *chart) column(i, n int, from, count, most int64, class, title string) {
	if count == 0 || most == 0 {
		return
	}
	room := chartHeight - axis - top
	width := chartWidth / float64(n)
	gap := min(2, width/4)
	height := max(1, room*float64(count)/float64(most))
	y := chartHeight - axis - room*float64(from)/float64(most) - height
	c.Bars = append(c.Bars, bar{round(float64(i)*width + gap/2), round(y), round(width - gap), round(height), class, title})
}

func round(x float64) float64 { return math.Round(x*100) / 100 }

// lengths draws a histogram by powers of two.
func (h *Histogram) chart() chart {
	first, last, most, all := -1, -1, int64(0), int64(0)
	for i, n := range h.Counts {
		if n > 0 {
			if first < 0 {
				first = i
			}
			last = i
		}
		most, all = max(most, n), all+n
	}
	c := columns("Length of "+h.Name+", "+h.Unit, most, "answer")
	if first < 0 {
		return c
	}
	last = max(last, min(first+4, len(h.Counts)-1)) // bars of a sensible width
	n := last - first + 1
	for i := first; i <= last; i++ {
		count := h.Counts[i]
		c.column(i-first, n, 0, count, most, h.Name, fmt.Sprintf("%s %s: %s", lengthRange(i), h.Unit, plural(count, "answer")))
		if every := max(1, (n+7)/8); i == last || (i-first)%every == 0 && i+every <= last+every/2 {
			c.Labels = append(c.Labels, label{round(chartWidth / float64(n) * (float64(i-first) + 0.5)), chartHeight - 4, short(lengthFrom(i)), "middle"})
		}
	}
	c.Summary = fmt.Sprintf("%s of %s %s each, the most between %s", plural(all, "answer"), lengthRange(first)+" to "+short(lengthFrom(last)), h.Unit, lengthRange(first))
	return c
}

// lengthFrom is the shortest length of a histogram's i-th count.
func lengthFrom(i int) int64 {
	if i == 0 {
		return 0
	}
	return 1 << (i - 1)
}

func lengthRange(i int) string {
	if i < 2 {
		return strconv.FormatInt(lengthFrom(i), 10)
	}
	return short(lengthFrom(i)) + "–" + short(lengthFrom(i+1)-1)
}

// timeline draws what passed and what failed, in order.
func (c *Charts) timeline() chart {
	most, records := int64(0), int64(0)
	for _, s := range c.Timeline {
		most = max(most, s.Passed+s.Failed)
		records += s.Passed + s.Failed
	}
	picture := columns("In the order of the records", most, "record")
	at := int64(0)
	for i, s := range c.Timeline {
		where := fmt.Sprintf("records %s to %s: ", thousands(at+1), thousands(at+s.Passed+s.Failed))
		picture.column(i, len(c.Timeline), 0, s.Failed, most, "fail", where+thousands(s.Failed)+" failed")
		picture.column(i, len(c.Timeline), s.Failed, s.Passed, most, "pass", where+thousands(s.Passed)+" passed")
		at += s.Passed + s.Failed
	}
	begin, end := "record 1", thousands(records)
	if c.Begin != "" {
		begin, end = c.Begin, c.End
	}
	picture.Labels = append(picture.Labels, label{0, chartHeight - 4, begin, "start"}, label{chartWidth, chartHeight - 4, end, "end"})
	picture.Summary = fmt.Sprintf("%s in %d slots", plural(records, "record"), len(c.Timeline))
	return picture
}

// short is a number of few characters: 1024 is "1k".
func short(n int64) string {
	switch {
	case n >= 1<<30:
		return strconv.FormatInt(n>>30, 10) + "G"
	case n >= 1<<20:
		return strconv.FormatInt(n>>20, 10) + "M"
	case n >= 1<<10:
		return strconv.FormatInt(n>>10, 10) + "k"
	}
	return strconv.FormatInt(n, 10)
}

// thousands groups the digits of a number: 12 345.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u202f" + s[i:] // narrow no-break space
	}
	return s
}
