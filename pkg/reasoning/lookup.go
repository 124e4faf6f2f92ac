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

// nearest is, for the families whose name or an alias differs least from want, that name.
func nearest(want string) []string {
	var all []candidate
	for _, f := range table {
		best := candidate{far: unlike}
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			if c := compare(want, name); c.order(best) < 0 {
				best = c
			}
		}
		if best.far < unlike {
			all = append(all, best)
		}
	}
	slices.SortStableFunc(all, candidate.order)
	var near []string
	for _, c := range all[:min(3, len(all))] {
		near = append(near, c.name)
	}
	return near
}

// candidate is a name that may have been meant.
type candidate struct {
	name string
	far  int // edits away
	lead int // bytes at the beginning that are the same
}

func (c candidate) order(d candidate) int {
	return cmp.Or(cmp.Compare(c.far, d.far), cmp.Compare(d.lead, c.lead))
}

// unlike is how far away a name is that nobody can have meant.
const unlike = 1 << 10

// compare tells how far a name is from what is wanted: a few edits; one holds the
// other; or, farther than these, they begin alike for half of what is wanted.
func compare(want, name string) candidate {
	c := candidate{name, smetrics.WagnerFischer(want, name, 1, 1, 1), commonPrefix(want, name)}
	switch {
	case len(want) >= 3 && (strings.Contains(name, want) || strings.Contains(want, name)):
		c.far = min(c.far, 1)
	case c.far <= 1+len(want)/3:
	case c.lead >= max(4, (len(want)+1)/2):
		c.far = unlike - 1
	default:
		c.far = unlike
	}
	return c
}

func commonPrefix(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
