package reasoning

// What decided for a family, as [Detect] tells it.
const (
	ByName    = "model name"
	ByMarkers = "markers in the text"
	NoSign    = "no sign of thinking"
)

// Detect chooses the family of an answer for --family auto. why is one of
// [ByName], [ByMarkers] and [NoSign]. The model's name decides unless the text
// has markers of another family only: servers rename models. f is nil when the
// text has no sign of thinking and the model is unknown.
func Detect(facts Facts, t Text) (f *Family, why string) {
	lead := t.SkipSpace(0)
	byName := byModel(facts.Model)
	if byName != nil && marked(byName, t, lead) {
		return byName, ByName
	}
	for _, f := range generic {
		if marked(f, t, lead) {
			return f, ByMarkers
		}
	}
	if byName != nil {
		return byName, ByName
	}
	return nil, NoSign
}

// NeverThinks reports whether a model is known by its name to write no thoughts.
func NeverThinks(model string) bool {
	if f := byModel(model); f != nil {
		return named(f.Never, model)
	}
	return named(neverThink, model)
}

func byModel(model string) *Family {
	if model == "" {
		return nil
	}
	for _, f := range table {
		if named(f.Models, model) {
			return f
		}
	}
	return nil
}

// marked reports whether a family's markers stand where they have a meaning: an
// opening one at the beginning, or a closing one that no opening one precedes
// and that is not quoted.
func marked(f *Family, t Text, lead int) bool {
	if match(t, f.Open, lead) >= 0 || matchAny(t, f.AlsoOpen, lead) >= 0 || matchAny(t, f.Signs, lead) >= 0 {
		return true
	}
	if f.Prose || f.Format != Tags {
		return false
	}
	closer, end := find(t, f.Close, 0)
	if closer < 0 || quoted(t, end) {
		return false
	}
	open, _ := find(t, f.Open, 0)
	return open < 0 || closer < open || f.Preamble || f.Blocks
}

// quoted reports whether a marker that ends at end is followed by a quotation mark.
func quoted(t Text, end int) bool {
	for _, mark := range [...]string{`"`, "'", "`", "”", "’"} {
		if t.Match(mark, end) >= 0 {
			return true
		}
	}
	return false
}
