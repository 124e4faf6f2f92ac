package reasoning

import (
	"cmp"
	"slices"
	"strings"

	"github.com/xrash/smetrics"
)

// Lookup finds a family by name or alias; '-' equals '_', case does not matter.
// near holds the closest names, at most three, when there is none.
func Lookup(name string) (f *Family, near []string) {
	want := strings.ReplaceAll(strings.ToLower(name), "-", "_")
	for _, f := range table {
		if f.Name == want || slices.Contains(f.Aliases, want) {
			return f, nil
		}
	}
	return nil, nearest(want)
}

// nearest is the names and aliases that differ least from want.
func nearest(want string) []string {
	type candidate struct {
		name string
		far  int
	}
	var all []candidate
	for _, f := range table {
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			far := smetrics.WagnerFischer(want, name, 1, 1, 1)
			if len(want) >= 3 && (strings.Contains(name, want) || strings.Contains(want, name)) {
				far = min(far, 1)
			}
			if far <= 1+len(want)/3 {
				all = append(all, candidate{name, far})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.far, b.far) })
	var near []string
	for _, c := range all[:min(3, len(all))] {
		near = append(near, c.name)
	}
	return near
}
