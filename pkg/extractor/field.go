package extractor

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// fields reads the texts of an answer once more, each from the field it is said
// to come from, and counts those it could read. It knows nothing of shapes but
// where chat and completion bodies, their streams and flat records keep a text.
func (p *Prover) fields(line jsonscan.Value, r *response.Record, c *response.Choice) (n int64, err error) {
	if slices.Contains(r.Flags, response.FlagCumulative) || slices.Contains(r.Flags, response.FlagInvalidUTF8) {
		return 0, nil // by design not what the deltas add up to, or not their bytes
	}
	for i, g := range c.Segments {
		if slices.ContainsFunc(c.Segments[:i], func(h response.Segment) bool { return h.Source == g.Source }) {
			continue
		}
		field, ok := p.field(line, c.Index, g.Source)
		if !ok {
			continue
		}
		p.joined = p.joined[:0]
		for _, h := range c.Segments[i:] {
			if h.Source == g.Source {
				p.joined = append(p.joined, h.Text.Raw...)
			}
		}
		if !bytes.Equal(p.joined, field) {
			return n, fmt.Errorf("what came from %s is not what stands there", g.Source)
		}
		n++
	}
	return n, nil
}

// field is the text of a field of an answer, as it stands there, escaped.
func (p *Prover) field(line jsonscan.Value, index int, name string) (text []byte, ok bool) {
	answer := line.Get("response")
	if t := answer.Get("text"); t.Kind() == jsonscan.String {
		return p.kept(t.Text(), index, name)
	}
	if t := line.Get("response_text"); t.Kind() == jsonscan.String {
		return p.kept(t.Text(), index, name)
	}
	for _, body := range [...]jsonscan.Value{answer.Get("body"), answer, line} {
		if v := inBody(body, index, name); v.Kind() == jsonscan.String {
			return v.Text().Raw, true
		}
	}
	return nil, false
}

// inBody is a field of the answer with an index: of its message, or its own, or
// of a flat record.
func inBody(body jsonscan.Value, index int, name string) jsonscan.Value {
	choices := body.Get("choices")
	for n, c := range choices.Elements() {
		if i, ok := c.Get("index").Int(); ok && int(i) != index || !ok && n != index {
			continue
		}
		if v := c.Get("message", name); v.Exists() {
			return v
		}
		return c.Get(name)
	}
	if choices.Exists() {
		return jsonscan.Value{}
	}
	return body.Get(name)
}

// kept reads a body that was kept as text: JSON, or the events of a stream.
func (p *Prover) kept(t jsonscan.Text, index int, name string) (text []byte, ok bool) {
	p.raw = t.AppendTo(p.raw[:0])
	if p.body.Scan(p.raw) == nil {
		v := inBody(p.body.Root(), index, name)
		return v.Text().Raw, v.Kind() == jsonscan.String
	}
	for event := range bytes.SplitSeq(p.raw, []byte("\n")) {
		data, found := bytes.CutPrefix(event, []byte("data:"))
		if !found || p.event.Scan(bytes.TrimSpace(data)) != nil {
			continue
		}
		for _, c := range p.event.Root().Get("choices").Elements() {
			if i, _ := c.Get("index").Int(); int(i) != index {
				continue
			}
			v := c.Get("delta", name)
			if !v.Exists() {
				v = c.Get(name)
			}
			if v.Kind() == jsonscan.String {
				text, ok = append(text, v.Text().Raw...), true
			}
		}
	}
	return text, ok
}
