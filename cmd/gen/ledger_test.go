package main

import (
	"fmt"
	"testing"
	"unsafe"
)

// TestAdmit goes through what a wanted answer can meet: nothing, an archive's
// line of each state, an earlier prompt of the run.
func TestAdmit(t *testing.T) {
	const key, print, other = 1, 10, 20
	f := func(have entry, p policy, want admission, state state) {
		t.Helper()
		l := newLedger()
		l.codes = []string{"http.4xx"}
		l.entries[key] = have
		got, e := l.admit(key, print, 0, p)
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

// TestRepeatsAreCounted holds that a prompt that came in n times is counted n
// times, whenever its answer is settled.
func TestRepeatsAreCounted(t *testing.T) {
	f := func(before, after int) {
		t.Helper()
		l := newLedger()
		var tally tally
		admit := func(n int) {
			for range n {
				tally.in++
				if verdict, e := l.admit(1, 10, 0, policy{}); verdict == have {
					tally.add(e.state, 1)
				}
			}
		}
		admit(before)
		tally.add(done, l.settle(1, done))
		admit(after)
		if n := int64(before + after); tally.done != n || tally.pending() != 0 || l.times(1) != n {
			t.Errorf("%d and %d: %s", before, after, &tally)
		}
	}
	f(1, 0)
	f(2, 1)
	f(254, 1) // an entry counts to 255
	f(255, 0)
	f(256, 0)
	f(300, 300)
}

// TestEntryIsSmall: a run of millions has as many.
func TestEntryIsSmall(t *testing.T) {
	if n := unsafe.Sizeof(entry{}); n > 8 {
		t.Errorf("an entry of the ledger has %d bytes", n)
	}
}

// TestCodesOfOthers: whatever an archive has for codes, a dead one's is kept or is
// "other".
func TestCodesOfOthers(t *testing.T) {
	l := newLedger()
	for i := range 1000 {
		name := fmt.Sprint("code ", i)
		if got := l.codes[l.code(name)]; got != name && got != "other" {
			t.Fatalf("%s became %s", name, got)
		}
	}
	if got := l.codes[l.code("code 0")]; got != "code 0" {
		t.Errorf("code 0 became %s", got)
	}
}

func TestFingerprint(t *testing.T) {
	if got := fingerprint([]byte("000000ff" + "0123")); got != 255 {
		t.Errorf("got %d", got)
	}
	for _, s := range []string{"", "short", "zz0000ff"} {
		if got := fingerprint([]byte(s)); got != 0 {
			t.Errorf("%q: %d", s, got)
		}
	}
}
