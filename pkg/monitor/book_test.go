package monitor

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

var epoch = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func at(seconds float64) time.Time {
	return epoch.Add(time.Duration(seconds * float64(time.Second)))
}

// busy is a book of a run that went on for two minutes: of each ten requests one
// failed and was asked again, one answer had no thinking.
func busy() *Book {
	b := NewBook(About{Run: "run_1", Host: "here", PID: 7, Archive: "raw.jsonl"}, []string{"short", "long"}, "dataset", epoch)
	b.Model("m")
	for i := range 120 {
		now := at(float64(i))
		lane, group := i%2, fmt.Sprint("set", i%3)
		b.Wanted(lane, group, 1)
		f := b.Sent(fmt.Sprint("p", i), lane, "http://s", group, now)
		if i == 119 {
			continue // in flight
		}
		a := &Attempt{
			ID: fmt.Sprint("p", i), Lane: lane, Server: "http://s", Group: group, Number: 1, Took: 2 * time.Second, At: now.Add(2 * time.Second),
			Tokens: 100, Status: "present", Thinks: i%10 != 1, Thinking: "hm", Content: "yes", Finish: "stop",
		}
		if i%10 == 0 {
			a.Code, a.Message, a.Retried = "http.5xx", "oh", true
		}
		b.Landed(f, 3*time.Millisecond, a.At)
		b.Kept(a)
		if a.Code == "" {
			b.Settled(lane, group, 1, 0, 0, 0)
		}
		b.Figures(live(0), now)
	}
	return b
}

func live(done int64) Live {
	return Live{Account: Account{In: 120, Done: done}, Total: 200, Unread: []int64{40, 40}, Slots: []int{8, 2}, State: Running, Exit: -1}
}

func TestFiguresCount(t *testing.T) {
	f := busy().Figures(live(107), at(120))
	if f.Requests != 119 || f.Answers != 107 || f.Retried != 12 || f.Tokens != 10700 || f.Codes["http.5xx"] != 12 {
		t.Errorf("%+v, %v", f.Account, f.Codes)
	}
	if f.In != f.Done+f.Failed+f.Dead+f.Bad+f.Pending {
		t.Errorf("%+v", f.Account)
	}
	if f.Shares.Judged != 107 || f.Shares.Without != 12 || f.Shares.Status["present"] != 107 {
		t.Errorf("%+v", f.Shares)
	}
	if f.Lanes[1].InFlight != 1 || f.Lanes[0].Left != 60-48+40 || f.Lanes[1].Left != 60-59+40 {
		t.Errorf("%+v", f.Lanes)
	}
	if f.Oldest != (Oldest{"p119", 1}) || f.Lag.Lately != 0.003 || f.Latency.P50 < 1.6 || f.Latency.P95 > 2.4 {
		t.Errorf("%+v %+v %+v", f.Oldest, f.Lag, f.Latency)
	}
	if len(f.Servers) != 1 || f.Servers[0].Requests != 119 || f.Servers[0].InFlight != 1 {
		t.Errorf("%+v", f.Servers)
	}
	var in, answers int64
	for _, g := range f.Groups {
		in, answers = in+g.In, answers+g.Answers
	}
	if len(f.Groups) != 3 || in != 120 || answers != 107 {
		t.Errorf("%+v", f.Groups)
	}
	if len(f.RecentAnswers) != shown || f.RecentAnswers[0].ID != "p118" || f.RecentFailures[0].ID != "p110" {
		t.Errorf("%+v %+v", f.RecentAnswers[0], f.RecentFailures[0])
	}
}

// A part of an answer that is gone on with is a request, and no answer.
func TestPartsAreNoAnswers(t *testing.T) {
	b := NewBook(About{}, []string{"all"}, "dataset", epoch)
	b.Kept(&Attempt{Group: "g", Server: "s", Tokens: 10, Retried: true, At: epoch})
	b.Kept(&Attempt{Group: "g", Server: "s", Tokens: 3, Status: "present", Thinks: true, At: epoch})
	f := b.Figures(Live{Slots: []int{1}}, epoch)
	if f.Requests != 2 || f.Retried != 1 || f.Answers != 1 || f.Tokens != 13 || f.Shares.Judged != 1 || f.Groups[0].Answers != 1 || f.Groups[0].Tokens != 13 {
		t.Errorf("%+v %+v", f.Account, f.Groups)
	}
}

// What was given out does not change any more, whatever happens then.
func TestFiguresAreFixed(t *testing.T) {
	b := busy()
	f := b.Figures(live(107), at(120))
	before := string(f.AppendJSON(nil))
	for i := range 300 {
		b.Kept(&Attempt{ID: "x", Server: "http://s", Code: "http.429", At: at(121), Number: i})
		b.Kept(&Attempt{ID: "x", Server: "http://t", Group: "set1", Status: "missing", Content: "c", At: at(121)})
		b.Figures(live(107), at(121+float64(10*i)))
	}
	if after := string(f.AppendJSON(nil)); after != before {
		t.Errorf("\n%s\n%s", before, after)
	}
}

