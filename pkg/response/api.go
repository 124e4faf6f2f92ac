package response

import (
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
	Dead    bool // asking again cannot help

	// Failure is set when there is no complete answer; Choices may then hold what came.
	Failure *Failure

	Shape   string // which table entry read it: "chat", "completion", "generate", "chat stream", …
	Status  int    // HTTP status, 0 unknown
	Choices []Choice
	Model   jsonscan.Text
	Usage   record.Usage

	Request       jsonscan.Value // the request body, None when not archived
	RequestSHA256 jsonscan.Text  // request.sha256 of an exchange
	Meta          jsonscan.Value
	Simulated     bool // the simulated server answered (its body says so)
	Epoch         int  // server_epoch, 0 when not recorded
	Flags         []string
}

// Failure is why a line holds no complete answer.
type Failure struct {
	Code    string // of the contract's closed list where it is known: "http.5xx", "stream.error", "body.not-completion", …
	Message string // the server's own words, shortened
}

// Choice is one answer of a record.
type Choice struct {
	Index     int
	Finish    jsonscan.Text // as the server wrote it, "" when it gave none
	HasFinish bool          // the shape has a finish reason and it is not null
	Segments  []Segment     // in the order they came
	ToolCalls []record.ToolCall
	Refusal   jsonscan.Text
}

// Segment is a run of text that came from one field.
type Segment struct {
	Kind   SegmentKind
	Source string // the field: "reasoning_content", "content", "message.content[].thinking", …
	Text   jsonscan.Text
}

type SegmentKind uint8

const (
	Reasoning SegmentKind = iota // the server says it is thinking
	Content                      // the server says it is the answer, or it is unsplit text
	Summary                      // a summary of thinking
	Encrypted                    // thinking that cannot be read
)

// Parser reads lines. It reuses its buffers and is not safe for concurrent use.
type Parser struct{}

// Parse understands one scanned line. The error says why the line is no
// archived answer of any known shape, or names a duplicate key.
func (p *Parser) Parse(line jsonscan.Value) (*Record, error) { panic("todo") }

// Body understands the bytes of one HTTP response as they came: a JSON body of
// any shape, or a whole event stream. contentType may be "". status 0 is unknown.
// It is what gen uses to tell an answer from a failure.
func (p *Parser) Body(raw []byte, status int, contentType string) (*Record, error) { panic("todo") }
