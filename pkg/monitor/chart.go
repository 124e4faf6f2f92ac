package monitor

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// chart is one figure of the page: a number, where it comes from, and its course.
type chart struct {
	ID, Title, Value, Unit, Sub, Mood string
	Series                            []series
	From, Top                         string // the ends of the axes
	Start                             int64  // of the first point, seconds since 1970
	Step                              float64
	Tips                              string // what each point says, separated by "|"
}

// series is a line of a chart as paths of SVG, in a box of 1000 by 100.
type series struct{ Class, Line, Area string }

// charts are those of the page, in order.
func (f *Figures) charts() []chart {
	all := []chart{f.answersChart(), f.tokensChart(), f.withoutChart(), f.flightChart(), f.failuresChart(), f.latencyChart()}
	for i := range all {
		all[i].Start, all[i].Step = f.Started.Unix(), f.History.Step
		all[i].From = f.Started.UTC().Format("15:04")
		if f.Updated.Sub(f.Started) > 24*time.Hour {
			all[i].From = f.Started.UTC().Format("2 Jan 15:04")
		}
	}
	return all
}

func (f *Figures) answersChart() chart {
	c := chart{ID: "answers", Title: "Answers", Value: amount(f.Rates.PerMinute), Unit: "a minute", Sub: fmt.Sprintf("%d in this run", f.Answers)}
	f.draw(&c, func(p *Point) []float64 { return []float64{p.PerMinute} }, amount, 0)
	return c
}

func (f *Figures) tokensChart() chart {
	c := chart{ID: "tokens", Title: "Tokens", Value: amount(f.Rates.Tokens), Unit: "a second", Sub: thousands(f.Tokens) + " in this run"}
	f.draw(&c, func(p *Point) []float64 { return []float64{p.Tokens} }, amount, 0)
	return c
}

func (f *Figures) withoutChart() chart {
	now := f.Shares.Lately
	if f.Over {
		now = f.Shares.Share
	}
	c := chart{ID: "without", Title: "Without thinking", Value: percent(now), Mood: shareMood(now),
		Sub: fmt.Sprintf("%d of %d answers, %s", f.Shares.Without, f.Shares.Judged, percent(f.Shares.Share))}
	f.draw(&c, func(p *Point) []float64 { return []float64{p.Without} }, percent, 0.05)
	return c
}

func (f *Figures) flightChart() chart {
	c := chart{ID: "flight", Title: "In flight"}
	all, slots, lanes := 0, 0, []string{}
	for _, l := range f.Lanes {
		all, slots = all+l.InFlight, max(slots, l.Slots)
		lanes = append(lanes, fmt.Sprintf("%s %d of %d", l.Name, l.InFlight, l.Slots))
	}
	c.Value, c.Sub = strconv.Itoa(all), strings.Join(lanes, ", ")
	if f.Oldest.Age >= 0 {
		c.Unit = "the oldest " + span(f.Oldest.Age)
	}
	f.draw(&c, func(p *Point) []float64 { return p.InFlight }, func(x float64) string { return strconv.Itoa(int(math.Round(x))) }, float64(slots))
	return c
}

func (f *Figures) failuresChart() chart {
	names := byCount(f.Codes)
	var sum int64
	for _, n := range f.Codes {
		sum += n
	}
	c := chart{ID: "failures", Title: "Failed requests", Value: strconv.FormatInt(sum, 10), Sub: "none"}
	if sum > 0 {
		c.Sub, c.Mood, c.Unit = list(f.Codes), "warn", fmt.Sprintf("%d asked again", f.Retried)
	}
	if f.Failed+f.Dead > 0 {
		c.Mood = "bad"
	}
	i := -1
	f.draw(&c, func(*Point) []float64 {
		i++
		rates := []float64{}
		for _, name := range names[:min(3, len(names))] {
			rates = append(rates, f.History.failureRate(name, i))
		}
		return append(rates, 0)[:max(1, len(rates))]
	}, func(x float64) string { return amount(x) + "/min" }, 1)
	tips := strings.Split(c.Tips, "|")
	for i := range f.History.Points {
		if failures := f.History.Points[i].Failures; len(failures) > 0 {
			tips[i] = list(failures)
		}
	}
	c.Tips = strings.Join(tips, "|")
	return c
}

// failureRate is how many requests of a class failed a minute, in the minute or
// the step that ends with a point.
func (h *History) failureRate(code string, point int) float64 {
	steps := max(1, int(60/h.Step))
	var n int64
	first := max(0, point-steps+1)
	for i := first; i <= point; i++ {
		n += h.Points[i].Failures[code]
	}
	return float64(n) * 60 / (h.Step * float64(point-first+1))
}

func (f *Figures) latencyChart() chart {
	c := chart{ID: "latency", Title: "Latency of answers", Value: span(f.Latency.P50), Unit: "median",
		Sub: fmt.Sprintf("95 %% within %s, client lag %s", span(f.Latency.P95), span(f.lagNow()))}
	f.draw(&c, func(p *Point) []float64 { return []float64{p.Latency.P95, p.Latency.P50} }, span, 0)
	return c
}

// lagNow is the lag that is shown: of the last minute, or of the whole run.
func (f *Figures) lagNow() float64 {
	if f.Over {
		return f.Lag.Longest
	}
	return f.Lag.Lately
}

// draw draws the course of values. The axis goes from 0 to a round number above
// all of them and above least.
func (f *Figures) draw(c *chart, values func(*Point) []float64, say func(float64) string, least float64) {
	points := f.History.Points
	lines := [][]float64{}
	tips := make([]string, len(points))
	for i := range points {
		said := []string{}
		for k, x := range values(&points[i]) {
			for len(lines) <= k {
				lines = append(lines, unknown(len(points)))
			}
			lines[k][i], least = x, max(least, x)
			said = append(said, say(x))
		}
		tips[i] = strings.Join(said, ", ")
	}
	top := roundUp(least)
	for k, line := range lines {
		s := series{Class: []string{"first", "second", "third"}[min(k, 2)], Line: path(line, top, false)}
		if k == 0 {
			s.Area = path(line, top, true)
		}
		c.Series = append(c.Series, s)
	}
	c.Top, c.Tips = say(top), strings.Join(tips, "|")
}

func unknown(n int) []float64 {
	line := make([]float64, n)
	for i := range line {
		line[i] = -1
	}
	return line
}

// roundUp is the next of 1, 1.5, 2, 3, 5 and 7.5, times a power of ten.
func roundUp(x float64) float64 {
	if x <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, step := range []float64{1, 1.5, 2, 3, 5, 7.5} {
		if x <= step*power*(1+1e-9) {
			return step * power
		}
	}
	return 10 * power
}

// path draws values from left to right; what is not known, below 0, is a gap. An
// area goes down to the axis at both ends.
func path(values []float64, top float64, area bool) string {
	var b strings.Builder
	width := 1000 / float64(max(1, len(values)-1))
	for i := 0; i < len(values); i++ {
		first := i
		for i < len(values) && values[i] >= 0 {
			op := 'L'
			if i == first {
				op = 'M'
			}
			fmt.Fprintf(&b, "%c%.0f %.1f", op, float64(i)*width, 100-100*min(1, values[i]/top))
			i++
		}
		if area && i > first {
			fmt.Fprintf(&b, "V100H%.0fZ", float64(first)*width)
		}
	}
	return b.String()
}
