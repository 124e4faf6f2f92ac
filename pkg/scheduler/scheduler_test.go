package scheduler

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

var epoch = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func newScheduler(t *testing.T, c Config) *Scheduler[int] {
	t.Helper()
	if c.Rand == nil {
		c.Rand = rand.New(rand.NewPCG(1, 2))
	}
	if c.Servers == 0 {
		c.Servers = 1
	}
	if c.Lanes == nil {
		c.Lanes = []Lane{{"short", 2}}
	}
	s, err := New[int](c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNewChecks(t *testing.T) {
	f := func(want string, c Config) {
		t.Helper()
		_, err := New[int](c)
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	lanes := []Lane{{"short", 1}}
	f("scheduler: no lanes", Config{Servers: 1, Rand: r})
	f("scheduler: no servers", Config{Lanes: lanes, Rand: r})
	f(`scheduler: lane "long" has 0 slots`, Config{Lanes: []Lane{{"long", 0}}, Servers: 1, Rand: r})
	f("scheduler: -1 attempts", Config{Lanes: lanes, Servers: 1, Rand: r, Attempts: -1})
	f("scheduler: no source of random numbers", Config{Lanes: lanes, Servers: 1})
}

func TestFirstComeFirstServed(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"short", 1}, {"long", 1}}})
	for i, lane := range []int{0, 0, 1, 1, 0} {
		s.Add(lane, i)
	}
	var got []int
	var open []*Job[int]
	for range 5 {
		for j := s.Next(epoch); j != nil; j = s.Next(epoch) {
			got = append(got, j.Value)
			open = append(open, j)
		}
		s.Done(open[0], Answered, 0, epoch)
		open = open[1:]
	}
	// Each lane in its own order; one slot each.
	if want := []int{0, 2, 1, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
	if !s.Idle() {
		t.Error("not idle after all was done")
	}
}

func TestRetryWaitsWithoutSlotAndGoesFirst(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"short", 1}}})
	for i := range 3 {
		s.Add(0, i)
	}
	first := s.Next(epoch)
	d := s.Done(first, Failed, 0, epoch)
	if !d.Retry || d.After < 0 || d.After > DefaultBase {
		t.Fatalf("after a failure: %+v", d)
	}
	second := s.Next(epoch.Add(d.After - 1))
	if second == nil || second.Value != 1 {
		t.Fatal("a waiting retry holds a slot")
	}
	s.Done(second, Answered, 0, epoch)
	again := s.Next(epoch.Add(d.After))
	if again != first || again.Attempt != 2 {
		t.Fatalf("a due retry does not go before younger jobs: %+v", again)
	}
}

func TestSlowDownKeepsItsSlotAndCountsNoAttempt(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"short", 1}}, Attempts: 2})
	s.Add(0, 0)
	s.Add(0, 1)
	now := epoch
	for send := 1; send <= 20; send++ {
		j := s.Next(now)
		if j == nil || j.Value != 0 || j.Attempt != send {
			t.Fatalf("send %d: %+v", send, j)
		}
		d := s.Done(j, SlowDown, 0, now)
		if !d.Retry {
			t.Fatal("a job that was slowed down was given up")
		}
		if d.After > 0 && s.Next(now) != nil {
			t.Fatal("another job took the slot of a slowed one")
		}
		now = now.Add(d.After)
	}
	j := s.Next(now)
	if d := s.Done(j, Failed, 0, now); !d.Retry {
		t.Error("slow-downs counted as attempts")
	}
}

func TestSlowDownMovesWorkToOtherServers(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"short", 4}}, Servers: 2})
	for i := range 8 {
		s.Add(0, i)
	}
	a, b := s.Next(epoch), s.Next(epoch)
	s.Done(a, SlowDown, time.Minute, epoch)
	s.Done(b, Answered, 0, epoch)
	if j := s.Next(epoch); j.Server != b.Server {
		t.Errorf("sent to server %d, which asked to slow down", j.Server)
	}
}

