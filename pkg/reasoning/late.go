package reasoning

import "slices"

// lateOpener decides a text whose first marker is an opening one with text before it.
func (s *splitter) lateOpener(open, closer int) (from int, inThought bool) {
	switch {
	case closer < 0 && !s.family.Preamble && s.unmarked():
		return 0, true
	case s.prefix() == PrefixToThought:
		return 0, true
	case s.prefix() == PrefixToAnswer:
		if late, end := s.laterOpen(open); late >= 0 && s.ends(late, end) {
			return s.preamble(late), true
		}
	}
	return 0, closer >= 0 && s.PromptOpen == Yes && s.start == StartByEvidence
}

// prefix is the knob with the family's habit and the prompt filled in.
func (s *splitter) prefix() Prefix {
	if s.rules.Prefix == PrefixByFamily && !s.family.Prose && (s.family.Preamble || s.blocks() || s.PromptOpen == No) {
		return PrefixToAnswer
	}
	return s.rules.Prefix
}

// preamble takes the text before the opening marker at open for the user's.
func (s *splitter) preamble(open int) (from int) {
	if s.text.SkipSpace(0) < open {
		s.out.flag(FlagPreamble)
	}
	s.out.add(Answer, 0, open)
	return s.leading(open)
}

// laterOpen is the next opening marker at or after from that may begin a thought
// after text: one that is merely written about is text.
func (s *splitter) laterOpen(from int) (start, end int) {
	start, end = s.meantOpen(from)
	for start >= 0 && s.rules.Quoted == QuotedText && s.mentioned(start, end) {
		start, end = s.meantOpen(end)
	}
	return start, end
}

// mentioned reports whether prose names the opening marker from start to end, or
// shows it in code or in the place of what it opens.
func (s *splitter) mentioned(start, end int) bool {
	if !s.blocks() && s.hollow(end) {
		return true
	}
	if _, begins := indent(s.text, start); begins {
		return code(s.text, start)
	}
	return matchAny(s.text, proseAfter[:], end) >= 0 || quotationOpens(s.text, start) || endsInAny(s.text, phrase[:], start)
}

// proseAfter are what follows a marker in the middle of a sentence.
var proseAfter = [...]string{" ", "/", "*"}

// phrase are words that go on: no text for the user ends in one of them.
var phrase = [...]string{
	" a ", " an ", " and ", " as ", " between ", " by ", " for ", " format ", " from ", " in ", " inside ", " into ", " is ", " like ", " of ", " or ",
	" put ", " regex ", " tag ", " tags ", " than ", " the ", " to ", " use ", "Use ", " using ", " with ", " within ", " write ", "Write ",
}

// hollow reports whether nothing but dots, a pattern or a line in brackets stands
// between from and a closing marker: the two show where a thought would be.
func (s *splitter) hollow(from int) bool {
	first := s.text.SkipSpace(from)
	at := first
	for next := at; next >= 0; next = matchAny(s.text, pattern[:], at) {
		at = s.text.SkipSpace(next)
	}
	return s.matchClose(at) >= 0 || s.bracketed(first)
}

// bracketed reports whether one line in brackets stands between from and a closing marker.
func (s *splitter) bracketed(from int) bool {
	closer, _ := s.findClose(from)
	if closer < 0 {
		return false
	}
	last := closer
	for to := s.text.SpaceBefore(last); to < last; to = s.text.SpaceBefore(to) {
		last = to
	}
	if line, _ := s.bodies.first(s.text, "\n", nil, from); 0 <= line && line < last {
		return false
	}
	return slices.ContainsFunc(brackets[:], func(p Pair) bool {
		return s.text.Match(p.Open, from) >= 0 && s.text.MatchBefore(p.Close, last) >= 0
	})
}

var brackets = [...]Pair{{"[", "]"}, {"{", "}"}, {"<", ">"}, {"(", ")"}}

// pattern are what a thought is shown as.
var pattern = [...]string{".", "…", "(", ")", "[", "]", "*", "?", "+", "^", `\s`, `\S`, `\n`, "$"}

// ends reports whether a thought that begins late, at the opening marker from
// start to end, comes to an end we know of: a closing marker, a call, an answer
// or the token limit. Else the marker is mere text. In the middle of a line only
// a closing marker will do, but for families that write text first.
func (s *splitter) ends(start, end int) bool {
	if closer, _ := s.meantClose(end); closer >= 0 || s.rules.Unclosed == UnclosedThought {
		return true
	}
	_, begins := indent(s.text, start)
	return (begins || s.family.Preamble || s.blocks()) && (Cut(s.Finish) || s.ended(end))
}

// ended reports whether a call or an answer begins after from.
func (s *splitter) ended(from int) bool {
	answer, _ := s.answers.first(s.text, "", s.family.AnswerOpen, from)
	return answer >= 0 || s.tool(from) >= 0
}
