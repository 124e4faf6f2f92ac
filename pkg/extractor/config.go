package extractor

import (
	"errors"
	"fmt"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/provenance"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
	"github.com/thinkpipe/thinkpipe/pkg/toolcall"
)

// Config says how thinking is split off. The zero value is --family auto under
// the faithful rules.
type Config struct {
	Family      string // "" and "auto", "none", or a family's name or alias
	Open, Close string // two markers instead of a family; Open may be "" alone
	Rules       string // "" and "faithful"
	Unclosed    string // "" and "auto", "reasoning", "content"
	Trim        bool   // drop white space at both ends of reasoning and content
	Again       bool   // split lines that are samples already and have no thinking again
	TextField   string // path of the raw text, such as "output.0.text", in lines of any shape
	Segments    bool   // keep the parts of each answer in order, see record.Segment
	// SplitOnly leaves everything but the thinking where it stands: markup of
	// calls in the content, refusals in their field.
	SplitOnly bool
}

// Extractor works on one line after the other. It is not safe for concurrent use.
type Extractor struct {
	parser response.Parser
	rules  reasoning.Rules
	family *reasoning.Family // nil for auto and none
	usual  *reasoning.Family // the markers that most families share
	auto   bool
	field  string

	trim, again, segmented, splitOnly bool

	result  Result
	samples []record.Sample
	model   string // of the line before, so that a name is decoded once

	archive *provenance.Archive // of the lines at hand
	epoch   int                 // of server, -1 for none
	server  server

	text     jsonscan.Text // what is being split
	prompt   jsonscan.Text // what it continues
	asking   jsonscan.Doc  // the messages before it
	split    reasoning.Split
	calls    toolcall.Parser
	segments []record.Segment // of the choice at hand
	parsed   []record.Segment
	contents []jsonscan.Text // what is to be split
	pieces   []jsonscan.Text // what texts returns
	joined   []byte          // texts that stand nowhere in one piece
}

// New checks the configuration; the error names what is wrong and, for an
// unknown family, the nearest names.
func New(c Config) (*Extractor, error) {
	x := &Extractor{field: c.TextField, trim: c.Trim, again: c.Again, segmented: c.Segments, splitOnly: c.SplitOnly}
	x.usual, _ = reasoning.Lookup("think")
	err := errors.Join(x.setFamily(c), x.setRules(c))
	if err != nil {
		return nil, err
	}
	return x, nil
}

func (x *Extractor) setFamily(c Config) error {
	named := c.Family != "" && c.Family != "auto"
	switch {
	case c.Open != "" && c.Close == "":
		return errors.New("an opening marker without a closing one")
	case c.Close != "" && c.Open == c.Close:
		return errors.New("the opening and the closing marker are the same")
	case c.Close != "" && named:
		return fmt.Errorf("family %.80q and markers of its own exclude each other", c.Family)
	case c.Close != "":
		x.family = reasoning.Custom(c.Open, c.Close)
	case !named:
		x.auto = true
	case c.Family != "none":
		return x.lookup(c.Family)
	}
	return nil
}

func (x *Extractor) lookup(name string) error {
	family, near := reasoning.Lookup(name)
	x.family = family
	switch {
	case family != nil:
		return nil
	case near == nil:
		return fmt.Errorf("unknown family %.80q", name)
	}
	return fmt.Errorf("unknown family %.80q, did you mean %s?", name, strings.Join(near, " or "))
}

func (x *Extractor) setRules(c Config) error {
	rules, known := reasoning.Preset(c.Rules)
	if rules == nil {
		return fmt.Errorf("unknown rules %.80q, known are: %s", c.Rules, strings.Join(known, ", "))
	}
	x.rules = *rules
	switch c.Unclosed {
	case "", "auto":
	case "reasoning":
		x.rules.Unclosed = reasoning.UnclosedThought
	case "content":
		x.rules.Unclosed = reasoning.UnclosedAnswer
	default:
		return fmt.Errorf("unclosed %.80q is none of auto, reasoning, content", c.Unclosed)
	}
	return nil
}
