package check

import (
	"errors"
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
	"github.com/thinkpipe/thinkpipe/pkg/toolcall"
)

// badToolCall finds the first bad call, and markup of calls that extract could
// not read. What was cut in an answer which fails for being cut is that finding's effect.
func badToolCall(c *Checker, s *record.Sample) hit {
	switch {
	case has(s, response.FlagMalformedCalls):
		return hit{detail: "tool_calls holds what is no call"}
	case has(s, toolcall.FlagUnparsed):
		return hit{detail: "markup of a call was not read, extract --segments shows it"}
	case has(s, toolcall.FlagMalformed) && !c.explained:
		return hit{detail: "markup of a call is malformed, extract --segments shows it"}
	}
	for i := range s.ToolCalls {
		if why := c.badCall(&s.ToolCalls[i]); why != "" {
			return hit{detail: fmt.Sprintf("call %d (%s): %s", i+1, quoted(s.ToolCalls[i].Name), why)}
		}
	}
	if has(s, response.FlagTwiceInCall) {
		return hit{detail: "a duplicate key in the arguments"}
	}
	return hit{}
}

func (c *Checker) badCall(call *record.ToolCall) (why string) {
	if IsBlank(call.Name) {
		return "no name"
	}
	c.buf = call.Arguments.AppendTo(c.buf[:0])
	if err := c.doc.Scan(c.buf); err != nil {
		return c.badArguments(err)
	}
	if k := c.doc.Root().Kind(); k != jsonscan.Object {
		return "arguments are not an object but " + article(k)
	}
	if path := c.doc.AnyDuplicate(); path != "" {
		return fmt.Sprintf("duplicate key %.80q in the arguments", path)
	}
	return ""
}

func (c *Checker) badArguments(err error) string {
	var syntax *jsonscan.SyntaxError
	switch {
	case len(c.buf) == 0:
		return "arguments are empty"
	case errors.As(err, &syntax) && syntax.Offset >= len(c.buf):
		if c.explained {
			return ""
		}
		return fmt.Sprintf("arguments are cut after %d bytes", len(c.buf))
	}
	return fmt.Sprintf("arguments are not JSON: %v", err)
}

func article(k jsonscan.Kind) string {
	switch k {
	case jsonscan.Array:
		return "an array"
	case jsonscan.String, jsonscan.Number:
		return "a " + k.String()
	}
	return k.String()
}
