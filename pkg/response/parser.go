package response

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Parser reads lines. It reuses its buffers and is not safe for concurrent use.
type Parser struct {
	rec       Record
	failure   Failure
	body      jsonscan.Doc // a body that was kept as text
	event     jsonscan.Doc // one event of a stream
	arguments jsonscan.Doc // a tool call's
	stream    stream
	raw       []byte // the body, decoded
	text      []byte // texts that stand nowhere in one piece
	messages  []byte // Record.Messages where the line has none
	scratch   []byte
	askedKey  string // of the line, when it holds itself what was asked
	knows     knows  // of the line
	promptIDs []byte // raw array, nil for none
	meta      []byte // Record.Meta where it is put together
	textPath  string // where in the line the body stands as a text, "" for nowhere
	fault     string // why the line is no record: a duplicate key, a count that is none
}

// Parse understands one line, the root of its document. The error says why the
// line is no archived answer of any known shape, or names a duplicate key or a
// sample, turn or choice that is no whole number from 0 on; the record then holds
// what is known of whose answer it is.
func (p *Parser) Parse(line jsonscan.Value) (*Record, error) {
	p.reset()
	s := shapeOfLine(line)
	if s == nil {
		p.rec.ID = record.AnswerID(line, false)
		return &p.rec, unknownLine(line)
	}
	p.knows = s.knows
	s.read(p, line)
	if p.rec.ID.IsZero() {
		p.flag(FlagNoID)
	}
	p.noteDuplicate(line.Duplicate())
	p.carry(line, "")
	return p.done()
}

// Body understands the bytes of one HTTP response as they came: a JSON body of
// any shape, a whole event stream, or a stream of JSON lines. contentType may
// be "". status 0 is unknown. It is what gen uses to tell an answer from a
// failure. The record has no id, and refers to raw. The error names a duplicate key.
func (p *Parser) Body(raw []byte, status int, contentType string) (*Record, error) {
	p.reset()
	p.rec.Status = status
	p.readRaw(raw, []byte(contentType))
	return p.done()
}

// Chunks understands the chunks of one stream, a line each, without framing.
func (p *Parser) Chunks(raw []byte) (*Record, error) {
	p.reset()
	p.readLines(bytes.TrimPrefix(raw, []byte("\ufeff")))
	return p.done()
}

func (p *Parser) reset() {
	p.rec = Record{Choices: p.rec.Choices[:0], Flags: p.rec.Flags[:0], Usage: record.UnknownUsage()}
	p.text, p.textPath, p.askedKey, p.fault, p.promptIDs = p.text[:0], "", "", "", nil
}

func (p *Parser) done() (*Record, error) {
	for i := range p.rec.Choices {
		p.rec.Choices[i].dropTwin()
	}
	p.checkArguments()
	p.sharePrompt()
	if p.fault != "" {
		return &p.rec, errors.New(p.fault)
	}
	return &p.rec, nil
}

// noteDuplicate keeps the first path of a duplicate key.
func (p *Parser) noteDuplicate(path string) {
	if path != "" && p.fault == "" {
		p.fault = fmt.Sprintf("duplicate key %.80q", path)
	}
}

// ordinal is the whole number from 0 on that v holds under key, 0 for none.
func (p *Parser) ordinal(v jsonscan.Value, key string) int {
	n, err := record.Count(v, key)
	if err != nil && p.fault == "" {
		p.fault = err.Error()
	}
	return n
}

// checkArguments looks for duplicate keys inside the arguments of tool calls.
// The model wrote them: they cost the report, not the answer. Arguments that are
// no JSON are nobody's business here.
func (p *Parser) checkArguments() {
	for i := range p.rec.Choices {
		for n, c := range p.rec.Choices[i].ToolCalls {
			p.scratch = c.Arguments.AppendTo(p.scratch[:0])
			if p.arguments.Scan(p.scratch) != nil {
				continue
			}
			if path := p.arguments.AnyDuplicate(); path != "" {
				p.flag(FlagTwiceInCall)
				p.complain(fmt.Sprintf("duplicate key %.80q in the arguments of tool call %d", path, n))
			}
		}
	}
}

// complain keeps what is to be reported of the record. The first cause stays.
func (p *Parser) complain(cause string) {
	if p.rec.Complaint == "" {
		p.rec.Complaint = cause
	}
}

func (p *Parser) flag(flag string) { p.rec.Flags = addOnce(p.rec.Flags, flag) }

// choice begins a new choice.
func (p *Parser) choice(index int) *Choice {
	p.rec.Choices = extend(p.rec.Choices)
	c := &p.rec.Choices[len(p.rec.Choices)-1]
	*c = Choice{Index: index, Segments: c.Segments[:0], ToolCalls: c.ToolCalls[:0]}
	return c
}

// keep copies a text out of a line that will not last.
func (p *Parser) keep(t jsonscan.Text) jsonscan.Text {
	at := len(p.text)
	p.text = append(p.text, t.Raw...)
	return jsonscan.Text{Raw: p.text[at:len(p.text):len(p.text)], Flags: t.Flags}
}

// integer is the value of v, or none.
func integer(v jsonscan.Value, none int) int {
	if n, ok := v.Int(); ok && int64(int32(n)) == n {
		return int(n)
	}
	return none
}
