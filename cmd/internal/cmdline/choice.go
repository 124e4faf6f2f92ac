package cmdline

import (
	"fmt"
	"slices"
	"strings"
)

// Choice is the value of a flag that takes one of a few words, the first of
// them when it is not given.
type Choice struct {
	value string
	words []string
}

// NewChoice is a flag's value; words[0] is the default.
func NewChoice(words ...string) *Choice { return &Choice{value: words[0], words: words} }

// Set takes one of the words.
func (c *Choice) Set(text string) error {
	if !slices.Contains(c.words, text) {
		return fmt.Errorf("not one of %s", strings.Join(c.words, ", "))
	}
	c.value = text
	return nil
}

// String is the chosen word.
func (c *Choice) String() string { return c.value }
