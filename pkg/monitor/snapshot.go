package monitor

import (
	"maps"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/progress"
)

// Live is what the run's loop knows of this moment.
type Live struct {
	Account         // of prompts: in, done, failed, dead, bad, before
	Total   int64   // -1 unknown
	Unread  []int64 // prompts of each lane that were not read yet; nil unknown
	Slots   []int   // of each lane
	Rate    float64 // requests a second at most, 0 no limit
	State   State
	Exit    int // -1 while the run lasts
	Why     string
}

// Figures are the run now. They should be taken about once a second: the history
// is made of them.
func (b *Book) Figures(live Live, now time.Time) *Figures {
	f := &Figures{
		About: b.about, State: live.State, Exit: live.Exit, Why: live.Why,
		Started: b.begun.UTC().Truncate(time.Millisecond), Updated: now.UTC().Truncate(time.Millisecond),
		Account: b.account(live), Total: live.Total, Shares: b.shares,
		Codes: maps.Clone(b.codes), Rules: maps.Clone(b.rules), Oldest: b.oldest(now),
		Servers: b.servers.list(), By: b.by, Groups: b.groups.list(),
		RecentFailures: append([]Failure{}, b.failures...), RecentAnswers: append([]Answer{}, b.answers...),
		latency: b.latency, lag: b.lag,
	}
	f.Shares.Status = maps.Clone(b.shares.Status)
	f.Shares.Share = share(b.shares.Without, b.shares.Judged)
	f.Lanes = b.laneFigures(live)
	b.setRates(f, live, now)
	if !f.Over {
		b.course.note(f, now)
	}
	f.History = b.course.history()
	return f
}

func (b *Book) account(live Live) Account {
	a := live.Account
	a.Requests, a.Retried, a.Answers, a.Tokens = b.counts.Requests, b.counts.Retried, b.counts.Answers, b.counts.Tokens
	a.Pending = a.In - a.Done - a.Failed - a.Dead - a.Bad
	a.Over = live.State == Finished || live.State == Stopped
	return a
}

// setRates sets what is of the last minute, or of the whole run when it is over.
func (b *Book) setRates(f *Figures, live Live, now time.Time) {
	c := f.progress()
	b.rates.Add(&c, now)
	last := b.recent.sum(now)
	f.Shares.Lately = share(last.without, last.judged)
	f.Lag = Lag{inSeconds(last.lag), inSeconds(b.lag.longest)}
	f.Rates = Rates{ETA: -1, Took: inSeconds(now.Sub(b.begun))}
	var p progress.Figures
	if f.Over {
		p = b.rates.Final(c, now)
		f.Latency = b.latency.quantiles()
	} else {
		p = b.rates.Figures(c, now)
		f.Latency = last.took.quantiles()
		f.Rates.ETA = b.forecast(f, live, now)
	}
	f.Rates.PerMinute, f.Rates.Tokens = p.PerMinute, p.TokensPerSecond
	if p.PerMinute < 0 {
		f.Rates.Tokens = -1
	}
}

// progress is what a line of progress counts.
func (f *Figures) progress() progress.Counts {
	c := progress.Counts{Total: f.Total, Before: f.Before, Done: f.Done, Retried: f.Retried, Failed: f.Failed, Dead: f.Dead, Bad: f.Bad, Tokens: f.Tokens}
	switch f.State {
	case Probing, Paused, Draining:
		c.Note = string(f.State)
	}
	return c
}

// Progress is what a line of progress shows.
func (f *Figures) Progress() progress.Figures {
	duration := func(s float64) time.Duration {
		if s < 0 {
			return -1
		}
		return seconds(s)
	}
	p := progress.Figures{
		Counts: f.progress(), PerMinute: f.Rates.PerMinute, TokensPerSecond: f.Rates.Tokens, Without: f.Shares.Share,
		Oldest: duration(f.Oldest.Age), Lag: duration(f.Lag.Lately), ETA: duration(f.Rates.ETA), Took: -1,
	}
	if f.Over {
		p.Took, p.Oldest, p.Lag = duration(f.Rates.Took), -1, duration(f.Lag.Longest)
	}
	return p
}

// oldest is the request that is in flight longest.
func (b *Book) oldest(now time.Time) Oldest {
	var first *Flight
	for f := range b.flights {
		if first == nil || f.sent.Before(first.sent) {
			first = f
		}
	}
	if first == nil {
		return Oldest{Age: -1}
	}
	return Oldest{cut(first.id, 100), inSeconds(now.Sub(first.sent))}
}

func (b *Book) laneFigures(live Live) []Lane {
	lanes := make([]Lane, len(b.lanes))
	for i := range b.lanes {
		l := &b.lanes[i]
		lanes[i] = Lane{Name: l.name, Slots: live.Slots[i], Left: l.in - l.settled}
		if live.Unread != nil {
			lanes[i].Left += live.Unread[i]
		}
	}
	for f := range b.flights {
		lanes[f.lane].InFlight++
	}
	return lanes
}

// everyForecast is how often the rest of the run is played through: with thousands
// of slots that takes milliseconds.
const everyForecast = 5 * time.Second

// forecast is how many seconds are left, -1 when nobody knows.
func (b *Book) forecast(f *Figures, live Live, now time.Time) float64 {
	if live.Unread == nil || live.State != Running {
		b.ends = time.Time{}
		return -1
	}
	if now.After(b.ends) || now.Sub(b.foretold) >= everyForecast {
		b.foretold = now
		b.ends = b.foretell(f, live, now)
	}
	if b.ends.IsZero() {
		return -1
	}
	return inSeconds(max(0, b.ends.Sub(now)))
}

// foretell is when the run ends, zero when nobody knows.
func (b *Book) foretell(f *Figures, live Live, now time.Time) time.Time {
	loads := make([]Load, len(b.lanes))
	for i := range b.lanes {
		l := &b.lanes[i]
		left := max(0, f.Lanes[i].Left-int64(f.Lanes[i].InFlight))
		switch {
		case l.ended > 0: // some are asked more than once
			left = left * l.requests / l.ended
		case f.Lanes[i].Left > 0: // what failed so far does not say how long an answer takes
			return time.Time{}
		}
		loads[i] = Load{Slots: live.Slots[i], Left: left, Durations: &l.took}
	}
	for flight := range b.flights {
		loads[flight.lane].Ages = append(loads[flight.lane].Ages, now.Sub(flight.sent))
	}
	left, ok := Forecast(loads)
	if !ok || now.Sub(b.begun) < 3*time.Second {
		return time.Time{}
	}
	if live.Rate > 0 {
		var requests int64
		for i := range loads {
			requests += loads[i].Left
		}
		left = max(left, seconds(float64(requests)/live.Rate))
	}
	return now.Add(left)
}
