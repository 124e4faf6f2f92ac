package reasoning

import "iter"

// Text is the text to split, in whatever form the caller holds it (plain bytes,
// or the escaped inside of a JSON string). Offsets are the form's own.
// [jsonscan.Text] has these methods; [Plain] is the form for plain strings.
type Text interface {
	Len() int
	// Find is where marker first stands at or after from; start is -1 when it does not.
	Find(marker string, from int) (start, end int)
	// Match is where marker ends when it stands right at offset at, else -1.
	Match(marker string, at int) int
	// SkipSpace is the first offset at or after from that is not white space.
	SkipSpace(from int) int
}

// Plain is a Text of decoded bytes.
type Plain string

// Kind says what a segment is.
type Kind uint8

const (
	Thinking Kind = iota // reasoning
	Answer               // content
	Marker               // an opening or closing marker: in neither
)

// Segment is a part of the text, from Start to End.
type Segment struct {
	Kind       Kind
	Start, End int
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

// Family is how one family of models marks its thinking.
type Family struct {
	Name    string   // "kimi_k2"
	Aliases []string // SGLang's and vLLM's parser names, with underscores
	Open    string
	Close   string
	// … the owner of this package completes this struct
}

// Families ranges over the table, in order.
func Families() iter.Seq[*Family] { panic("todo") }

// Lookup finds a family by name or alias; '-' equals '_', case does not matter.
// near holds the closest names when there is none.
func Lookup(name string) (f *Family, near []string) { panic("todo") }

// Custom is a family of two markers (extract --open, --close).
func Custom(open, close string) *Family { panic("todo") }

// Tri is a fact that may be unknown.
type Tri int8

const (
	Unknown Tri = iota
	Yes
	No
)

// Facts are what is known about an answer besides its text.
type Facts struct {
	Model    string // as the response names it, else the request; "" unknown
	Thinking Tri    // switched on or off in the archived request
	Finish   string // finish reason, "" when the server gave none
	// PromptOpen: the rendered prompt is known to end with the opening marker.
	PromptOpen Tri
}

// Detect chooses the family of an answer for --family auto. why says in a few
// words what decided: "model name", "markers in the text", "no sign of thinking".
// f is nil when the text has no sign of thinking and the model is unknown.
func Detect(facts Facts, t Text) (f *Family, why string) { panic("todo") }

// Rules are the independent knobs of a split; see reasoning-formats §2.3.
type Rules struct {
	Name string // "faithful/1": goes into each record
	// … the owner of this package completes this struct
}

// Faithful is the default: loses and trims nothing.
func Faithful() Rules { panic("todo") }

// Split is the result for one text. Segments, markers included, add up to it.
type Split struct {
	Segments []Segment // valid until the next call with the same buffer
	Status   Status
	Flags    []string // what was decided, from a closed list documented in this package
}

// Split splits t. f nil: everything is the answer. buf is reused when given.
func (r *Rules) Split(f *Family, facts Facts, t Text, buf *Split) { panic("todo") }
