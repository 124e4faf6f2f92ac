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
// off, at or after from; Len when none does.
func (k *tokens) partial(t Text, from int) int {
	last := t.Len()
	for at := from; ; {
		start, after := t.Find(k.lead, at)
		if start < 0 {
			break
		}
		last, at = start, after
	}
	for _, name := range k.names {
		for n := len(k.lead); n < len(name); n++ {
			if t.Match(name[:n], last) == t.Len() {
				return last
			}
		}
	}
	return t.Len()
}

// thoughtOf takes the thought from from to to of a format of blocks; closed
// tells that its end is known.
func (s *splitter) thoughtOf(from, to int, closed bool) {
	if s.thoughts {
		s.out.flag(FlagSeveralBlocks)
	}
	s.thoughts, s.unclosed = true, !closed
	if !closed {
		s.out.flag(FlagNoCloser)
		if s.rules.Unclosed == UnclosedAnswer {
			s.out.add(Answer, from, to)
			return
		}
	}
	s.ink = s.ink || s.text.SkipSpace(from) < to
	s.out.add(Thinking, from, to)
}
