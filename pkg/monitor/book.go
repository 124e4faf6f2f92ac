package monitor

import (
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/progress"
)

// Book keeps the figures of a run. It is owned by one goroutine; the [Figures]
// that it gives out may be read by others.
type Book struct {
	about  About
	begun  time.Time
	counts Account // those of requests

	lanes   []laneBook
	flights map[*Flight]struct{}
	servers rows
	by      string
	groups  rows

	shares       Shares
	codes, rules map[string]int64
	rates        progress.Rates
	recent       recent
	course       course
	latency, lag Histogram // of answers; of this process
	foretold     time.Time // when ends was
	ends         time.Time // zero: nobody knows
	failures     []Failure
	answers      []Answer
}

// laneBook is what a lane did and has to do.
type laneBook struct {
	name        string
	in, settled int64 // wanted answers
	requests    int64
	ended       int64     // of them, those after which nothing was asked again
	took        Histogram // of its requests
}

// NewBook begins at now. by says what groups are values of, "" for no groups.
func NewBook(about About, lanes []string, by string, now time.Time) *Book {
	b := &Book{
		about: about, begun: now, by: by, flights: map[*Flight]struct{}{},
		codes: map[string]int64{}, rules: map[string]int64{},
		recent: recent{begun: now}, course: newCourse(now),
	}
	b.shares.Status = map[string]int64{}
	for _, name := range lanes {
		b.lanes = append(b.lanes, laneBook{name: name})
	}
	return b
}

// Model names the model that is asked, once that is known.
func (b *Book) Model(name string) { b.about.Model = name }

// Wanted takes note of n answers that are wanted.
func (b *Book) Wanted(lane int, group string, n int64) {
	b.lanes[lane].in += n
	if b.by != "" {
		b.groups.of(group).In += n
	}
}

// In is how many answers of a lane are wanted so far.
func (b *Book) In(lane int) int64 { return b.lanes[lane].in }

// Settled takes note of wanted answers that were settled: done, failed, dead, or
// before any request was made, bad.
func (b *Book) Settled(lane int, group string, done, failed, dead, bad int64) {
	b.lanes[lane].settled += done + failed + dead + bad
	if b.by != "" {
		r := b.groups.of(group)
		r.Done, r.Failed, r.Dead = r.Done+done, r.Failed+failed, r.Dead+dead+bad
	}
}

// Flight is a request under way.
type Flight struct {
	id     string
	lane   int
	server string
	group  string
	sent   time.Time
}

// Sent takes note of a request that goes out.
func (b *Book) Sent(id string, lane int, server, group string, now time.Time) *Flight {
	f := &Flight{id, lane, server, group, now}
	b.flights[f] = struct{}{}
	b.servers.of(server).InFlight++
	if b.by != "" {
		b.groups.of(group).InFlight++
	}
	return f
}

// Landed takes note that a request is over and its slot is free again, waited
// after its last byte came.
func (b *Book) Landed(f *Flight, waited time.Duration, now time.Time) {
	delete(b.flights, f)
	b.servers.of(f.server).InFlight--
	if b.by != "" {
		b.groups.of(f.group).InFlight--
	}
	b.Late(waited, now)
}

// Late takes note that this process did something so much later than it could have.
func (b *Book) Late(d time.Duration, now time.Time) {
	d = max(0, d)
	s := b.recent.at(now)
	s.lag = max(s.lag, d)
	b.lag.Add(d)
}

// Attempt is what counts of a request that is in the archive.
type Attempt struct {
	ID      string
	Lane    int
	Server  string
	Group   string
	Number  int           // from 1
	Took    time.Duration // from start to last byte
	At      time.Time     // of the last byte
	Retried bool          // another follows, of a failure or of a part of an answer

	Code, Message string // of a failure, "" for an answer

	// Of an answer:
	Tokens            int64
	Status            string // reasoning_status
	Thinks            bool   // there is a character of thinking
	Rules             []string
	Thinking, Content string // shortened by the caller; both "": not shown
	Finish            string
}

// Kept takes note of a request that is in the archive.
func (b *Book) Kept(a *Attempt) {
	server := b.servers.of(a.Server)
	b.counts.Requests++
	server.Requests++
	lane := &b.lanes[a.Lane]
	lane.requests++
	lane.took.Add(a.Took)
	if a.Retried {
		b.counts.Retried++
	} else {
		lane.ended++
	}
	parts := []*row{server}
	if b.by != "" {
		parts = append(parts, b.groups.of(a.Group))
		parts[1].Requests++
	}
	if a.Code != "" {
		b.failed(a, parts)
		return
	}
	b.counts.Tokens += a.Tokens
	for _, r := range parts {
		r.Tokens += a.Tokens
	}
	if !a.Retried { // else it was cut, and is gone on with
		b.answered(a, parts)
	}
}

func (b *Book) failed(a *Attempt, parts []*row) {
	for _, r := range parts {
		r.Failures++
	}
	b.codes[a.Code]++
	b.course.at(a.At).failures[a.Code]++
	b.failures = push(b.failures, Failure{
		At: a.At, ID: cut(a.ID, 100), Server: a.Server, Code: a.Code, Message: cut(a.Message, 300), Attempt: a.Number, Retried: a.Retried,
	})
}

func (b *Book) answered(a *Attempt, parts []*row) {
	s := b.recent.at(a.At)
	s.took.Add(a.Took)
	s.judged++
	b.shares.Judged++
	b.shares.Status[a.Status]++
	b.latency.Add(a.Took)
	b.counts.Answers++
	if !a.Thinks {
		s.without++
		b.shares.Without++
	}
	for _, r := range parts {
		r.answered(a)
	}
	for _, rule := range a.Rules {
		b.rules[rule]++
	}
	if a.Thinking != "" || a.Content != "" {
		b.answers = push(b.answers, Answer{
			At: a.At, ID: cut(a.ID, 100), Group: a.Group, Status: a.Status, Thinking: cut(a.Thinking, 300), Content: cut(a.Content, 300),
			Finish: a.Finish, Tokens: a.Tokens, Took: inSeconds(a.Took),
		})
	}
}

// shown is how many recent ones are kept of a kind.
const shown = 12

// push puts one in front, and drops the oldest.
func push[T any](list []T, one T) []T {
	list = append([]T{one}, list...) // a new one: older figures hold the old
	return list[:min(len(list), shown)]
}

// cut ends a long text between characters.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}
