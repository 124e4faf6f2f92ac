package monitor

import (
	"maps"
	"time"
)

// History is the course of a run from its beginning, in equal steps, at most
// longestHistory of them: a step doubles when there are more.
type History struct {
	Step   float64 `json:"step_seconds"`
	Points []Point `json:"points"`
}

// Point is a step of the history: the average of the figures as they stood
// then, -1 where nothing was known; counts are of the step alone.
type Point struct {
	PerMinute float64          `json:"answers_per_minute"`
	Tokens    float64          `json:"tokens_per_second"`
	Without   float64          `json:"without_share"`
	InFlight  []float64        `json:"in_flight"` // by lane
	Latency   Quantiles        `json:"latency_seconds"`
	Failures  map[string]int64 `json:"failures"`
}

const (
	firstStep      = 2 * time.Second
	longestHistory = 240
)

// course collects a History.
type course struct {
	begun time.Time
	step  time.Duration
	steps []step
}

// step is a point in the making.
type step struct {
	perMinute, tokens, without, p50, p95 average
	inFlight                             []average
	failures                             map[string]int64
}

// average of the values that were known.
type average struct {
	sum float64
	n   float64
}

func (a *average) add(x float64) {
	if x >= 0 {
		a.sum, a.n = a.sum+x, a.n+1
	}
}

func (a *average) merge(o average) { a.sum, a.n = a.sum+o.sum, a.n+o.n }

func (a average) value() float64 {
	if a.n == 0 {
		return -1
	}
	return round(a.sum / a.n)
}

func newCourse(begun time.Time) course { return course{begun: begun, step: firstStep} }

// at is the step of a moment, which is made when it is new.
func (c *course) at(now time.Time) *step {
	for now.Sub(c.begun) >= longestHistory*c.step {
		c.halve()
	}
	i := int(max(0, now.Sub(c.begun)) / c.step)
	for len(c.steps) <= i {
		c.steps = append(c.steps, step{failures: map[string]int64{}})
	}
	return &c.steps[i]
}

// halve makes one step of two.
func (c *course) halve() {
	for i := 0; i < len(c.steps); i += 2 {
		c.steps[i/2] = c.steps[i]
		if i+1 < len(c.steps) {
			c.steps[i/2].merge(&c.steps[i+1])
		}
	}
	c.steps = c.steps[:(len(c.steps)+1)/2]
	c.step *= 2
}

func (s *step) merge(o *step) {
	s.perMinute.merge(o.perMinute)
	s.tokens.merge(o.tokens)
	s.without.merge(o.without)
	s.p50.merge(o.p50)
	s.p95.merge(o.p95)
	for i, a := range o.inFlight {
		s.lane(i).merge(a)
	}
	for code, n := range o.failures {
		s.failures[code] += n
	}
}

func (s *step) lane(i int) *average {
	for len(s.inFlight) <= i {
		s.inFlight = append(s.inFlight, average{})
	}
	return &s.inFlight[i]
}

// note takes what the figures are now into the step of now.
func (c *course) note(f *Figures, now time.Time) {
	s := c.at(now)
	s.perMinute.add(f.Rates.PerMinute)
	s.tokens.add(f.Rates.Tokens)
	s.without.add(f.Shares.Lately)
	s.p50.add(f.Latency.P50)
	s.p95.add(f.Latency.P95)
	for i := range f.Lanes {
		s.lane(i).add(float64(f.Lanes[i].InFlight))
	}
}

// history is what was collected.
func (c *course) history() History {
	h := History{Step: c.step.Seconds(), Points: make([]Point, len(c.steps))}
	for i := range c.steps {
		s := &c.steps[i]
		p := Point{
			PerMinute: s.perMinute.value(), Tokens: s.tokens.value(), Without: s.without.value(),
			Latency: Quantiles{s.p50.value(), s.p95.value()}, Failures: maps.Clone(s.failures), InFlight: []float64{},
		}
		for _, a := range s.inFlight {
			p.InFlight = append(p.InFlight, a.value())
		}
		h.Points[i] = p
	}
	return h
}