// All keys are there from the first figures on, and no list is null.
func TestJSONHasAllKeys(t *testing.T) {
	b := NewBook(About{}, []string{"all"}, "", epoch)
	text := string(b.Figures(Live{Slots: []int{1}, Total: -1, State: Running, Exit: -1}, epoch).AppendJSON(nil))
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil || strings.Contains(text, "null") {
		t.Errorf("%v: %s", err, text)
	}
	for _, key := range []string{"run", "state", "exit", "why", "finished", "in", "pending", "rates", "lanes", "servers", "groups", "failures", "recent_failures", "history"} {
		if _, ok := v[key]; !ok {
			t.Errorf("no %s in %s", key, text)
		}
	}
	if v["total"] != -1.0 || v["rates"].(map[string]any)["eta_seconds"] != -1.0 {
		t.Errorf("%s", text)
	}
}

// Requests that fail at once say nothing of how long answers take, and a time that is
// over is no forecast.
func TestETAWaitsForAnswers(t *testing.T) {
	b := NewBook(About{}, []string{"all"}, "", epoch)
	l := Live{Account: Account{In: 100}, Total: 100, Unread: []int64{0}, Slots: []int{2}, State: Running}
	b.Wanted(0, "", 100)
	b.Sent("slow", 0, "s", "", epoch)
	for i := range 20 {
		b.Kept(&Attempt{ID: "x", Server: "s", Code: "http.429", Retried: true, Took: time.Millisecond, Number: i, At: at(1)})
	}
	f := func(seconds, low, high float64) {
		t.Helper()
		if got := b.Figures(l, at(seconds)).Rates.ETA; got < low || got > high {
			t.Errorf("after %v s: ETA %v s, want %v to %v", seconds, got, low, high)
		}
	}
	f(4, -1, -1)
	for range 20 {
		b.Kept(&Attempt{ID: "y", Server: "s", Took: 10 * time.Millisecond, At: at(5)})
	}
	f(5, 0.1, 1.5)
	f(8, 0.1, 4)
	for range 20 {
		b.Kept(&Attempt{ID: "z", Server: "s", Took: 4 * time.Second, At: at(9)})
	}
	f(13, 20, 400)
}

// When a run is over its rates are those of all of it, and there is no time left.
func TestFiguresOfARunThatIsOver(t *testing.T) {
	b := busy()
	l := live(107)
	l.State, l.Exit, l.Why = Stopped, 75, "the deadline is over"
	f := b.Figures(l, at(240))
	if !f.Over || f.Rates.ETA != -1 || f.Rates.Took != 240 || f.Rates.PerMinute != 107/4. {
		t.Errorf("%+v", f.Rates)
	}
	if p := f.Progress(); p.Took != 4*time.Minute || p.Oldest != -1 {
		t.Errorf("%+v", p)
	}
}

// Names that data chooses do not make memory grow.
func TestRowsAreBounded(t *testing.T) {
	b := NewBook(About{}, []string{"all"}, "dataset", epoch)
	for i := range 1000 {
		b.Wanted(0, fmt.Sprint("set", i), 1)
	}
	f := b.Figures(Live{Slots: []int{1}}, epoch)
	var in int64
	for _, g := range f.Groups {
		in += g.In
	}
	if len(f.Groups) > mostRows+1 || in != 1000 {
		t.Errorf("%d rows with %d in", len(f.Groups), in)
	}
}

func TestHistoryIsBoundedAndWhole(t *testing.T) {
	c := newCourse(epoch)
	for s := range 100000 {
		now := at(float64(s))
		c.at(now).failures["http.5xx"]++
		c.note(&Figures{Rates: Rates{PerMinute: 30}, Shares: Shares{Lately: -1}, Lanes: []Lane{{InFlight: 4}}}, now)
	}
	h := c.history()
	var failures int64
	for _, p := range h.Points {
		failures += p.Failures["http.5xx"]
		if p.PerMinute != 30 || p.Without != -1 || p.InFlight[0] != 4 {
			t.Fatalf("%+v", p)
		}
	}
	if failures != 100000 || len(h.Points) > longestHistory || h.Step*float64(len(h.Points)) < 100000 {
		t.Errorf("%d failures in %d points of %g s", failures, len(h.Points), h.Step)
	}
}

// Quantiles of a histogram are right to a fifth.
func TestHistogramQuantiles(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var h Histogram
	var all []float64
	for range 10000 {
		s := 0.002 * (1 + random.ExpFloat64()*1000)
		all = append(all, s)
		h.Add(seconds(s))
	}
	for _, q := range []float64{0.01, 0.5, 0.95, 0.999, 1} {
		got := h.Quantile(q).Seconds()
		below := 0
		for _, s := range all {
			if s <= got*1.2 {
				below++
			}
		}
		above := 0
		for _, s := range all {
			if s >= got/1.2 {
				above++
			}
		}
		if float64(below) < q*10000-1 || float64(above) < (1-q)*10000-1 {
			t.Errorf("quantile %g is %g s: %d below, %d above", q, got, below, above)
		}
		if back := h.share(h.Quantile(q)); back < q-0.01 || back > q+0.01 {
			t.Errorf("share of quantile %g: %g", q, back)
		}
	}
	if (&Histogram{}).Quantile(0.5) != 0 || bucketOf(100*time.Hour) != buckets-1 || bucketOf(0) != 0 {
		t.Error("the ends")
	}
}
