package main

import "testing"

// TestAdmit goes through what a wanted answer can meet: nothing, an archive's
// line of each state, an earlier prompt of the run.
func TestAdmit(t *testing.T) {
	const key, print, other = 1, 10, 20
	f := func(have entry, p policy, want admission, state state) {
		t.Helper()
		l := newLedger()
		l.codes = []string{"http.4xx"}
		l.entries[key] = have
		got, e := l.admit(key, print, p)
		if got != want || e.state != state {
			t.Errorf("%+v under %+v: %d %d, want %d %d", have, p, got, e.state, want, state)
		}
	}
	none := policy{}
	f(entry{}, none, ask, pending)
	f(entry{print: print, state: done}, none, have, done)
	f(entry{print: other, state: done}, none, changed, done)
	f(entry{print: 0, state: done}, none, have, done)
	f(entry{print: other, state: done}, policy{acceptChanged: true}, have, done)
	f(entry{print: other, state: failed}, none, ask, pending)
	f(entry{print: other, state: dead}, none, changed, dead)
	f(entry{print: print, state: dead}, none, have, dead)
	f(entry{print: print, state: dead}, policy{again: "all"}, ask, pending)
	f(entry{print: print, state: dead}, policy{again: "http.4xx"}, ask, pending)
	f(entry{print: print, state: dead}, policy{again: "context-overflow"}, have, dead)
	f(entry{print: print, times: 1}, none, repeat, pending)
	f(entry{print: other, times: 1}, none, clash, pending)
	f(entry{print: print, times: 1, state: failed}, none, have, failed)
}

// TestRepeatsAreCounted holds that a prompt that came in three times is counted
// three times, whenever its answer is settled.
func TestRepeatsAreCounted(t *testing.T) {
	l := newLedger()
	var tally tally
	admit := func() {
		tally.in++
		if verdict, e := l.admit(1, 10, policy{}); verdict == have {
			tally.add(e.state, 1)
		}
	}
	admit()
	admit()
	tally.add(done, l.settle(1, done))
	admit()
	if tally.done != 3 || tally.pending() != 0 {
		t.Errorf("%s", &tally)
	}
}

func TestFingerprint(t *testing.T) {
	if got := fingerprint([]byte("00000000000000ff" + "0123")); got != 255 {
		t.Errorf("got %d", got)
	}
	for _, s := range []string{"", "short", "zz000000000000ff"} {
		if got := fingerprint([]byte(s)); got != 0 {
			t.Errorf("%q: %d", s, got)
		}
	}
}