func TestAttempts(t *testing.T) {
	f := func(attempts int, o Outcome, wantSends int) {
		t.Helper()
		s := newScheduler(t, Config{Attempts: attempts, Breaker: -1})
		s.Add(0, 0)
		now, sends := epoch, 0
		for !s.Idle() && sends < 50 {
			if j := s.Next(now); j != nil {
				sends++
				s.Done(j, o, 0, now)
				continue
			}
			d, ok := s.Wait(now)
			if !ok {
				t.Fatal("nothing to wait for")
			}
			now = now.Add(d)
		}
		if sends != wantSends {
			t.Errorf("attempts %d, outcome %d: sent %d times, want %d", attempts, o, sends, wantSends)
		}
	}
	f(0, Failed, 6)
	f(1, Failed, 1)
	f(2, Failed, 2)
	f(1, SlowDown, 1)
	f(2, SlowDown, 50) // no end
	f(6, Answered, 1)
	f(6, Dead, 1)
	f(6, Dropped, 1)
}

func TestRetryAfterIsHonoured(t *testing.T) {
	for _, o := range []Outcome{Failed, SlowDown} {
		s := newScheduler(t, Config{})
		s.Add(0, 0)
		d := s.Done(s.Next(epoch), o, 7*time.Second, epoch)
		if d.After < 7*time.Second || d.After > 7*time.Second+DefaultBase {
			t.Errorf("outcome %d: waits %v instead of 7 s", o, d.After)
		}
		if s.Next(epoch.Add(7*time.Second-1)) != nil {
			t.Errorf("outcome %d: sent before the server's time", o)
		}
	}
}

func TestBackOffGrowsToTheCapWithFullJitter(t *testing.T) {
	s := newScheduler(t, Config{Base: time.Second, Cap: 5 * time.Second})
	f := func(n int, limit time.Duration) {
		t.Helper()
		low, high := limit, time.Duration(0)
		for range 500 {
			d := s.backOff(n, s.config.Cap)
			low, high = min(low, d), max(high, d)
		}
		if high > limit || high < limit*9/10 || low > limit/10 {
			t.Errorf("after %d failures: %v to %v, want 0 to %v", n, low, high, limit)
		}
	}
	f(1, time.Second)
	f(2, 2*time.Second)
	f(3, 4*time.Second)
	f(4, 5*time.Second)
	f(1000, 5*time.Second)
}

func TestLeastOutstandingTiesRotated(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"short", 9}}, Servers: 3})
	var jobs []*Job[int]
	for i := range 9 {
		s.Add(0, i)
		jobs = append(jobs, s.Next(epoch))
	}
	if got := s.Stats().PerServer; !slices.Equal(got, []int{3, 3, 3}) {
		t.Fatalf("outstanding %v", got)
	}
	s.Done(jobs[1], Answered, 0, epoch) // of server 1
	s.Add(0, 9)
	if j := s.Next(epoch); j.Server != 1 {
		t.Errorf("sent to server %d, not to the one with the fewest outstanding", j.Server)
	}
	// One at a time: all are tied, each gets its turn.
	s = newScheduler(t, Config{Servers: 3})
	seen := map[int]int{}
	for i := range 9 {
		s.Add(0, i)
		j := s.Next(epoch)
		seen[j.Server]++
		s.Done(j, Answered, 0, epoch)
	}
	if seen[0] != 3 || seen[1] != 3 || seen[2] != 3 {
		t.Errorf("ties not rotated: %v", seen)
	}
}

func TestDeadServerDoesNotDrawTheWork(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"short", 4}}, Servers: 2})
	now, lost := epoch, 0
	for i := range 1000 {
		now = now.Add(10 * time.Millisecond)
		if s.Wants() {
			s.Add(0, i)
		}
		j := s.Next(now)
		if j == nil {
			continue
		}
		if j.Server == 0 {
			lost++
			s.Done(j, Failed, 0, now)
		} else {
			s.Done(j, Answered, 0, now)
		}
	}
	// Ten seconds: three failures, then trials after about 0.25, 0.5, 1, 2, 2.5, 2.5 … s.
	if lost < 4 || lost > 15 {
		t.Errorf("%d of 1000 requests went to a dead server", lost)
	}
}

