package check

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// moreMarkers are markers that no family's table holds: delimiters of calls
// (Hermes, Qwen3-Coder, GLM, Mistral, Gemma), and chat templates' tokens that
// do not look like <|name|>, which all count.
var moreMarkers = []string{
	"</tool_call>", "<tool_call|>", "<|tool_call>", "<|channel>", "<channel|>",
	"<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>",
	"</minimax:tool_call>", "</seed:tool_call>", "</TOOLCALL>",
	"<seed:cot_budget_reflect>", "</seed:cot_budget_reflect>",
	"<ifm|think>", "</ifm|think>", "<longcat_think>", "</longcat_think>",
	"<start_of_turn>", "<end_of_turn>", "[TOOL_CALLS]", "[THINK]", "[/THINK]", "[gMASK]",
	"[INST]", "[/INST]",
	"<|turn>", "<turn|>", "<seed:bos>", "<seed:eos>", "[e~[", "[|endofturn|]", "[|assistant|]", "[|user|]", "[|system|]",
}

// endTokens end an answer that was sent with its special tokens. Elsewhere they are
// HTML, or what a text about models speaks of.
var endTokens = []string{"</s>", "<eos>", "[EOS]"}

// leakedMarker finds the first marker that stands in the text as itself. One
// that is quoted, as in an answer about formats, is text; see [reasoning.Quotes].
// Where that is only likely it is soft. At the very beginning or end of a text
// nothing is quoted. So is a <|name|> of no family that the prompt uses, too: a
// format that the user asked for.
func leakedMarker(c *Checker, s *record.Sample) (found hit) {
	for i, p := range texts(s) {
		see := &c.sights[i]
		see.look(p.text)
		start, end, sure := c.markers.leaked(see, s.Messages)
		if at, n := c.markers.ending(see); !sure && n > 0 {
			start, end, sure = at, at+n, true
		}
		if start < 0 || !sure && found.detail != "" {
			continue
		}
		found = hit{
			detail: fmt.Sprintf("%q in %s, byte %d", see.text[start:end], p.name, start),
			soft:   !sure,
			mark:   mark{part: p.name, text: see.text, start: start, end: end, decoded: see.decoded},
		}
		if sure {
			return found
		}
	}
	if found.detail != "" {
		return found
	}
	return leftovers(s)
}

// sight is a text with markers spelled one way only: as it stands in its line
// where that is sure, else decoded.
type sight struct {
	text    []byte
	decoded bool
	raw     jsonscan.Text
	buf     []byte
}

func (s *sight) look(t jsonscan.Text) {
	hidden := t.Flags&jsonscan.HidesASCII != 0
	if !hidden && t.Flags&jsonscan.HidesOther != 0 {
		hidden = bytes.Contains(t.Raw, []byte(`<\u`)) || // <｜ of DeepSeek
			bytes.Contains(t.Raw, []byte(`\u25c1`)) || bytes.Contains(t.Raw, []byte(`\u25C1`)) // ◁
	}
	s.text, s.decoded, s.raw = t.Raw, hidden, t
	if hidden {
		s.buf = t.AppendTo(s.buf[:0])
		s.text = s.buf
	}
}

// form is the text for package reasoning.
func (s *sight) form() reasoning.Text {
	if s.decoded {
		return reasoning.Plain(s.text)
	}
	return &s.raw
}

// markers finds markers by their first two bytes.
type markers struct {
	by     [256][]string
	ignore []string
}

func newMarkers(p Params) *markers {
	m := &markers{ignore: p.Ignore}
	for f := range reasoning.Families() {
		m.add(f.Open)
		m.add(f.Close)
		for _, t := range f.Tools {
			m.add(t)
		}
	}
	for _, marker := range slices.Concat(moreMarkers, p.Markers) {
		m.add(marker)
	}
	return m
}

// add takes a marker that begins as one: a phrase such as Granite's "Here is my
// thought process:" is text.
func (m *markers) add(marker string) {
	if len(marker) < 3 || !slices.Contains(leads, marker[0]) {
		return
	}
	at := m.slot(marker[0], marker[1])
	if !slices.Contains(m.by[at], marker) {
		m.by[at] = append(m.by[at], marker)
	}
}

