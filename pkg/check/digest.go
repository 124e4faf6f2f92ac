package check

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// Digest is what an [Account] needs of an answer: hashes of 64 bits. Of n
// answers two are taken for one with a probability of about n²/2⁶⁵.
type Digest struct {
	Prompt  uint64 // of the id; 0 for none
	Request uint64 // of id and sample
	Slot    uint64 // of id, sample and choice; equals Request in choice 0
	Answer  uint64 // of id, sample, choice and turn; equals Slot in turn 0
	First   uint64 // Answer of the prompt's first sample and choice in the same turn
	Content uint64 // of what was answered, at least 2
	Turn    int
	Model   []byte // as it stands in the line; valid as long as that
	Epoch   int    // server epoch, 0 unknown
	Blank   bool   // there is no text and no call

	Continued bool // it is the whole of an answer that was cut
}

// Digester makes digests. Copies of a Digester make comparable ones; each
// goroutine needs a copy of its own.
type Digester struct {
	hash record.Hasher
	buf  []byte
	text []byte
}

// NewDigester returns a Digester with a random seed.
func NewDigester() Digester { return Digester{hash: record.NewHasher()} }

// Prompt is the hash of a prompt's id, 0 for none.
func (d *Digester) Prompt(id record.ID) uint64 {
	if id.IsZero() {
		return 0
	}
	return max(1, d.hash.Hash(record.Key{ID: id}))
}

// Bytes is the hash of any bytes.
func (d *Digester) Bytes(b []byte) uint64 { return d.hash.Bytes(b) }

// Answer is the hash of what one answer answers, the Answer of its digest.
func (d *Digester) Answer(k record.Key, choice int) uint64 {
	d.buf = strconv.AppendInt(d.buf[:0], int64(choice), 10)
	return d.hash.Bytes(k.Append(append(d.buf, '/')))
}

// Of is the digest of a sample.
func (d *Digester) Of(s *record.Sample, epoch int) Digest {
	digest := Digest{
		Prompt: d.Prompt(s.ID), Turn: s.Turn, Content: d.content(s), Model: s.Model.Raw, Epoch: epoch,
		Blank:     s.Reasoning.Len() == 0 && s.Content.Len() == 0 && len(s.ToolCalls) == 0,
		Continued: slices.Contains(s.Extract.Flags, response.FlagContinued),
	}
	if digest.Prompt == 0 {
		return digest
	}
	digest.Request = d.Answer(record.Key{ID: s.ID, Sample: s.Sample}, 0)
	digest.Slot = digest.Request
	if s.Choice != 0 {
		digest.Slot = d.Answer(record.Key{ID: s.ID, Sample: s.Sample}, s.Choice)
	}
	digest.Answer = digest.Slot
	if s.Turn != 0 {
		digest.Answer = d.Answer(record.Key{ID: s.ID, Sample: s.Sample, Turn: s.Turn}, s.Choice)
	}
	digest.First = digest.Answer
	if s.Sample != 0 || s.Choice != 0 {
		digest.First = d.Answer(record.Key{ID: s.ID, Turn: s.Turn}, 0)
	}
	return digest
}

// content hashes the texts, whatever way they are spelled in JSON.
func (d *Digester) content(s *record.Sample) uint64 {
	d.buf = d.buf[:0]
	d.add(s.Reasoning)
	d.add(s.Content)
	for i := range s.ToolCalls {
		d.add(s.ToolCalls[i].Name)
		d.add(s.ToolCalls[i].Arguments)
	}
	return max(firstContent, d.hash.Bytes(d.buf))
}

// add hashes the text as our own writer spells it, which is mostly as it stands.
func (d *Digester) add(t jsonscan.Text) {
	raw := t.Raw
	if t.Flags&(jsonscan.HidesASCII|jsonscan.HidesOther) != 0 {
		d.text = appendUsual(d.text[:0], raw)
		raw = d.text
	}
	d.buf = binary.LittleEndian.AppendUint64(d.buf, d.hash.Bytes(raw))
}

// appendUsual appends a text with one spelling of each character: the short
// escapes of JSON where there is one, \u00xx for the other control characters,
// \udxxx for lone surrogates, the character itself for everything else.
func appendUsual(dst, raw []byte) []byte {
	for {
		k := bytes.IndexByte(raw, '\\')
		if k < 0 {
			return append(dst, raw...)
		}
		dst, raw = append(dst, raw[:k]...), raw[k:]
		n := 2
		switch raw[1] {
		case '/':
			dst = append(dst, '/')
		case 'u':
			var r rune
			r, n = escapedRune(raw)
			dst = appendRune(dst, r)
		default:
			dst = append(dst, raw[:2]...)
		}
		raw = raw[n:]
	}
}

// escapedRune is the character of the \uHHHH that raw begins with, or of a pair of them.
func escapedRune(raw []byte) (r rune, n int) {
	r = hexRune(raw[2:])
	if isPair(r, raw[6:]) {
		return utf16.DecodeRune(r, hexRune(raw[8:])), 12
	}
	return r, 6
}

func appendRune(dst []byte, r rune) []byte {
	const short = "\"\\\n\t\r\b\f"
	if i := strings.IndexRune(short, r); i >= 0 {
		return append(dst, '\\', `"\ntrbf`[i])
	}
	if r < ' ' || utf16.IsSurrogate(r) {
		return fmt.Appendf(dst, `\u%04x`, r)
	}
	return utf8.AppendRune(dst, r)
}