func TestRestingServerIsTriedByOneAtATime(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"short", 10}}, Attempts: 100})
	for i := range 10 {
		s.Add(0, i)
	}
	now := epoch
	for range restAfter {
		s.Done(s.Next(now), Failed, 0, now)
	}
	if s.Next(now.Add(-1)) != nil {
		t.Fatal("sent to a resting server")
	}
	now = now.Add(longestRest)
	trial := s.Next(now)
	if trial == nil || s.Next(now) != nil {
		t.Fatal("a server that rested is tried by one request")
	}
	if st := s.Stats(); st.Resting != 1 {
		t.Errorf("stats: %+v", st)
	}
	s.Done(trial, Answered, 0, now)
	n := 0
	for s.Next(now) != nil {
		n++
	}
	if n != 9 {
		t.Errorf("%d jobs sent after the trial was answered, want all 9", n)
	}
}

// A job that fails whatever server it meets does not stop the run.
func TestPoisonedJobDoesNotStopOthers(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"short", 1}}, Breaker: 20})
	now, over := epoch, 0
	for i := 0; over < 50 && !s.Tripped(); {
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
		if j.Value == 0 {
			o = Failed
		}
		if !s.Done(j, o, 0, now).Retry {
			over++
		}
	}
	if s.Tripped() {
		t.Error("one job tripped the breaker")
	}
}

func TestBreaker(t *testing.T) {
	f := func(outage time.Duration, least, most int, shortest, longest time.Duration) {
		t.Helper()
		s := newScheduler(t, Config{Breaker: 20, Outage: outage})
		took, failures := down(t, s)
		if failures < least || failures > most || took < shortest || took > longest {
			t.Errorf("outage %v: tripped after %d failures in %v", outage, failures, took)
		}
		if s.Next(epoch.Add(time.Hour)) != nil || s.Wants() {
			t.Errorf("outage %v: goes on", outage)
		}
	}
	f(time.Nanosecond, 20, 20, 20*time.Second, 90*time.Second)
	f(4*time.Minute, 70, 120, 4*time.Minute, 5*time.Minute) // a short outage is none, however often it is met
}

// However many servers are down, the time until the breaker trips costs no job
// all its attempts.
func TestOutageOfManyServers(t *testing.T) {
	for _, servers := range []int{1, 2, 8, 12} {
		for _, slots := range []int{servers, 4 * servers, 50} {
			s := newScheduler(t, Config{Lanes: []Lane{{"short", slots}}, Servers: servers})
			took, failures := down(t, s)
			if took < DefaultOutage || took > 5*time.Minute || failures < DefaultBreaker || failures > 250 {
				t.Errorf("%d servers, %d slots: tripped after %d failures in %v", servers, slots, failures, took)
			}
		}
	}
}

// down lets every send fail until the breaker trips, and says how long that took.
func down(t *testing.T, s *Scheduler[int]) (took time.Duration, failures int) {
	t.Helper()
	now := epoch
	for i := 0; !s.Tripped(); {
		for s.Wants() {
			s.Add(0, i)
			i++
		}
		j := s.Next(now)
		if j == nil {
			d, ok := s.Wait(now)
			if !ok {
				t.Fatal("stuck")
			}
			now = now.Add(d)
			continue
		}
		failures++
		if d := s.Done(j, Failed, 0, now); d.Retry == s.Tripped() {
			t.Fatalf("job %d, failure %d after %v: %+v, tripped %v", j.Value, failures, now.Sub(epoch), d, s.Tripped())
		}
	}
	return now.Sub(epoch), failures
}

func TestCrashWithManyInFlightIsOneEvent(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"short", 150}}, Breaker: 75})
	var jobs []*Job[int]
	for i := range 150 {
		s.Add(0, i)
		jobs = append(jobs, s.Next(epoch))
	}
	s.Done(jobs[0], Answered, 0, epoch)
	for _, j := range jobs[1:] {
		s.Done(j, Failed, 0, epoch)
	}
	if s.Tripped() {
		t.Error("requests that were under way at the last answer tripped the breaker")
	}
}

