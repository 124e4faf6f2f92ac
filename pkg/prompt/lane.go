package prompt

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// Condition decides which prompts belong to the long lane: more characters than
// a number, or a field with a value.
type Condition struct {
	chars int // > 0: what is asked has more characters
	path  []string
	value string
}

// ParseCondition reads "chars>N" or "FIELD=VALUE"; FIELD may be a dotted path.
func ParseCondition(s string) (Condition, error) {
	if n, ok := strings.CutPrefix(s, "chars>"); ok {
		chars, err := strconv.Atoi(n)
		if err != nil || chars < 0 {
			return Condition{}, fmt.Errorf("%q: chars>N needs a whole number", s)
		}
		return Condition{chars: chars}, nil
	}
	field, value, ok := strings.Cut(s, "=")
	if !ok || field == "" {
		return Condition{}, fmt.Errorf("%q is neither chars>N nor FIELD=VALUE", s)
	}
	return Condition{path: strings.Split(field, "."), value: value}, nil
}

// NeedsPrompt reports whether what is asked decides, and not a field alone.
func (c *Condition) NeedsPrompt() bool { return c.path == nil }

// Match reports whether a prompt, and the line it was read from, fulfil the condition.
func (c *Condition) Match(p *Prompt, line jsonscan.Value) bool {
	if c.path == nil {
		return p.Asked.chars() > c.chars
	}
	v := line.Get(c.path...)
	if v.Kind() == jsonscan.String {
		return v.Text().Equal(c.value)
	}
	return v.Exists() && string(v.Raw()) == c.value
}

// chars counts the characters of what is asked: of the text, of the contents of
// all messages or items, or token ids as four characters each.
func (a *Asked) chars() int {
	if a.HasText {
		return runes(a.Text)
	}
	var d jsonscan.Doc
	if a.InputIDs != nil && d.Scan(a.InputIDs) == nil {
		return 4 * d.Root().Len()
	}
	n := 0
	for _, list := range [...][]byte{a.Messages, a.Items} {
		if d.Scan(list) != nil {
			continue
		}
		for _, m := range d.Root().Elements() {
			n += contentRunes(m.Get("content")) + contentRunes(m.Get("output"))
		}
	}
	return n
}

func contentRunes(content jsonscan.Value) int {
	n := runes(content.Text())
	for _, part := range content.Elements() {
		n += runes(part.Get("text").Text())
	}
	return n
}

func runes(t jsonscan.Text) int { return utf8.RuneCount(t.AppendTo(nil)) }
