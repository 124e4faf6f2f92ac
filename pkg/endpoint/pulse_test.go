package endpoint

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// jumper is a clock that can jump ahead, as clocks do while a process is stopped.
type jumper struct{ ahead atomic.Int64 }

func (j *jumper) now() time.Time       { return time.Now().Add(time.Duration(j.ahead.Load())) }
func (j *jumper) jump(d time.Duration) { j.ahead.Add(int64(d)) }

func TestPulse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var j jumper
		p := &Pulse{now: j.now}
		f := func(want time.Duration) {
			t.Helper()
			if got := p.Lost(); got < want || got > want+beat {
				t.Errorf("lost %v, want %v", got, want)
			}
		}
		j.jump(time.Hour) // nobody looks
		f(0)
		stop := p.Start()
		time.Sleep(90500 * time.Millisecond)
		f(0)
		j.jump(beat) // a busy machine
		f(0)
		j.jump(time.Hour)
		f(time.Hour)
		again := p.Start()
		stop()
		begin := j.now()
		time.Sleep(5500 * time.Millisecond)
		j.jump(time.Minute)
		time.Sleep(10 * time.Second)
		f(time.Hour + time.Minute)
		if got := p.lostSince(begin); got < time.Minute || got > time.Minute+beat {
			t.Errorf("lost %v since the second start, want 1 m", got)
		}
		if got := p.lostSince(j.now()); got != 0 {
			t.Errorf("lost %v since now", got)
		}
		again()
		j.jump(time.Hour)
		f(time.Hour + time.Minute)
	})
}

func TestPulseForgets(t *testing.T) {
	var j jumper
	p := &Pulse{now: j.now}
	defer p.Start()()
	for range 3 * remembered {
		j.jump(time.Minute)
		p.Lost()
	}
	if len(p.stops) != remembered || p.Lost() < 3*remembered*time.Minute {
		t.Errorf("%d stops remembered, %v lost", len(p.stops), p.Lost())
	}
}

// A clock that runs out while the process is stopped gets its time back.
func TestAlarmsIgnoreStops(t *testing.T) {
	f := func(name string, limits Timeouts, begin func(w *watch), stopAt, want time.Duration, code string) {
		t.Helper()
		synctest.Test(t, func(t *testing.T) {
			var j jumper
			p := &Pulse{now: j.now}
			defer p.Start()()
			ctx, cancel := context.WithCancelCause(t.Context())
			w := &watch{timeouts: limits, pulse: p, cancel: cancel}
			started := time.Now()
			begin(w)
			defer w.stop()
			time.AfterFunc(stopAt, func() { j.jump(time.Hour) })
			<-ctx.Done()
			took := time.Since(started)
			if took < want || took > want+2*beat {
				t.Errorf("%s: rang after %v, want %v", name, took, want)
			}
			if got := context.Cause(ctx).(*timeout); got.code != code {
				t.Errorf("%s: %s, want %s", name, got.code, code)
			}
		})
	}
	begin := func(w *watch) { w.begin(time.Now()) }
	trickle := func(w *watch) {
		w.answered()
		for range 4 {
			time.Sleep(6 * time.Second)
			w.touch()
		}
	}
	ten := 10 * time.Second
	for _, at := range []time.Duration{0, 50 * time.Millisecond, 4 * time.Second, 9950 * time.Millisecond, ten - 1} {
		f("total", Timeouts{Total: ten}, begin, at, ten, "timeout.total")
		f("first byte", Timeouts{FirstByte: ten, Idle: 1}, (*watch).connected, at, ten, "timeout.first-byte")
		f("idle", Timeouts{Idle: ten, FirstByte: 1}, (*watch).answered, at, ten, "timeout.idle")
		f("idle after a trickle", Timeouts{Idle: ten}, trickle, at+24*time.Second, 34*time.Second, "timeout.idle")
	}
}
