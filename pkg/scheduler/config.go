package scheduler

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Defaults of Config.
const (
	DefaultAttempts = 6
	DefaultBase     = 500 * time.Millisecond
	DefaultCap      = time.Minute
	DefaultBudget   = 0.5
	DefaultBreaker  = 20
	DefaultOutage   = 3 * time.Minute
	DefaultPatience = time.Hour
)

// Lane is a pool of slots.
type Lane struct {
	Name  string
	Slots int // requests at a time, at least 1
}

// Config of a run. Zero fields take the defaults.
type Config struct {
	Lanes    []Lane
	Servers  int           // how many; jobs name them by index
	Attempts int           // sends of a job that count; 1 sends once, whatever the answer
	Base     time.Duration // longest back-off after the first failure
	Cap      time.Duration // longest back-off after many
	Budget   float64       // share of sends that may repeat a failed one before repeats wait for up to Cap; -1 any
	Breaker  int           // failures in a row that stop the run; -1 never
	Outage   time.Duration // but not before the first of them is that old
	Patience time.Duration // how long servers may answer nothing and ask to slow down; -1 for ever
	Ramp     time.Duration // in which the slots grow from a few to all; 0 at once
	Rate     float64       // sends per second, evenly spread; 0 is no limit
	Deadline time.Time     // nothing is sent from then on; zero never
	Rand     *rand.Rand    // for jitter; required, owned by the scheduler
}

func (c *Config) check() error {
	switch {
	case len(c.Lanes) == 0:
		return errors.New("no lanes")
	case c.Servers < 1:
		return errors.New("no servers")
	case c.Attempts < 0:
		return fmt.Errorf("%d attempts", c.Attempts)
	case !(c.Rate >= 0):
		return fmt.Errorf("a rate of %g", c.Rate)
	case c.Rand == nil:
		return errors.New("no source of random numbers")
	}
	for _, l := range c.Lanes {
		if l.Slots < 1 {
			return fmt.Errorf("lane %q has %d slots", l.Name, l.Slots)
		}
	}
	return nil
}

func (c *Config) fill() {
	setDefault(&c.Attempts, DefaultAttempts)
	setDefault(&c.Base, DefaultBase)
	setDefault(&c.Cap, DefaultCap)
	setDefault(&c.Budget, DefaultBudget)
	setDefault(&c.Breaker, DefaultBreaker)
	setDefault(&c.Outage, DefaultOutage)
	setDefault(&c.Patience, DefaultPatience)
}

func setDefault[V comparable](v *V, value V) {
	var zero V
	if *v == zero {
		*v = value
	}
}
