package simulator

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// setters read the keys.
var setters = map[string]func(c *Config, value string) error{
	"engine":     func(c *Config, v string) error { c.Engine = v; return nil },
	"family":     func(c *Config, v string) error { c.Family = strings.ReplaceAll(v, "-", "_"); return nil },
	"parser":     func(c *Config, v string) error { return either(&c.Parser, v, "none", "on") },
	"opener":     func(c *Config, v string) error { return either(&c.OpenModel, v, "prompt", "model") },
	"latency":    func(c *Config, v string) error { return duration(&c.Latency, v) },
	"tpot":       func(c *Config, v string) error { return duration(&c.TPOT, v) },
	"tokens":     func(c *Config, v string) error { return count(&c.Tokens, v) },
	"context":    func(c *Config, v string) error { return count(&c.Context, v) },
	"slots":      func(c *Config, v string) error { return count(&c.Slots, v) },
	"fail":       func(c *Config, v string) error { return faults(&c.Fail, v) },
	"cut":        func(c *Config, v string) error { return share(&c.Cut, v) },
	"stall":      func(c *Config, v string) error { return share(&c.Stall, v) },
	"reset":      func(c *Config, v string) error { return share(&c.Reset, v) },
	"empty":      func(c *Config, v string) error { return share(&c.Empty, v) },
	"zombie":     func(c *Config, v string) error { return share(&c.Zombie, v) },
	"calls":      func(c *Config, v string) error { return share(&c.Calls, v) },
	"parallel":   func(c *Config, v string) error { return count(&c.Parallel, v) },
	"bad-after":  func(c *Config, v string) error { return count(&c.BadAfter, v) },
	"new-after":  func(c *Config, v string) error { return count(&c.NewAfter, v) },
	"idle-close": func(c *Config, v string) error { return duration(&c.IdleClose, v) },
	"seed":       func(c *Config, v string) (err error) { c.Seed, err = strconv.ParseUint(v, 10, 64); return plain(err) },
}

// Parse reads "KEY=VALUE&…"; "" is [Default]. The error names the known keys.
func Parse(s string) (Config, error) {
	c := Default()
	seen := map[string]bool{}
	for part := range strings.SplitSeq(s, "&") {
		if part == "" {
			continue
		}
		key, value, ok := strings.Cut(part, "=")
		set := setters[key]
		switch {
		case set == nil:
			return c, fmt.Errorf("no key %q; the keys are %s", key, known(slices.Sorted(maps.Keys(setters))))
		case !ok:
			return c, fmt.Errorf("%s has no value", key)
		case seen[key]:
			return c, fmt.Errorf("%s is given twice", key)
		}
		seen[key] = true
		if plain, err := url.QueryUnescape(value); err == nil {
			value = plain
		}
		if err := set(&c, value); err != nil {
			return c, fmt.Errorf("%s=%s: %w", key, value, err)
		}
	}
	return c, c.check()
}

func known(names []string) string { return strings.Join(names, ", ") }

// plain takes the function's name and the value out of an error of strconv.
func plain(err error) error {
	if n, ok := err.(*strconv.NumError); ok {
		return n.Err
	}
	return err
}

func either(b *bool, value, no, yes string) error {
	if value != no && value != yes {
		return fmt.Errorf("want %s or %s", no, yes)
	}
	*b = value == yes
	return nil
}

func duration(d *time.Duration, value string) (err error) {
	if value == "0" {
		*d = 0
		return nil
	}
	*d, err = time.ParseDuration(value)
	if err != nil || *d < 0 {
		return fmt.Errorf("want a time such as 20ms")
	}
	return nil
}

func count(n *int, value string) (err error) {
	*n, err = strconv.Atoi(value)
	if err != nil || *n < 0 {
		return fmt.Errorf("want a number of at least 0")
	}
	return nil
}

func share(f *float64, value string) (err error) {
	*f, err = strconv.ParseFloat(value, 64)
	if err != nil || !(*f >= 0 && *f <= 1) {
		return fmt.Errorf("want a share from 0 to 1")
	}
	return nil
}

// faults reads "429:0.05,500:0.01".
func faults(list *[]Fault, value string) error {
	*list = nil
	for part := range strings.SplitSeq(value, ",") {
		if part == "" {
			continue
		}
		status, rate, _ := strings.Cut(part, ":")
		var f Fault
		if err := count(&f.Status, status); err != nil {
			return fmt.Errorf("want STATUS:SHARE, such as 429:0.05")
		}
		if err := share(&f.Rate, rate); err != nil {
			return err
		}
		*list = append(*list, f)
	}
	return nil
}
