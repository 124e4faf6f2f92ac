package response

import (
	"bytes"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Record is one line of an archive, understood. Its values and texts are valid
// until the parser's next call.
type Record struct {
	ID      record.ID // zero: none
	Sample  int
	Turn    int
	Attempt int
	Retried bool // another attempt follows: count it and pass over it
	Probe   bool // and what gen asked was no prompt: it came before them
	Dead    bool // asking again cannot help

	// Failure is set when there is no complete answer; Choices may then hold what came.
	Failure *Failure

	Shape   string // which table entry read the reply: "chat", "chat stream", "generate", "flat", …
	Status  int    // HTTP status, 0 unknown
	Choices []Choice
	Model   jsonscan.Text
	Usage   record.Usage

	// Messages is the raw JSON array of what was asked, nil when the line does
	// not say. A prompt becomes one message of the user, ShareGPT turns get
	// roles, and the answer that ends a conversation is left out.
	Messages []byte

	Request       jsonscan.Value // the request body, None when not archived
	RequestSHA256 jsonscan.Text  // request.fingerprint of an exchange, else its request.sha256
	Meta          []byte         // raw JSON object of what the line holds besides, nil for nothing
	Simulated     bool           // the simulated server answered (its body says so)
	Continues     record.Part    // the beginning of the answer, of an exchange that goes on from it
	Epoch         int            // server_epoch, 0 when not recorded

	// Flags say what had to be decided, see [FlagNoID] and its neighbours.
	Flags []string
	// Complaint is what to report of a record that comes out all the same, "" for
	// nothing: calls that are none, a duplicate key in the arguments of one, a
	// second answer behind the first.
	Complaint string
}

// Failure is why a line holds no complete answer.
type Failure struct {
	Code    string // of the contract's closed list: "http.5xx", "stream.error", "body.not-completion", …
	Message string // the server's own words, shortened, with its own code
}

// Choice is one answer of a record.
type Choice struct {
	Index     int
	Finish    jsonscan.Text // as the server wrote it, "" when it gave none
	HasFinish bool          // there is a finish reason and it is neither null nor ""
	Open      bool          // there is one and it is: the server says that the answer has not ended
	Segments  []Segment     // in the order they came; none is empty
	ToolCalls []record.ToolCall
	Refusal   jsonscan.Text

	// PromptTokenIDs and TokenIDs are raw JSON arrays of what went in and came out,
	// nil where the server did not say.
	PromptTokenIDs, TokenIDs []byte
}

// Segment is a run of text that came from one field.
type Segment struct {
	Kind   SegmentKind
	Source string // the field: "reasoning_content", "content", "content[].thinking", …
	Text   jsonscan.Text
}

// SegmentKind is what the server says a text is.
type SegmentKind uint8

const (
	Reasoning SegmentKind = iota // the server says it is thinking
	Content                      // the server says it is the answer, or it is unsplit text
	Plan                         // what a model says before its calls: thinking where there is none besides
	Summary                      // a summary of thinking
	Encrypted                    // thinking that cannot be read
)

// Flags of a [Record].
const (
	FlagNoID            = "no-id"                      // an archived line without an id
	FlagCumulative      = "cumulative-stream"          // each delta repeated the whole text so far: it was taken once
	FlagMaybeCumulative = "maybe-cumulative-stream"    // few deltas that could do so or not: they were joined
	FlagTwoReasonings   = "two-reasoning-fields"       // two fields hold different thinking: the first was taken
	FlagUnknownEvent    = "unknown-event"              // an event of a stream that no shape knows was passed over
	FlagSeveralTurns    = "several-turns"              // an agent's run: results of tools stand between its texts
	FlagUnknownPart     = "unknown-part"               // a part of a content list that holds no text was passed over
	FlagCutAfterFinish  = "cut-after-finish"           // a stream was cut, but after all answers had ended
	FlagInvalidUTF8     = "invalid-utf8"               // bytes that are no UTF-8 became U+FFFD
	FlagAfterEnd        = "event-after-end"            // something stands after the end of a stream and was passed over
	FlagTextAfterFinish = "text-after-finish"          // an answer went on after its finish reason: all of it was taken
	FlagContinued       = "continued"                  // the token limit cut the answer, and a later exchange went on: they were joined
	FlagMalformedCalls  = record.FlagMalformedCalls    // what stands where calls belong is none: its JSON is in the arguments of a call without a name
	FlagTwiceInCall     = "duplicate-key-in-arguments" // the model wrote a key twice in the arguments of a call
)

// add is called for each text of the answer, in order. A Choice keeps it where
// it stands; a stream's delta copies it.
func (c *Choice) add(kind SegmentKind, source string, t jsonscan.Text) {
	if t.Len() > 0 {
		c.Segments = append(c.Segments, Segment{kind, source, t})
	}
}

func (c *Choice) call(_ int, call record.ToolCall) { c.ToolCalls = append(c.ToolCalls, call) }

// refuse adds to the refusal, which a server may say in two places.
func (c *Choice) refuse(t jsonscan.Text) {
	if !bytes.Equal(c.Refusal.Raw, t.Raw) {
		c.Refusal = c.Refusal.Join(t)
	}
}

func (c *Choice) finish(v jsonscan.Value) {
	switch reason, told := reasonIn(v); {
	case reason.Len() > 0:
		c.Finish, c.HasFinish, c.Open = reason, true, false
	case told:
		c.Open = !c.HasFinish
	}
}

// reasonIn is a finish reason: a string, or SGLang's {"type":"stop", …}. Some
// servers write "" where others write null: that is told, but no reason.
func reasonIn(v jsonscan.Value) (reason jsonscan.Text, told bool) {
	if v.Kind() == jsonscan.Object {
		v = v.Get("type")
	}
	return v.Text(), v.Kind() == jsonscan.String || v.Kind() == jsonscan.Null
}

// dropTwin drops thinking that another field before it holds as well: some
// servers repeat it among the parts of the content.
func (c *Choice) dropTwin() {
	var first, second string
	for _, s := range c.Segments {
		switch {
		case s.Kind != Reasoning || s.Source == first:
		case first == "":
			first = s.Source
		case second == "":
			second = s.Source
		}
	}
	if second != "" && bytes.Equal(c.thought(first), c.thought(second)) {
		c.Segments = slices.DeleteFunc(c.Segments, func(s Segment) bool { return s.Kind == Reasoning && s.Source == second })
	}
}

// thought is all thinking of one source.
func (c *Choice) thought(source string) (text []byte) {
	for _, s := range c.Segments {
		if s.Kind == Reasoning && s.Source == source {
			text = append(text, s.Text.Raw...)
		}
	}
	return text
}

// sink takes what a message, or a delta of one, holds.
type sink interface {
	add(kind SegmentKind, source string, t jsonscan.Text)
	call(index int, c record.ToolCall)
	refuse(t jsonscan.Text)
	finish(v jsonscan.Value)
	ids(tokens jsonscan.Value)
}

// Indexes of calls that are none.
const (
	noIndex  = -1 // the server gave none
	ofItsOwn = -2 // what came is a whole call, and another in every delta
)
