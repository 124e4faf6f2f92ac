package extractor

import (
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// goOn joins the parts of an answer that was cut and gone on with. A server that
// split the thinking off before may leave the rest of it whole, because it sees no
// opening marker there: then the closing one parts it.
func (x *Extractor) goOn(r *response.Record) {
	if r.Continues.ID == "" {
		return
	}
	for i := range r.Choices {
		c := &r.Choices[i]
		if r.Continues.Reasoning.Len() == 0 || r.Continues.Content.Len() > 0 || len(c.Segments) == 0 || c.Segments[0].Kind != response.Content {
			continue
		}
		g := c.Segments[0]
		at, end := g.Text.Find(x.familyOf(x.model).Close, 0)
		if at < 0 {
			continue
		}
		thought := response.Segment{Kind: response.Reasoning, Source: g.Source, Text: g.Text.Slice(0, at)}
		answer := response.Segment{Kind: response.Content, Source: g.Source, Text: g.Text.Slice(end, g.Text.Len())}
		c.Segments = slices.Replace(c.Segments, 0, 1, thought, answer)
	}
	r.Join()
}
