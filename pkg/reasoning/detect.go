package reasoning

import (
	"slices"
	"unicode/utf8"
)

// What decided for a family, as [Detect] tells it.
const (
	ByName    = "model name"
	ByParser  = "parser of the server"
	ByMarkers = "markers in the text"
	NoSign    = "no sign of thinking"
)

// Detect chooses the family of an answer for --family auto. why is one of
// [ByName], [ByParser], [ByMarkers] and [NoSign]. The model's name decides, then the
// parser that the server was started with, unless the text has markers of another
// family only: servers rename models. f is nil when the text has no sign of
// thinking and neither is known.
func Detect(facts Facts, t Text) (f *Family, why string) { return new(Split).Detect(facts, t) }

// Detect is [Detect] before a split of the same text into buf, which then need not
// look for the same markers again.
func (buf *Split) Detect(facts Facts, t Text) (f *Family, why string) {
	look := lookout{Facts: facts, text: t, lead: skipInvisible(t), out: buf}
	known, why := byModel(facts.Model), ByName
	if known == nil && facts.Parser != nil {
		known, why = facts.Parser, ByParser
	}
	if known != nil && look.marked(known) {
		return known, why
	}
	for _, f := range generic {
		if look.marked(f) {
			return f, ByMarkers
		}
	}
	if known != nil {
		return known, why
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

// lookout looks for one family's markers after the other. Markers begin in few
// ways, and most texts have none of them: what was not found is remembered.
type lookout struct {
	Facts
	text   Text
	lead   int // where white space ends
	absent [8]string
	n      int
	out    *Split
}

// marked reports whether a family's markers stand where they have a meaning: an
// opening one at the beginning, a closing one that no opening one precedes, or
// both around a later thought; and not quoted.
func (l *lookout) marked(f *Family) bool {
	t := l.text
	if match(t, f.Open, l.lead) >= 0 || matchAny(t, f.AlsoOpen, l.lead) >= 0 || matchAny(t, f.Signs, l.lead) >= 0 {
		return true
	}
	if f.Prose || f.Format != Tags {
		return false
	}
	closer := l.find(f.Close)
	if closer < 0 && (!Cut(l.Finish) || l.find(f.Open) < 0) {
		return false
	}
	s := splitter{rules: Faithful(), family: f, text: t, Facts: l.Facts}
	if closer >= 0 && f.AlsoClose == nil {
		s.closers.first(t, f.Close, nil, closer)
		s.closers.from = 0 // before that there is none
	}
	found := s.reveals()
	l.out.seen = memo{f, t, s.rules.Quoted, s.quotes, s.openers, s.closers, s.meantOpeners, s.meantClosers}
	return found
}

// reveals reports whether markers in the text are meant as such.
func (s *splitter) reveals() bool {
	open, _ := s.meantOpen(0)
	closer, _ := s.meantClose(0)
	if closer >= 0 && (open < 0 || closer < open) {
		return !s.named(closer)
	}
	late, end := s.laterOpen(0)
	return late >= 0 && s.ends(late, end)
}

// find is where the beginning of a marker first stands, -1 for nowhere.
func (l *lookout) find(marker string) (at int) {
	begin := marker[:beginning(marker)]
	if slices.Contains(l.absent[:l.n], begin) {
		return -1
	}
	if at, _ = l.text.Find(begin, 0); at < 0 && l.n < len(l.absent) {
		l.absent[l.n] = begin
		l.n++
	}
	return at
}

// beginning is the length of a marker's beginning: two bytes, or one character
// beyond ASCII.
func beginning(marker string) int {
	_, n := utf8.DecodeRuneInString(marker)
	return min(max(n, 2), len(marker))
}
