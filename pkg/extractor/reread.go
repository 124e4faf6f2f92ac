package extractor

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// A prover reads every answer a second time, by code that shares nothing with
// package response but the scanner: one value or event after the other, and of
// each the texts that stand where the API's documentation puts them. It knows the
// shape by its name and neither detects nor repairs anything.

// rereading is what a second reading of one answer has found.
type rereading struct {
	shape      string // response.Record.Shape, without " stream"
	stream     bool
	position   int    // of the answer among those of a body
	index      int    // of the answer in a stream
	path       string // of --text-field
	cumulative bool   // the last piece may be all of a text
	texts      []reread
	taken      []reread // those that were as they should be
	also       bool     // another field held other thinking
	calls      []recall // in their order
	first      string   // id of the stream's answer, where its events tell
	ended      bool     // what follows is no part of the answer
}

// reread is the text of one source.
type reread struct {
	source string
	text   []byte // all pieces, as they stand there
	last   []byte // the last piece, which is all of it in cumulative streams
}

// reread holds an answer against its second reading: every text is the one that
// stands where it is said to come from, and none that stands there was left out.
func (p *Prover) reread(line jsonscan.Value, r *response.Record, position int) error {
	c := &r.Choices[position]
	s := &rereading{position: position, index: c.Index, cumulative: slices.Contains(r.Flags, response.FlagCumulative)}
	s.shape, s.stream = strings.CutSuffix(r.Shape, " stream")
	if len(c.Segments) > 0 {
		s.path = c.Segments[0].Source
	}
	p.values(line, s)
	for i, g := range c.Segments {
		if slices.ContainsFunc(c.Segments[:i], func(h response.Segment) bool { return h.Source == g.Source }) {
			continue
		}
		p.joined = p.joined[:0]
		for _, h := range c.Segments[i:] {
			if h.Source == g.Source {
				p.joined = append(p.joined, h.Text.Raw...)
			}
		}
		if !s.take(g.Source, p.joined) {
			return fmt.Errorf("what came from %s is not what stands there", g.Source)
		}
	}
	if c.Refusal.Len() > 0 && !s.take("refusal", c.Refusal.Raw) {
		return errors.New("the refusal is not what stands there")
	}
	if s.also && !slices.Contains(r.Flags, response.FlagTwoReasonings) {
		return errors.New("two fields hold different thinking, and no flag tells of it")
	}
	if err := s.nothingLeft(); err != nil || slices.Contains(r.Flags, response.FlagMalformedCalls) {
		return err
	}
	return s.sameCalls(c.ToolCalls)
}

// take passes a source whose text is the given one.
func (s *rereading) take(source string, text []byte) bool {
	for n, t := range s.texts {
		if t.source == source && t.is(text, s.cumulative) {
			s.texts = slices.Delete(s.texts, n, n+1)
			s.taken = append(s.taken, t)
			return true
		}
	}
	return false
}

func (t *reread) is(text []byte, cumulative bool) bool {
	return bytes.Equal(t.text, text) || cumulative && bytes.Equal(t.last, text)
}

// nothingLeft checks that every text was taken, or stands in another field, too.
func (s *rereading) nothingLeft() error {
	for _, t := range s.texts {
		twin := func(u reread) bool { return u.is(t.text, s.cumulative) || s.cumulative && u.is(t.last, true) }
		if !slices.ContainsFunc(s.taken, twin) {
			return fmt.Errorf("what stands at %s is in no sample", t.source)
		}
	}
	return nil
}

// add takes a piece of a source in.
func (s *rereading) add(source string, t jsonscan.Text) {
	if t.Len() == 0 {
		return
	}
	n := slices.IndexFunc(s.texts, func(t reread) bool { return t.source == source })
	if n < 0 {
		n = len(s.texts)
		s.texts = append(s.texts, reread{source: source})
	}
	s.texts[n].text = append(s.texts[n].text, t.Raw...)
	s.texts[n].last = append(s.texts[n].last[:0], t.Raw...)
}

