package extractor

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// Config says how thinking is split off. The zero value is --family auto under
// the faithful rules.
type Config struct {
	Family      string // "" and "auto", "none", or a family's name or alias
	Open, Close string // two markers instead of a family
	Unclosed    string // "" and "auto", "reasoning", "content"
	Again       bool   // split lines that are samples already again
}

// Extractor works on one line after the other. It is not safe for concurrent use.
type Extractor struct{}

// New checks the configuration; the error names what is wrong and, for an
// unknown family, the nearest names.
func New(c Config) (*Extractor, error) { panic("todo") }

// Result is what one line holds; valid until the next call.
type Result struct {
	Record  *response.Record // nil when the line was a sample already
	Key     record.Key       // whose answer this is
	Samples []record.Sample  // one per choice; empty for failures
	// Through says that the line is a sample already and may be copied as it is;
	// Samples then holds what it says.
	Through bool
}

// Line extracts one scanned line. The error says why the line is no record, or
// names a duplicate key on a path that decides the result.
func (x *Extractor) Line(line jsonscan.Value) (*Result, error) { panic("todo") }

// Ledger keeps account of which answers succeeded, so that a failed attempt is
// forgiven when another line of the same key succeeds, before or after it. It
// keeps 8 bytes for each success and each whole failure. It is owned by one
// goroutine: workers hash keys with a copy of its Hasher.
type Ledger struct{}
