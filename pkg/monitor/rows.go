package monitor

import (
	"cmp"
	"slices"
)

// mostRows bounds the parts that are told apart; the rest is one.
const mostRows = 64

// rows are the parts of a run by name. The zero rows is ready.
type rows struct {
	byName map[string]*row
}

// row is a Row in the making.
type row struct {
	Row
	took Histogram
}

// of is the part with a name.
func (r *rows) of(name string) *row {
	if r.byName == nil {
		r.byName = map[string]*row{}
	}
	name = cut(name, 100)
	if one := r.byName[name]; one != nil {
		return one
	}
	if len(r.byName) >= mostRows {
		name = "(others)"
	}
	one := r.byName[name]
	if one == nil {
		one = &row{Row: Row{Name: name}}
		r.byName[name] = one
	}
	return one
}

func (r *row) answered(a *Attempt) {
	r.Answers++
	r.took.Add(a.Took)
	if !a.Thinks {
		r.Without++
	}
}

// list is all parts, by name; none when nothing has one.
func (r *rows) list() []Row {
	list := make([]Row, 0, len(r.byName))
	if len(r.byName) == 1 && r.byName[""] != nil {
		return list
	}
	for _, one := range r.byName {
		one.Latency = one.took.quantiles()
		list = append(list, one.Row)
	}
	slices.SortFunc(list, func(a, b Row) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
