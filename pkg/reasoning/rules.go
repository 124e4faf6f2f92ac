package reasoning

// Rules are the independent knobs of a split. The zero value of every knob is
// what the faithful rules do.
type Rules struct {
	Name string // "faithful/1": goes into each record

	Start    Start    // where a text begins that has no opening marker at its beginning
	Silent   Silent   // whether thinking is on when nothing says so
	Off      Off      // what a text is when thinking is off
	Frame    Frame    // whether a thought needs all its markers
	Quoted   Quoted   // what markers in quotes, code and strings are
	Prefix   Prefix   // what text before a later opening marker is
	Openers  Openers  // how many opening markers at the beginning of a thought are markers
	Closer   Closer   // which closing marker ends a thought
	Closers  Closers  // how many closing markers at the end of a thought are markers
	Stray    Stray    // what becomes of closing markers in the answer
	Blocks   Blocks   // whether a thought may follow in the answer
	Unclosed Unclosed // what a text without closing marker is
	Empty    Empty    // what a text is that has no answer
	Tool     ToolMark // whether a call's marker ends a thought
	Tools    []string // those markers; nil: the family's
	Channels Channels // what becomes of messages on channels that a format does not define
	Cites    Cites    // what becomes of the markup around citations
	Trim     Trim     // which white space next to markers is part of them

	// ByFamily sets the knobs that differ for a family; nil for none.
	ByFamily func(*Family, Rules) Rules
}

// of are the rules for one family.
func (r *Rules) of(f *Family) Rules {
	if r.ByFamily == nil {
		return *r
	}
	return r.ByFamily(f, *r)
}

// Faithful is the default: it loses and trims nothing, and takes a marker for
// structure only where the family's format has one.
//
//   - Markers in quotes, code spans, fenced blocks and strings of JSON are text. What
//     only seems to be quoted is, too, when another marker follows that is not.
//   - A thought begins at an opening marker that only white space precedes, and
//     repeated ones there are markers. Text before a later one is answer, and the
//     thought must have an end; where prose names the marker, it is text. When
//     the prompt opened a thought, an opening marker in it is text of the thought,
//     but for families that write text first or think in several blocks.
//   - After a thought another one counts for families that think in several blocks;
//     for others when only white space stands between the two.
//   - A closing marker that no opening one precedes ends a thought which the
//     prompt opened; a flag tells where the prompt is not known to open one.
//   - The first closing marker ends the thought, and others that only white
//     space separates from it belong to it; markers after text stay in the
//     answer, and a flag tells of them.
//   - A call ends a thought only when no closing marker follows.
//   - A thought without closing marker is truncated when the token limit ended
//     it, else suspect. A text without any marker is a thought only when the
//     prompt opened one and the token limit ended it.
//   - A format of messages or blocks (gpt-oss, Kimi K3, Inkling) is read as such;
//     what stands outside of them or on an unknown channel is answer, and a flag
//     tells of it. Markers around an answer are in neither.
//   - White space stays where it stands. A thought of nothing but white space
//     is absent when thinking was switched off, else missing.
func Faithful() Rules { return Rules{Name: "faithful/1"} }
