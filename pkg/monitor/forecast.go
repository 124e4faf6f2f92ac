package monitor

import (
	"container/heap"
	"math"
	"time"
)

// Load is what a lane has to do yet.
type Load struct {
	Slots     int
	Left      int64           // requests to send yet
	Ages      []time.Duration // of those in flight
	Durations *Histogram      // of the lane's requests so far
}

// The last requests of a lane, this many for each of its slots, are played one by
// one; those before them in bundles, so that each slot has some of them and playing
// takes no longer when there are millions.
const (
	tail    = 2
	bundles = 4
)

// Forecast is how long a run lasts yet. It knows the tail: when nothing is left
// to send, what is in flight goes on, a few long answers last while most slots
// are idle, and a lane that has no work lends its slots. ok is false while it
// cannot be told, because a lane that has work has no measured durations.
//
// The rest of the run is played through with durations as they were measured,
// evenly picked, so that the same figures give the same forecast. That a server
// is quicker when it has less to do is not foreseen.
func Forecast(lanes []Load) (left time.Duration, ok bool) {
	p := &play{lanes: lanes, work: make([]work, len(lanes))}
	slots := 0
	for i := range lanes {
		l := &lanes[i]
		if l.Left+int64(len(l.Ages)) > 0 && l.Durations.count == 0 {
			return 0, false
		}
		slots += max(1, l.Slots)
	}
	for i := range lanes {
		p.begin(i, int64(slots))
	}
	return p.run(), true
}

// play is a forecast under way.
type play struct {
	lanes []Load
	work  []work
	busy  slots
	drawn int
}

// work is what no slot has taken of a lane's requests.
type work struct {
	bundled, size int64 // requests that come first, and how many a slot takes at once
	single        int64
}

func (w *work) left() int64 { return w.bundled + w.single }

// slot is busy until a time, with a request of any lane.
type slot struct {
	until time.Duration
	lane  int // whose slot it is
}

type slots []slot

func (s slots) Len() int           { return len(s) }
func (s slots) Less(i, j int) bool { return s[i].until < s[j].until }
func (s slots) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s *slots) Push(x any)        { *s = append(*s, x.(slot)) }
func (s *slots) Pop() any {
	old := *s
	last := old[len(old)-1]
	*s = old[:len(old)-1]
	return last
}

// begin gives a lane's slots what is in flight. slots are those of all lanes.
func (p *play) begin(lane int, slots int64) {
	l := &p.lanes[lane]
	n := max(1, l.Slots)
	w := &p.work[lane]
	w.bundled = max(0, l.Left-tail*slots)
	w.single = l.Left - w.bundled
	w.size = max(1, w.bundled/(bundles*slots))
	for i := range max(n, len(l.Ages)) {
		var until time.Duration
		if i < len(l.Ages) {
			until = p.rest(l, l.Ages[i])
		}
		heap.Push(&p.busy, slot{until, lane})
	}
}

// run plays to the end and returns when that is.
func (p *play) run() (end time.Duration) {
	for p.busy.Len() > 0 {
		s := &p.busy[0]
		end = max(end, s.until)
		lane := p.next(s.lane)
		if lane < 0 {
			heap.Pop(&p.busy)
			continue
		}
		s.until += p.take(lane)
		heap.Fix(&p.busy, 0)
	}
	return end
}

// take takes some of a lane's work and returns how long it takes.
func (p *play) take(lane int) time.Duration {
	w, durations := &p.work[lane], p.lanes[lane].Durations
	if w.bundled > 0 {
		n := min(w.size, w.bundled)
		w.bundled -= n
		return time.Duration(n) * durations.mean()
	}
	w.single--
	return durations.Quantile(p.draw())
}

// next is the lane that a slot takes a request of: its own, else the one with
// the most left; -1 when nothing is.
func (p *play) next(own int) int {
	if p.work[own].left() > 0 {
		return own
	}
	most := -1
	for i := range p.work {
		if n := p.work[i].left(); n > 0 && (most < 0 || n > p.work[most].left()) {
			most = i
		}
	}
	return most
}

// rest is how long a request of that age lasts yet: as long as those that lasted
// longer did. One that is older than any before may last a quarter as long again.
func (p *play) rest(l *Load, age time.Duration) time.Duration {
	over := l.Durations.share(age)
	if over >= 1 {
		return age / 4
	}
	return max(0, l.Durations.Quantile(over+(1-over)*p.draw())-age)
}

// draw is the next of a sequence that fills 0 to 1 evenly at any length: the
// fractional parts of the multiples of the golden ratio.
func (p *play) draw() float64 {
	p.drawn++
	_, fraction := math.Modf(float64(p.drawn) * math.Phi)
	return fraction
}
