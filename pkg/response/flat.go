package response

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// Flat records: the answer's fields at the top level of the line.
//
//	{"id","reasoning","content"} {"id","reasoning_content","content"}
//	{"id","prompt","response":"…"}
//
// When the response is a text that is a body, it was a body.

func isFlat(v jsonscan.Value) bool {
	c := v.Get("content")
	if c.Kind() == jsonscan.String || c.Kind() == jsonscan.Array || v.Get("response").Kind() == jsonscan.String {
		return true
	}
	for _, f := range reasoningFields {
		if v.Get(f).Kind() == jsonscan.String {
			return true
		}
	}
	return false
}

func readFlat(p *Parser, v jsonscan.Value) {
	p.envelope(v)
	if t := v.Get("response").Text(); !v.Get("content").Exists() && p.isBody(t) {
		p.readText(t, jsonscan.Text{}, "response")
		return
	}
	p.rec.Shape = "flat"
	p.head(v)
	if !v.Get("usage").Exists() {
		p.usage(v)
	}
	p.lineError(v)
	c := p.choice(p.ordinal(v, "choice"))
	p.message(v, c)
	if !v.Get("content").Exists() {
		c.add(Content, "response", v.Get("response").Text())
	}
	c.finishIfTold(v.Get("finish_reason"))
}

// finishIfTold keeps a finish reason where "" says nothing, as in samples: what
// kept it was not the server.
func (c *Choice) finishIfTold(v jsonscan.Value) {
	if v.Kind() != jsonscan.String || v.Text().Len() > 0 {
		c.finish(v)
	}
}

// isBody reports whether a text is the bytes of a reply and not an answer,
// which may be JSON, too.
func (p *Parser) isBody(t jsonscan.Text) bool {
	if t = t.TrimSpace(); t.Match("data: {", 0) > 0 || t.Match("data:{", 0) > 0 {
		return true
	}
	if t.Match("{", 0) < 0 {
		return false
	}
	p.raw = t.AppendTo(p.raw[:0])
	return p.body.Scan(p.raw) == nil && shapeOfBody(p.body.Root()) != nil
}
