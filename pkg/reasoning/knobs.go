package reasoning

// Start is where a text begins that has no opening marker at its beginning.
type Start uint8

const (
	StartByEvidence Start = iota // in the thought if markers, prompt and finish reason say so
	StartInThought               // always in the thought (SGLang's "forced", vLLM's base parser)
	StartInAnswer                // always in the answer (llama.cpp where the model opens, LiteLLM)
	StartSwitched                // in the thought when thinking is on, else in the answer (vLLM's engine)
	StartForced                  // as switched, or in the thought when an opening marker stands anywhere (SGLang)
	StartNever                   // the text is the answer, markers and all
)

// Silent is whether thinking is on when neither the request nor the prompt says so.
type Silent uint8

const (
	SilentByFamily Silent = iota
	SilentOn
	SilentOff
)

// Off is what a text is when thinking is off.
type Off uint8

const (
	OffSplit Off = iota // split all the same
	OffWhole            // the answer, markers and all
)

// Frame is whether a thought needs all its markers.
type Frame uint8

const (
	FrameLoose Frame = iota
	FrameWhole       // opening and closing ones, the answer's too, or all is the answer
)

// Quoted is what markers in quotes, code and strings are.
type Quoted uint8

const (
	QuotedText  Quoted = iota // text
	QuotedMarks               // markers like any other
)

// Prefix is what text before a later opening marker is.
type Prefix uint8

const (
	PrefixByFamily  Prefix = iota // answer, unless the prompt opened the thought of a family that does not write text first
	PrefixToAnswer                // answer
	PrefixToThought               // part of the thought
	PrefixDropped                 // in neither, where the text begins in the thought (vLLM's base parser)
)

// Openers is how many opening markers at the beginning of a thought are markers.
type Openers uint8

const (
	OpenersAll   Openers = iota // all, white space between them allowed
	OpenersOne                  // the first; others are part of the thought
	OpenersExact                // all, right at the beginning and one another (SGLang)
	OpenersNone                 // none
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
	StrayLeading              // one at the very beginning of the text is a marker
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
	UnclosedSwitched                   // that when thinking is off, else a thought
)

// Empty is what a text is that has no answer after its thought.
type Empty uint8

const (
	EmptyKept   Empty = iota
	EmptyFilled       // its thought is the answer (chat_template_kwargs.force_nonempty_content)
)

// ToolMark is whether a call's marker ends a thought.
type ToolMark uint8

const (
	ToolCalled   ToolMark = iota // only when no closing marker follows, and a call does
	ToolUnclosed                 // only when no closing marker follows, also when it is merely mentioned
	ToolNever
	ToolAlways
)

// Channels is what becomes of messages on channels that a format does not
// define, and of remarks to the user that no end marker ends.
type Channels uint8

const (
	ChannelsAll   Channels = iota // answer
	ChannelsKnown                 // in neither (SGLang)
)

// Cites is what becomes of the markup around citations.
type Cites uint8

const (
	CitesKept    Cites = iota // text
	CitesRemoved              // markers, in neither (vLLM's cohere parsers)
)

// Trim is which white space next to markers is part of them: any of these.
type Trim uint8

const (
	TrimOpened     Trim = 1 << iota // one white space character after the opening marker
	TrimEnd                         // all at the end of the thought
	TrimEndLine                     // one newline there
	TrimClosed                      // all newlines after the closing marker
	TrimClosedLine                  // one newline there
	TrimFrame                       // all outside the markers around the answer
	TrimFrameLine                   // one newline inside each of them
)
