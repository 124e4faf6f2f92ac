package record

import (
	"bytes"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// Part is the beginning of an answer that the token limit cut, which a later
// exchange goes on from, so that a reader of that one alone has the whole:
//
//	"continues":{"id":"ex_…","reasoning":"…","content":"…","completion_tokens":10240}
//
// Thinking and content are what the server told apart; where it did not, all is
// content.
type Part struct {
	ID                 string // of the exchange that was cut, "" for no part
	Reasoning, Content jsonscan.Text
	Tokens             int64 // of the parts so far
}

// ReadPart reads what AppendJSON wrote; the zero Part for nothing. It refers to
// the line.
func ReadPart(v jsonscan.Value) Part {
	if v.Kind() != jsonscan.Object {
		return Part{}
	}
	tokens, _ := v.Get("completion_tokens").Int()
	return Part{ID: v.Get("id").Text().String(), Reasoning: v.Get("reasoning").Text(), Content: v.Get("content").Text(), Tokens: tokens}
}

// AppendJSON appends the part as a JSON object.
func (p *Part) AppendJSON(dst []byte) []byte {
	dst = jsonscan.AppendString(append(dst, `{"id":`...), p.ID)
	dst = p.Reasoning.AppendQuoted(append(dst, `,"reasoning":`...))
	dst = p.Content.AppendQuoted(append(dst, `,"content":`...))
	dst = appendInt(append(dst, `,"completion_tokens":`...), p.Tokens)
	return append(dst, '}')
}

// Clone is the part without reference to its line.
func (p *Part) Clone() Part {
	c := *p
	c.Reasoning.Raw, c.Content.Raw = bytes.Clone(p.Reasoning.Raw), bytes.Clone(p.Content.Raw)
	return c
}
