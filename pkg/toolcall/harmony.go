package toolcall

import (
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// harmony reads a message with a recipient, after its first marker:
//
//	commentary to=functions.NAME <|constrain|>json<|message|>{…}
//
// The recipient may also stand in the part before <|channel|>. See openai/harmony.
func harmony(p *Parser, c *cursor) bool {
	header, ok := c.until("<|message|>")
	name := recipient(header)
	if !ok || name == "" {
		return false
	}
	arguments, ok := p.object(c)
	if !ok {
		return false
	}
	p.Calls = append(p.Calls, record.ToolCall{Name: jsonscan.Quote(name), Arguments: arguments})
	return true
}

// harmonyBegins takes messages with a recipient only.
func harmonyBegins(c cursor, _ bool) bool {
	const longest = 256
	header, ok := c.until("<|message|>")
	return ok && header.Len() <= longest && recipient(header) != ""
}

// recipient is the function that a header names, "" for none.
func recipient(header jsonscan.Text) string {
	_, to, _ := strings.Cut(header.String(), " to=")
	if end := strings.IndexAny(to, " <\n"); end >= 0 {
		to = to[:end]
	}
	return strings.TrimPrefix(to, "functions.")
}
