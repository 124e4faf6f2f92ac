package main

import (
	"errors"
	"os"
	"strings"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/monitor"
)

// everySecond is how often figures are taken: those of the line, of the page and
// of --status are the same.
const everySecond = time.Second

// watch is what tells people and programs how the run goes.
type watch struct {
	book    *monitor.Book
	figures *monitor.Figures // the latest
	due     time.Time        // when the next are taken
	known   []int64          // wanted answers of the whole input, by lane; nil unknown
	settled int64            // of the archive, when the run began
	page    *page            // nil without --monitor
}

// newWatch begins to count.
func (l *loop) newWatch() watch {
	lanes := make([]string, len(l.cfg.lanes))
	for i, lane := range l.cfg.lanes {
		lanes[i] = lane.name
	}
	host, _ := os.Hostname()
	version, _, _ := cmdline.Version()
	about := monitor.About{Run: l.id, Version: version, PID: os.Getpid(), Host: host, Archive: cmdline.Clean(l.cfg.archive, 200)}
	return watch{book: monitor.NewBook(about, lanes, l.cfg.by, time.Now())}
}

// look takes figures when it is time and shows them.
func (l *loop) look() {
	now := time.Now()
	if now.Before(l.watch.due) {
		return
	}
	l.watch.due = now.Add(everySecond)
	l.takeFigures(l.live(), now)
	l.meter.Show(l.watch.figures.Progress(), now)
	l.teller.tell(l.watch.figures)
}

// takeFigures takes figures and publishes them.
func (l *loop) takeFigures(live monitor.Live, now time.Time) {
	l.watch.figures = l.watch.book.Figures(live, now)
	l.watch.page.publish(l.watch.figures)
}

// live is what the loop knows of this moment.
func (l *loop) live() monitor.Live {
	t := &l.tally
	live := monitor.Live{
		Account: monitor.Account{In: t.in, Done: t.done, Failed: t.failed, Dead: t.dead, Bad: t.bad, Before: t.before, Clamped: t.clamped},
		Total:   l.expected(), Unread: l.unread(), Slots: l.sched.Slots(), Rate: l.cfg.rate, State: monitor.Running, Exit: -1,
	}
	switch {
	case l.exit != nil:
		live.State, live.Why = monitor.Draining, words(l.exit)
	case l.sched.Paused():
		live.State = monitor.Paused
	case l.probes.inFlight > 0 && !l.probes.over:
		live.State = monitor.Probing
	}
	return live
}

// expected is how many answers will be wanted by all prompts, -1 unknown. What came
// tells more than what was counted ahead: a line that is bad is wanted once, and an
// input may have grown.
func (l *loop) expected() int64 {
	switch {
	case l.known < 0:
		return -1
	case !l.more:
		return l.tally.in
	}
	return max(l.known, l.tally.in)
}

// foresee takes note of how many answers of each lane will be wanted.
func (l *loop) foresee(n []int64) {
	l.watch.known, l.known = n, 0
	for _, lane := range n {
		l.known += lane
	}
}

// unread is how many wanted answers of each lane are not read yet, less those that
// the archive has, as far as one can know: nil when one cannot.
func (l *loop) unread() []int64 {
	left := make([]int64, len(l.cfg.lanes))
	if !l.more {
		return left
	}
	if l.watch.known == nil {
		return nil
	}
	var all int64
	for i := range left {
		left[i] = max(0, l.watch.known[i]-l.watch.book.In(i))
		all += left[i]
	}
	have := min(all, max(0, l.watch.settled-l.tally.before))
	for i := range left {
		left[i] -= have * left[i] / max(1, all)
	}
	return left
}

// settledBefore counts what the archive settles already.
func (l *ledger) settledBefore() (n int64) {
	for _, e := range l.entries {
		if e.state == done || e.state == dead {
			n++
		}
	}
	return n
}

// over takes the last figures: how the run ended, and why.
func (l *loop) over(err error) {
	live := l.live()
	live.State, live.Exit, live.Why = monitor.Stopped, cmdline.ExitCode(err), words(err)
	if live.Exit == 0 || live.Exit == cmdline.CodeBad {
		live.State = monitor.Finished
	}
	l.takeFigures(live, time.Now())
}

// words are those of an error and its hints, a line each.
func words(err error) string {
	lines := []string{}
	for _, line := range cmdline.Explain(err) {
		lines = append(lines, cmdline.Clean(line, 1000))
	}
	return strings.Join(lines, "\n")
}

// refuseHeld refuses archives that another run writes before anything is changed:
// --status is that one's, too.
func (l *loop) refuseHeld() (err error) {
	var paths []string
	switch {
	case l.cfg.template != nil:
		paths, err = l.cfg.found()
	case l.cfg.archive != "":
		paths = []string{l.cfg.archive}
	}
	for _, path := range paths {
		held, err := jsonl.Holder(path)
		if err == nil && held != nil {
			err = openFailure(path, held)
		}
		if err != nil {
			return err
		}
	}
	return err
}

// excess joins to the error of a run that more records are bad than tolerated.
func (l *loop) excess(err error) error { return errors.Join(err, l.s.Excess()) }

// attempt is what is counted of a result.
func (l *loop) attempt(r *result) *monitor.Attempt {
	x, w := &r.exchange, r.job.Value
	now := time.Now()
	end := x.Started.Add(x.Timing.Total)
	if w.flight != nil {
		l.watch.book.Landed(w.flight, now.Sub(end), now)
	}
	a := &monitor.Attempt{
		ID: x.Key.ID.String(), Lane: w.lane, Server: x.Server, Group: w.group,
		Number: x.Attempt, Took: x.Timing.Total, At: end, Retried: x.Retried,
	}
	if x.Error != nil {
		a.Code, a.Message = x.Error.Code, x.Error.Message
		return a
	}
	s := &r.seen
	a.Tokens, a.Status, a.Thinks, a.Rules, a.Finish = r.tokens, s.status, s.thought > 0, s.rules, s.finish
	a.Thinking, a.Content = s.quoted[0], s.quoted[1]
	return a
}

// groupOf is what a line of prompts is counted with: the value of --by, in the line
// or in its meta; of a template, its archive.
func (c *config) groupOf(line jsonscan.Value, archive string) string {
	switch {
	case c.by == "":
		return ""
	case c.by == byArchive:
		return archive
	}
	v := line.Get(c.by)
	if !v.Exists() {
		v = line.Get("meta", c.by)
	}
	switch v.Kind() {
	case jsonscan.String:
		return cmdline.Clean(v.Text().String(), 100)
	case jsonscan.None, jsonscan.Null, jsonscan.Object, jsonscan.Array:
		return ""
	}
	return cmdline.Clean(string(v.Raw()), 100)
}

// byArchive counts by the archives of a template.
const byArchive = "archive"

// groupBy is the field that is counted by where --by names none.
func (c *config) groupBy() string {
	switch {
	case c.by != "":
		return c.by
	case c.template != nil:
		return byArchive
	}
	return "dataset"
}
