package reasoning

// Rules are the independent knobs of a split. The zero value of every knob is
// what the faithful rules do.
type Rules struct {
	Name string // "faithful/1": goes into each record

	Start    Start    // where a text begins that has no opening marker at its beginning
	Prefix   Prefix   // what text before a later opening marker is
	Openers  Openers  // how many opening markers at the beginning of a thought are markers
	Closer   Closer   // which closing marker ends a thought
	Closers  Closers  // how many closing markers at the end of a thought are markers
	Stray    Stray    // what becomes of closing markers in the answer
	Blocks   Blocks   // whether a thought may follow in the answer
	Unclosed Unclosed // what a text without closing marker is
	Tool     Tool     // whether a call's marker ends a thought
}

// Faithful is the default: it loses and trims nothing, and takes a marker for
// structure only where the family's format has one.
//
//   - A thought begins at an opening marker that only white space precedes;
//     elsewhere in the text one counts only for families that write text first
//     or think in several blocks. Repeated ones there are markers.
//   - A closing marker that no opening one precedes ends a thought which the
//     prompt opened; where the prompt is not known to open one, it must not
//     stand in quotes.
//   - The first closing marker ends the thought, and others that only white
//     space separates from it belong to it; markers after text stay in the
//     answer, and a flag tells of them.
//   - A call ends a thought only when no closing marker follows.
//   - A thought without closing marker is truncated when the token limit ended
//     it, else suspect. A text without any marker is a thought only when the
//     prompt opened one and the token limit ended it.
//   - White space stays where it stands. A thought of nothing but white space
//     is absent when thinking was switched off, else missing.
func Faithful() Rules { return Rules{Name: "faithful/1"} }

// Start is where a text begins that has no opening marker at its beginning.
type Start uint8

const (
	StartByEvidence Start = iota // in the thought if markers, prompt and finish reason say so
	StartInThought               // always in the thought (SGLang's "forced", vLLM's base parser)
	StartInAnswer                // always in the answer (llama.cpp where the model opens, LiteLLM)
)

// Prefix is what text before a later opening marker is.
type Prefix uint8

const (
	PrefixByFamily  Prefix = iota // answer where the family writes text first, else the marker is text
	PrefixToAnswer                // answer
	PrefixToThought               // part of the thought
)

// Openers is how many opening markers at the beginning of a thought are markers.
type Openers uint8

const (
	OpenersAll Openers = iota // all, white space between them allowed
	OpenersOne                // the first; others are part of the thought
)

// Closer is which closing marker ends a thought.
type Closer uint8

const (
	CloserFirst Closer = iota
	CloserLast
)

// Closers is how many closing markers at the end of a thought are markers.
type Closers uint8

const (
	ClosersAll Closers = iota // all that follow the one that ends it; white space between them is the answer's
	ClosersOne                // the one that ends it; others are part of the answer
)

// Stray is what becomes of closing markers in the answer.
type Stray uint8

const (
	StrayKept    Stray = iota // text of the answer
	StrayRemoved              // markers, in neither
)

// Blocks is whether a thought may follow in the answer.
type Blocks uint8

const (
	BlocksByFamily Blocks = iota
	BlocksFirst           // never
	BlocksAll             // always
)

// Unclosed is what a text without closing marker is.
type Unclosed uint8

const (
	UnclosedByEvidence Unclosed = iota // a thought if there is an opening marker, else by finish reason
	UnclosedThought                    // extract --unclosed reasoning
	UnclosedAnswer                     // the answer, without its opening marker: extract --unclosed content
)

// Tool is whether a call's marker ends a thought.
type Tool uint8

const (
	ToolUnclosed Tool = iota // only when no closing marker follows
	ToolNever
	ToolAlways
)