// Prompts of one lane that stand together do not starve the other lane.
func TestWantsLooksAhead(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"short", 3}, {"long", 2}}})
	for i := range 40 {
		if !s.Wants() {
			t.Fatalf("nothing is wanted after %d long ones", i)
		}
		s.Add(1, i)
	}
	s.Add(0, 40)
	lanes := map[int]int{}
	for j := s.Next(epoch); j != nil; j = s.Next(epoch) {
		lanes[j.Lane]++
	}
	if lanes[0] != 1 || lanes[1] != 2 {
		t.Errorf("sent %v", lanes)
	}
}

func TestWantsBoundsMemory(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"short", 3}, {"long", 2}}, Attempts: 1000, Breaker: -1})
	held := 0
	for i := 0; s.Wants(); i++ { // all prompts are long
		s.Add(1, i)
		held++
	}
	if held != lookAhead {
		t.Errorf("%d jobs read while none was sent, want %d", held, lookAhead)
	}
	for s.Next(epoch) != nil {
	}
	for i := 0; s.Wants(); i++ {
		s.Add(1, i)
		held++
	}
	if held != lookAhead+2 {
		t.Errorf("%d jobs held, want 2 in flight and %d behind", held, lookAhead)
	}
	// Everything fails at once, for ever: what waits is bounded too.
	s = newScheduler(t, Config{Lanes: []Lane{{"short", 3}}, Attempts: 1000, Breaker: -1})
	most := 0
	for i := range 10000 {
		if s.Wants() {
			s.Add(0, i)
		}
		if j := s.Next(epoch); j != nil {
			s.Done(j, Failed, time.Hour, epoch)
		}
		st := s.Stats()
		most = max(most, st.InFlight+st.Waiting+st.Backlog)
	}
	if most > 3+3+3+spare { // in flight, new, to be asked again
		t.Errorf("%d jobs held for 3 slots", most)
	}
}

func TestDrain(t *testing.T) {
	s := newScheduler(t, Config{Lanes: []Lane{{"short", 3}}})
	for i := range 5 {
		s.Add(0, i)
	}
	a, b, c := s.Next(epoch), s.Next(epoch), s.Next(epoch)
	s.Done(a, SlowDown, 0, epoch)
	s.Done(b, Failed, 0, epoch)
	if got := s.Drain(); !slices.Equal(got, []int{0, 1, 3, 4}) {
		t.Errorf("left over: %v", got)
	}
	if s.Next(epoch.Add(time.Hour)) != nil || s.Wants() || s.Idle() {
		t.Error("goes on after Drain")
	}
	if _, ok := s.Wait(epoch); ok {
		t.Error("waits after Drain")
	}
	if d := s.Done(c, Failed, 0, epoch); d.Retry {
		t.Error("retries after Drain")
	}
	if st := s.Stats(); !s.Idle() || st.PerServer[0] != 0 || s.lanes[0].used != 0 {
		t.Errorf("not empty: %+v", st)
	}
}

func TestServersJoinAndLeave(t *testing.T) {
	s := newScheduler(t, Config{})
	s.Add(0, 0)
	s.RemoveServer(0)
	if s.Next(epoch) != nil {
		t.Fatal("sent to a server that left")
	}
	if _, ok := s.Wait(epoch); ok {
		t.Error("time alone brings no server")
	}
	i := s.AddServer()
	if j := s.Next(epoch); j == nil || j.Server != i {
		t.Errorf("not sent to the new server: %+v", j)
	}
}

func TestDoneTwicePanics(t *testing.T) {
	s := newScheduler(t, Config{})
	s.Add(0, 0)
	j := s.Next(epoch)
	s.Done(j, Answered, 0, epoch)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	s.Done(j, Answered, 0, epoch)
}