// leads are the bytes that a marker may begin with: '<', '[' and the first of "◁".
var leads = []byte{'<', '[', "◁"[0]}

// leaked is where a marker stands that is neither quoted nor asked for, the first
// that surely is not, else the first of the others; start is -1 when there is none.
func (m *markers) leaked(s *sight, prompt []byte) (start, end int, sure bool) {
	start = -1
	for _, lead := range leads {
		quotes := quotation{sight: s}
		for at := 0; ; at++ {
			k := m.next(s.text[at:], lead)
			if k < 0 {
				break
			}
			at += k
			n := m.match(s.text[at:], prompt)
			if n == 0 {
				continue
			}
			switch quoted, sure := quotes.hold(at, at+n); {
			case !quoted:
				return at, at + n, true
			case !sure && start < 0:
				start, end = at, at+n
			}
		}
	}
	return start, end, false
}

// ending is the token with which a text ends, n being 0 for none.
func (m *markers) ending(s *sight) (at, n int) {
	text := bytes.TrimSpace(s.text)
	if !s.decoded {
		text = s.raw.TrimSpace().Raw
	}
	for _, token := range endTokens {
		opened := token == "</s>" && bytes.Contains(text, []byte("<s>"))
		if bytes.HasSuffix(text, []byte(token)) && !opened && !m.ignores([]byte(token)) {
			return bytes.LastIndex(s.text, []byte(token)), len(token)
		}
	}
	return -1, 0
}

// next is where lead stands next. The third lead begins many characters, so
// all of "◁" is looked for.
func (m *markers) next(text []byte, lead byte) int {
	if lead < 0x80 {
		return bytes.IndexByte(text, lead)
	}
	return bytes.Index(text, []byte("◁"))
}

// match is the length of the marker that text begins with, 0 for none.
func (m *markers) match(text, prompt []byte) int {
	if len(text) < 3 || m.ignores(text) {
		return 0
	}
	for _, marker := range m.by[m.slot(text[0], text[1])] {
		if len(text) >= len(marker) && string(text[:len(marker)]) == marker {
			return len(marker)
		}
	}
	n := specialToken(text)
	if n > 0 && bytes.Contains(prompt, text[:n]) {
		return 0
	}
	return n
}

// ignores reports whether text begins with a marker that is text here.
func (m *markers) ignores(text []byte) bool {
	for _, marker := range m.ignore {
		if bytes.HasPrefix(text, []byte(marker)) {
			return true
		}
	}
	return false
}

// slot is the place of markers by their first two bytes. Others may share it.
func (m *markers) slot(first, second byte) byte { return first&0x40<<1 ^ second }

const (
	shortestToken = 3 // <|x|> is the mean of |x| to a physicist
	longestToken  = 64
)

// specialToken is the length of a token such as <|im_end|> or DeepSeek's
// <｜end▁of▁sentence｜> that text begins with, 0 for none.
func specialToken(text []byte) int {
	switch {
	case text[0] != '<':
	case text[1] == '|':
		return asciiToken(text)
	case text[1] == "｜"[0]:
		return wideToken(text)
	}
	return 0
}

func asciiToken(text []byte) int {
	for i := 2; i+1 < min(len(text), longestToken); i++ {
		switch c := text[i]; {
		case c == '|' && i-2 >= shortestToken && text[i+1] == '>':
			return i + 2
		case !isNameByte(c):
			return 0
		}
	}
	return 0
}

func wideToken(text []byte) int {
	rest, ok := bytes.CutPrefix(text[:min(len(text), longestToken)], []byte("<｜"))
	end := bytes.Index(rest, []byte("｜>"))
	if !ok || end <= 0 || bytes.IndexByte(rest[:end], '<') >= 0 {
		return 0
	}
	return len("<｜") + end + len("｜>")
}

func isNameByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == ':' || c == '.'
}
