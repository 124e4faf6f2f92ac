package reasoning

// Kind says what a segment is.
type Kind uint8

const (
	Thinking Kind = iota // reasoning
	Answer               // content
	Marker               // an opening or closing marker: in neither
	Tool                 // a call, with its markup, that the format keeps apart from both
)

// Segment is a part of the text, from Start to End.
type Segment struct {
	Kind       Kind
	Start, End int
}

// Split is the result for one text. Segments, markers included, add up to it.
type Split struct {
	Segments []Segment // in order, none empty; valid until the next call with the same Split
	Status   Status
	Flags    []string // what was decided, of the Flag constants

	seen memo
}

// Status is the reasoning_status of a sample, see the contract.
type Status string

const (
	Present   Status = "present"
	Absent    Status = "absent"    // by design: thinking off, a model without
	Missing   Status = "missing"   // expected, not found
	Suspect   Status = "suspect"   // no closing marker although the answer ended by itself
	Truncated Status = "truncated" // cut by the token limit inside the thought
	Summary   Status = "summary"   // not the sampled chain of thought
	Encrypted Status = "encrypted"
)

// The flags of a split, a closed list.
const (
	FlagMarkerInContent = "marker-in-content" // a marker stands in the answer and was left there
	FlagMarkerInThought = "marker-in-thought" // an opening marker stands inside the thought and was left there
	FlagCloserInThought = "closer-in-thought" // a closing marker stands inside the thought and was left there
	FlagQuotedCloser    = "quoted-closer"     // the closing marker that ended the thought may be quoted, but no other one follows
	FlagNoOpener        = "no-opener"         // a closing marker ended a thought that nothing is known to have opened
	FlagNoCloser        = "no-closer"         // the thought has no closing marker
	FlagRepeatedOpener  = "repeated-opener"   // more than one opening marker at the beginning
	FlagRepeatedCloser  = "repeated-closer"   // more than one closing marker at the end
	FlagEmptyBlock      = "empty-block"       // the thought is nothing but white space
	FlagEndedByTool     = "ended-by-tool"     // a call ended the thought
	FlagEndedByAnswer   = "ended-by-answer"   // the answer's opening marker ended the thought
	FlagPreamble        = "preamble"          // text before the thought went to the answer
	FlagSeveralBlocks   = "several-blocks"    // more than one thought
	FlagThoughtAnyway   = "thought-anyway"    // thinking was switched off and there is a thought

	// Of formats that are more than two markers.
	FlagErasedMarkers  = "erased-markers"  // the server had erased the markers; the words of the channels' names told them apart
	FlagUnknownChannel = "unknown-channel" // a message on a channel that the format does not define
	FlagOtherRole      = "other-role"      // a message of another role than the assistant's: the model wrote more than its turn
	FlagBrokenHeader   = "broken-header"   // a message's header has no end

	// Of rules that do as others do.
	FlagTextDropped      = "text-dropped"       // text is in neither thinking nor answer
	FlagThoughtInContent = "thought-in-content" // the thought was taken for the answer that is not there
)
