package reasoning

// memo is what was searched for in a text to find its family.
type memo struct {
	family *Family
	text   Text
	quoted Quoted
	quotes quotes

	openers, closers, meantOpeners, meantClosers search
}

// recall takes over what is known of the text's markers, when it was searched for
// those of the same family.
func (s *splitter) recall() {
	m := &s.out.seen
	if m.family == s.family && m.text == s.text && m.quoted == s.rules.Quoted && !s.explicit {
		s.quotes, s.openers, s.closers, s.meantOpeners, s.meantClosers = m.quotes, m.openers, m.closers, m.meantOpeners, m.meantClosers
	}
}

// forget makes sure that what was found is not taken for another text's.
func (b *Split) forget() { b.seen = memo{} }
