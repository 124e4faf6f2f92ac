package reasoning

// tokens finds the next of some special tokens, which all begin with the same
// bytes. Its work is linear in the text however often it is asked for one after
// the other.
type tokens struct {
	lead  string   // "<|"
	names []string // the tokens
}

// next is where the next token stands at or after from, and which; start is
// Len when there is none.
func (k *tokens) next(t Text, from int) (start, end, which int) {
	for at := from; ; {
		start, after := t.Find(k.lead, at)
		if start < 0 {
			return t.Len(), t.Len(), -1
		}
		for which, name := range k.names {
			if end := t.Match(name, start); end >= 0 {
				return start, end, which
			}
		}
		at = after
	}
}

// in reports whether a token stands in the text.
func (k *tokens) in(t Text) bool {
	_, _, which := k.next(t, 0)
	return which >= 0
}

// partial is where the beginning of a token stands that the end of the text cuts
// off, at or after from; Len when none does. A token may hold the lead twice.
func (k *tokens) partial(t Text, from int) int {
	before, last := t.Len(), t.Len()
	for at := from; ; {
		start, after := t.Find(k.lead, at)
		if start < 0 {
			break
		}
		before, last, at = last, start, after
	}
	for _, start := range [...]int{before, last} {
		if k.beginsAt(t, start) {
			return start
		}
	}
	return t.Len()
}

// beginsAt reports whether the text from start on is the beginning of a token.
func (k *tokens) beginsAt(t Text, start int) bool {
	for _, name := range k.names {
		for n := len(k.lead); n < len(name); n++ {
			if t.Match(name[:n], start) == t.Len() {
				return true
			}
		}
	}
	return false
}
