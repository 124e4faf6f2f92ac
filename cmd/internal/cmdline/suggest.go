package cmdline

import (
	"slices"
	"strings"

	"github.com/xrash/smetrics"
)

// nearest are the flags that somebody who wrote name may have meant, at most three.
func (g *grammar) nearest(name string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var all []candidate
	for _, k := range g.flags {
		c := candidate{k.name, smetrics.WagnerFischer(name, k.name, 1, 1, 1)}
		if strings.HasPrefix(k.name, name) {
			c.distance = 1
		}
		if len(name) > 1 && c.distance <= 1+len(name)/4 && !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		return strings.Compare(a.name, b.name)
	})
	var names []string
	for _, c := range all[:min(len(all), 3)] {
		names = append(names, c.name)
	}
	return names
}
