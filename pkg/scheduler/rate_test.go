package scheduler

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func TestRateIsEven(t *testing.T) {
	for _, perSecond := range []float64{0.5, 3, 40, 2000} {
		s := newScheduler(t, Config{Lanes: []Lane{{"all", 1 << 20}}, Rate: perSecond})
		r := rand.New(rand.NewPCG(3, 4))
		var sent []time.Time
		now := epoch
		for i := 0; i < 400; {
			for s.Wants() && s.Stats().Backlog < 9 {
				s.Add(0, i)
				i++
			}
			if s.Next(now) != nil {
				sent = append(sent, now)
				continue
			}
			d, ok := s.Wait(now)
			if !ok || d <= 0 {
				t.Fatalf("%g/s: waits %v", perSecond, d)
			}
			now = now.Add(d + time.Duration(r.IntN(5e6))) // wakes a little late
		}
		took := now.Sub(epoch).Seconds()
		if got := float64(len(sent)-1) / took; math.Abs(got-perSecond) > perSecond/50 {
			t.Errorf("%g/s: sent %g/s", perSecond, got)
		}
		inASecond := int(math.Ceil(perSecond*(1+lag.Seconds()))) + 1
		for i := range max(0, len(sent)-inASecond) {
			if sent[i+inASecond].Sub(sent[i]) < time.Second {
				t.Fatalf("%g/s: %d sends within a second", perSecond, inASecond+1)
			}
		}
	}
}

func TestRateAfterAQuietHour(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"all", 1000}}, Rate: 100})
	s.Add(0, 0)
	s.Next(epoch)
	for i := range 500 {
		s.Add(0, i)
	}
	if n := len(sendAll(s, at(time.Hour))); n < 1 || n > 11 {
		t.Errorf("%d sent at once after a quiet hour at 100/s", n)
	}
}

func TestRatesBeyondReason(t *testing.T) {
	for _, perSecond := range []float64{5e-324, 1e-9, 1e300, math.Inf(1)} {
		s := newScheduler(t, Config{Rate: perSecond})
		s.Add(0, 0)
		s.Add(0, 1)
		if s.Next(epoch) == nil {
			t.Fatalf("%g/s: nothing sent", perSecond)
		}
		if d, ok := s.Wait(epoch); !ok || d <= 0 || (d > time.Hour) != (perSecond < 1) {
			t.Errorf("%g/s: waits %v", perSecond, d)
		}
	}
}

func TestParseRate(t *testing.T) {
	f := func(text string, want float64) {
		t.Helper()
		got, err := ParseRate(text)
		if got != want || (err != nil) != (want == 0) {
			t.Errorf("%q: %g %v, want %g", text, got, err, want)
		}
	}
	f("10/s", 10)
	f("0.5/s", 0.5)
	f("90/m", 1.5)
	f("90/min", 1.5)
	f("1800/h", 0.5)
	f(" 7 ", 7)
	for _, bad := range []string{"", "0/s", "-1/s", "NaN/s", "Inf/s", "1e9/s", "10/d", "10/", "/s", "ten/s", "10/s/s"} {
		f(bad, 0)
	}
}

func TestRetryBudget(t *testing.T) {
	f := func(name string, share float64, fails func(send int) bool, spent bool) {
		t.Helper()
		s := newScheduler(t, Config{Lanes: []Lane{{"all", 10}}, Attempts: 1000, Breaker: -1, Budget: share})
		now, most := epoch, time.Duration(0)
		for i, sends := 0, 0; sends < 2*window; {
			for s.Wants() {
				s.Add(0, i)
				i++
			}
			j := s.Next(now)
			if j == nil {
				d, _ := s.Wait(now)
				now = now.Add(d)
				continue
			}
			o := Answered
			if fails(sends) && j.failures < 3 { // longest of the usual back-offs: 2 s
				o = Failed
			}
			if sends++; sends < window && s.Stats().OverBudget {
				t.Fatalf("%s: spent after %d sends", name, sends)
			}
			most = max(most, s.Done(j, o, 0, now).After)
		}
		if got := most > 2*time.Second; got != spent {
			t.Errorf("%s: longest back-off %v", name, most)
		}
	}
	f("every second send fails once", 0, func(n int) bool { return n%2 == 0 }, false)
	f("nearly all fail", 0, func(n int) bool { return n%10 != 0 }, true)
	f("no budget", -1, func(n int) bool { return n%10 != 0 }, false)
}
