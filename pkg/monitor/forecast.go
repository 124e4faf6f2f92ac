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

// tail is how many requests a slot is followed through: before them the slots of
// a lane are all busy, and the work is done at an even pace.
const tail = 3

// Forecast is how long a run lasts yet. It knows the tail: when nothing is left
// to send, what is in flight goes on, a few long answers last while most slots
// are idle, and a lane that has no work lends its slots. ok is false while it
// cannot be told, because a lane that has work has no measured durations.
//
// The rest of the run is played through with durations as they were measured,
// evenly picked, so that the same figures give the same forecast. That a server
// is quicker when it has less to do is not foreseen.
func Forecast(lanes []Load) (left time.Duration, ok bool) {
	p := &play{lanes: lanes, left: make([]int64, len(lanes))}
	for i := range lanes {
		l := &lanes[i]
		if l.Left+int64(len(l.Ages)) > 0 && l.Durations.count == 0 {
			return 0, false
		}
		p.begin(i)
	}
	return p.run(), true
}

// play is a forecast under way.
type play struct {
	lanes []Load
	left  []int64 // requests of a lane that no slot has taken
	busy  slots
	drawn int
}

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

// begin gives a lane's slots what is in flight, and the even part of the work.
func (p *play) begin(lane int) {
	l := &p.lanes[lane]
	n := max(1, l.Slots)
	even := max(0, l.Left-tail*int64(n))
	p.left[lane] = l.Left - even
	busy := time.Duration(float64(even) / float64(n) * float64(l.Durations.mean()))
	for i := range max(n, len(l.Ages)) {
		until := busy
		if i < len(l.Ages) {
			until += p.rest(l, l.Ages[i])
		}
		heap.Push(&p.busy, slot{until, lane})
	}
}

// run plays to the end and returns when that is.
func (p *play) run() (end time.Duration) {
	for p.busy.Len() > 0 {
		s := heap.Pop(&p.busy).(slot)
		end = max(end, s.until)
		lane := p.next(s.lane)
		if lane < 0 {
			continue
		}
		p.left[lane]--
		s.until += p.lanes[lane].Durations.Quantile(p.draw())
		heap.Push(&p.busy, s)
	}
	return end
}

// next is the lane that a slot takes a request of: its own, else the one with
// the most left; -1 when nothing is.
func (p *play) next(own int) int {
	if p.left[own] > 0 {
		return own
	}
	most := -1
	for i, n := range p.left {
		if n > 0 && (most < 0 || n > p.left[most]) {
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
