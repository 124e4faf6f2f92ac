package cmdline

import (
	"slices"
	"strings"
)

// nearest are the flags that somebody who wrote name may have meant, at most three.
func (g *grammar) nearest(name string) []string {
	type candidate struct {
		name     string
		distance int
	}
	var all []candidate
	for _, k := range g.flags {
		c := candidate{k.name, distance(name, k.name)}
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

// distance is the number of letters to add, drop or change to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
