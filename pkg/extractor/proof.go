package extractor

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// Proof counts what was held against the archive.
type Proof struct {
	Hashes int64 // requests and responses whose sha256 is that of their bytes
	Texts  int64 // texts of answers that stand where they are said to, and that the segments add up to
	Bytes  int64 // of them, as they stand in the archive
	Calls  int64 // tool calls that the server read, as they stand there
	Apart  int64 // samples that do not stand in their line: they passed through, or go on from another one
}

// Add adds the counts of u.
func (p *Proof) Add(u Proof) {
	p.Hashes += u.Hashes
	p.Texts += u.Texts
	p.Bytes += u.Bytes
	p.Calls += u.Calls
	p.Apart += u.Apart
}

// Prover holds results against the lines they came from. It reads lines by
// itself, as plainly as it can, and is not safe for concurrent use.
type Prover struct {
	raw, joined []byte
	body        jsonscan.Doc // or one event of a stream
}

// Prove checks a line and its result, made with Config.Segments:
//
//   - the sha256 of request and response are those of their bytes;
//   - the segments of a sample add up to the texts of the answer, refusal included;
//   - a second reading of the answer finds the same texts where they are said to
//     come from, and no others;
//   - the tool calls that the server read are those of that reading;
//   - reasoning and content are the segments of their kinds, but for white space
//     at both ends when trimmed.
//
// The error says what does not hold. Samples that passed through have nothing
// to be held against.
func (p *Prover) Prove(line jsonscan.Value, r *Result, trimmed bool) (done Proof, err error) {
	for _, part := range [...]string{"request", "response"} {
		n, err := p.hash(line, part)
		if done.Hashes += n; err != nil {
			return done, err
		}
	}
	if r.Through {
		done.Apart = int64(len(r.Samples))
		return done, nil
	}
	for i := range r.Samples {
		c := &r.Record.Choices[i]
		if err := p.sample(&r.Samples[i], c, trimmed); err != nil {
			return done, err
		}
		if r.Record.Continues.ID != "" {
			done.Apart++
			continue
		}
		done.Calls += int64(len(c.ToolCalls))
		done.Texts += int64(len(c.Segments))
		for _, g := range c.Segments {
			done.Bytes += int64(g.Text.Len())
		}
		if err := p.reread(line, r.Record, i); err != nil {
			return done, err
		}
	}
	return done, nil
}

// sample checks that a sample is what was read of its answer.
func (p *Prover) sample(s *record.Sample, c *response.Choice, trimmed bool) error {
	if err := p.adds(s, c); err != nil {
		return err
	}
	if len(c.ToolCalls) > 0 && !slices.EqualFunc(s.ToolCalls, c.ToolCalls, sameCall) {
		return errNotTheCalls
	}
	return p.texts(s, trimmed)
}

// hash checks the sha256 of a part of an exchange, when there is one.
func (p *Prover) hash(line jsonscan.Value, part string) (int64, error) {
	want := line.Get(part, "sha256")
	switch {
	case !want.Exists():
		return 0, nil
	case want.Kind() != jsonscan.String:
		return 0, fmt.Errorf("%s.sha256 is no string: %.80s", part, want.Raw())
	}
	raw, err := p.received(line.Get(part))
	if err != nil {
		return 0, fmt.Errorf("%s.sha256 %w", part, err)
	}
	sum := sha256.Sum256(raw)
	if got := hex.EncodeToString(sum[:]); !want.Text().Equal(got) {
		return 0, fmt.Errorf("%s.sha256 is %.80q, that of the bytes is %s", part, want.Text().String(), got)
	}
	return 1, nil
}

// received are the bytes of an archived request or response.
func (p *Prover) received(v jsonscan.Value) ([]byte, error) {
	if body := v.Get("body"); body.Exists() {
		return body.Raw(), nil
	}
	if text := v.Get("text"); text.Kind() == jsonscan.String {
		p.raw = text.Text().AppendTo(p.raw[:0])
		return p.raw, nil
	}
	var err error
	if v.Get("base64").Kind() != jsonscan.String {
		return nil, errors.New("stands beside no bytes")
	}
	p.raw, err = base64.StdEncoding.AppendDecode(p.raw[:0], v.Get("base64").Text().AppendTo(nil))
	return p.raw, err
}

// adds checks that the segments of a sample are the texts of an answer.
func (p *Prover) adds(s *record.Sample, c *response.Choice) error {
	p.joined = p.joined[:0]
	for _, g := range s.Segments {
		p.joined = append(p.joined, g.Text.Raw...)
	}
	rest := p.joined
	for n := range len(c.Segments) + 1 {
		t := c.Refusal
		if n < len(c.Segments) {
			t = c.Segments[n].Text
		}
		if !bytes.HasPrefix(rest, t.Raw) {
			return fmt.Errorf("text %d of the answer is not what its segments add up to", n)
		}
		rest = rest[t.Len():]
	}
	if len(rest) > 0 {
		return fmt.Errorf("the segments hold %d bytes more than the answer", len(rest))
	}
	return nil
}

// texts checks that reasoning and content are the segments of their kinds.
func (p *Prover) texts(s *record.Sample, trimmed bool) error {
	thought := record.SegmentReasoning
	if s.Status == string(reasoning.Summary) {
		thought = record.SegmentSummary
	}
	for _, f := range [...]struct {
		name  string
		kinds [2]string
		text  jsonscan.Text
	}{
		{"reasoning", [2]string{thought}, s.Reasoning},
		{"content", [2]string{record.SegmentContent, record.SegmentRefusal}, s.Content},
	} {
		p.joined = p.joined[:0]
		for _, g := range s.Segments {
			if g.Kind == f.kinds[0] || g.Kind == f.kinds[1] {
				p.joined = append(p.joined, g.Text.Raw...)
			}
		}
		if trimmed {
			p.joined = jsonscan.Text{Raw: p.joined}.TrimSpace().Raw
		}
		if !bytes.Equal(p.joined, f.text.Raw) {
			return fmt.Errorf("%s is not what its segments add up to", f.name)
		}
	}
	return nil
}

func sameCall(a, b record.ToolCall) bool {
	return bytes.Equal(a.ID.Raw, b.ID.Raw) && bytes.Equal(a.Name.Raw, b.Name.Raw) && bytes.Equal(a.Arguments.Raw, b.Arguments.Raw)
}