// values hands the values of an archived answer to the reading: a body, or the
// events of a stream.
func (p *Prover) values(line jsonscan.Value, s *rereading) {
	answer := line.Get("response")
	_, bare := line.Get("done").Bool() // Ollama calls its text response
	switch body := answer.Get("body"); {
	case s.shape == "flat", s.shape == "conversation", s.shape == "text field":
		s.read(line)
	case body.Kind() == jsonscan.String:
		p.bytes(body.Text().AppendTo(nil), s)
	case body.Kind() > jsonscan.Null:
		s.value(body)
	case answer.Get("base64").Kind() == jsonscan.String:
		raw, _ := base64.StdEncoding.DecodeString(answer.Get("base64").Text().String())
		p.bytes(raw, s)
	case answer.Get("status_code").Exists(), keepsText(answer):
		p.bytes(answer.Get("text").Text().AppendTo(nil), s)
	case inside(line).Exists():
		s.value(inside(line))
	case line.Get("response_text").Kind() == jsonscan.String:
		p.bytes(line.Get("response_text").Text().AppendTo(nil), s)
	case answer.Kind() == jsonscan.String && !bare:
		p.bytes(answer.Text().AppendTo(nil), s)
	default:
		s.value(line)
	}
}

// keepsText reports whether a response has its bytes as a text: those of /generate
// and of Cohere, which have one of their own, say more.
func keepsText(answer jsonscan.Value) bool {
	return answer.Get("text").Kind() == jsonscan.String && !answer.Get("meta_info").Exists() && !answer.Get("generation_id").Exists()
}

// inside is the body that a line holds as JSON, None when it holds none.
func inside(line jsonscan.Value) jsonscan.Value {
	for _, key := range [...]string{"response", "raw_response", "model_output"} {
		if body := line.Get(key); body.Kind() >= jsonscan.Array {
			return body
		}
	}
	if body := line.Get("body"); body.Kind() >= jsonscan.Array {
		return body
	}
	for _, key := range [...]string{"response_body", "output", "outputs"} {
		if body := line.Get(key); body.Kind() == jsonscan.Object && body.Get("message", "content").Kind() != jsonscan.Array { // that is Bedrock's own
			return body
		}
	}
	for _, body := range line.Get("batch_result", "response").Members() {
		return body
	}
	return line.Get("result", "message")
}

// value is a body, an event, or a list of events.
func (s *rereading) value(v jsonscan.Value) {
	if !s.stream || v.Kind() != jsonscan.Array {
		s.read(v)
		return
	}
	for _, e := range v.Elements() {
		s.read(e)
	}
}

// bytes is a body as it came: JSON, or a stream, of which each line holds an
// event, or, framed, all lines of data up to a blank one.
func (p *Prover) bytes(raw []byte, s *rereading) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	if p.scan(raw) {
		s.value(p.body.Root())
		return
	}
	var pending []byte
	for line := range bytes.SplitSeq(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n")), []byte("\n")) {
		for line := range bytes.SplitSeq(line, []byte("\r")) {
			data, framed := bytes.CutPrefix(line, []byte("data:"))
			switch {
			case len(line) == 0 && pending != nil:
				p.event(pending, s)
				pending = nil
			case framed && pending != nil:
				pending = append(append(pending, '\n'), data...)
			case framed || bytes.HasPrefix(line, []byte("{")):
				if !p.event(data, s) {
					pending = append([]byte{}, data...)
				}
			}
		}
	}
	p.event(pending, s)
}

// event reads one event, and reports whether it is whole.
func (p *Prover) event(data []byte, s *rereading) bool {
	if data = bytes.TrimSpace(data); string(data) == "[DONE]" {
		s.ended = true
		return true
	}
	if !p.scan(data) {
		return false
	}
	s.read(p.body.Root())
	return true
}

// scan scans JSON. Bytes that are no UTF-8 stand in samples as U+FFFD.
func (p *Prover) scan(raw []byte) bool {
	err := p.body.Scan(raw)
	if fault, ok := err.(*jsonscan.SyntaxError); ok && fault.UTF8 {
		err = p.body.Scan(bytes.ToValidUTF8(raw, []byte("\ufffd")))
	}
	return err == nil
}
