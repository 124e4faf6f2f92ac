package monitor

import (
	"math/rand/v2"
	"testing"
	"time"
)

// always is a histogram of requests that all take as long.
func always(d time.Duration, n int) *Histogram {
	h := new(Histogram)
	for range n {
		h.Add(d)
	}
	return h
}

func near(got, want time.Duration, off float64) bool {
	return got.Seconds() >= want.Seconds()*(1-off) && got.Seconds() <= want.Seconds()*(1+off)
}

func TestForecast(t *testing.T) {
	f := func(what string, want time.Duration, off float64, lanes ...Load) {
		t.Helper()
		got, ok := Forecast(lanes)
		if !ok || !near(got, want, off) {
			t.Errorf("%s: %v, %v, want %v", what, got, ok, want)
		}
	}
	minute := always(time.Minute, 100)
	half := []time.Duration{30 * time.Second, 30 * time.Second}
	f("nothing left", 0, 0, Load{Slots: 2, Durations: minute})
	f("what is in flight", 30*time.Second, 0.25, Load{Slots: 2, Ages: half, Durations: minute})
	f("one more after it", 90*time.Second, 0.2, Load{Slots: 2, Left: 1, Ages: half, Durations: minute})
	f("thousands", 5000*time.Minute, 0.02, Load{Slots: 2, Left: 10000, Durations: minute})
	f("the long lane lasts longest", 100*time.Minute, 0.1,
		Load{Slots: 150, Left: 150, Durations: minute},
		Load{Slots: 2, Left: 20, Ages: nil, Durations: always(100*time.Minute, 9)})
	f("slots are lent", 10*time.Minute, 0.1,
		Load{Slots: 9, Durations: new(Histogram)},
		Load{Slots: 1, Left: 100, Durations: minute})
	if left, ok := Forecast([]Load{{Slots: 1, Left: 1, Durations: new(Histogram)}}); ok {
		t.Errorf("a lane that nothing is known of: %v", left)
	}
}

// The forecast is better than dividing what is left by the rate: a run is played
// with random durations, whose tail is long, and forecast at several moments.
func TestForecastKnowsTheTail(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	draw := func() time.Duration { return seconds(20 + 60*random.ExpFloat64()) }
	var measured Histogram
	for range 500 {
		measured.Add(draw())
	}
	const slots, left = 32, 64
	var forecasts, truths, naive time.Duration
	for range 200 {
		var ages, rests []time.Duration
		for len(ages) < slots { // a request is met in flight the oftener the longer it lasts
			d := draw()
			if age := seconds(random.Float64() * 400); age < d {
				ages, rests = append(ages, age), append(rests, d-age)
			}
		}
		got, _ := Forecast([]Load{{Slots: slots, Left: left, Ages: ages, Durations: &measured}})
		forecasts += got
		truths += played(rests, left, draw)
		naive += measured.mean() * (left + slots) / slots
	}
	if !near(forecasts, truths, 0.1) || near(naive, truths, 0.3) {
		t.Errorf("forecast %v, it lasted %v, by the rate %v", forecasts/200, truths/200, naive/200)
	}
}

// played is how long it lasts until requests in flight and those left are over.
func played(busy []time.Duration, left int, draw func() time.Duration) (end time.Duration) {
	for ; left > 0; left-- {
		first := 0
		for i := range busy {
			if busy[i] < busy[first] {
				first = i
			}
		}
		busy[first] += draw()
	}
	for _, until := range busy {
		end = max(end, until)
	}
	return end
}

// A forecast is made every second: it must cost nothing that is noticed.
func BenchmarkForecast(b *testing.B) {
	var measured Histogram
	for i := range 1000 {
		measured.Add(time.Duration(i) * time.Second)
	}
	ages := make([]time.Duration, 4096)
	for i := range ages {
		ages[i] = time.Duration(i) * 100 * time.Millisecond
	}
	for b.Loop() {
		Forecast([]Load{{Slots: 4096, Left: 1e6, Ages: ages, Durations: &measured}, {Slots: 32, Left: 1e5, Ages: ages[:32], Durations: &measured}})
	}
}
