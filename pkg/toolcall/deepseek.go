package toolcall

import "github.com/thinkpipe/thinkpipe/pkg/record"

const deepseekSeparator = "<｜tool▁sep｜>"

// deepseek reads a call, after its first marker: NAME<｜tool▁sep｜>{…} of V3.1,
// or of V3 and R1-0528
//
//	function<｜tool▁sep｜>NAME
//	```json
//	{…}
//	```
func deepseek(p *Parser, c *cursor) bool {
	name, ok := c.until(deepseekSeparator)
	if !ok {
		return false
	}
	start, end := c.Find("```json", c.at)
	if start >= 0 && name.TrimSpace().Equal("function") {
		name = c.Slice(c.at, start)
		c.at = end
	} else {
		start = -1
	}
	call := record.ToolCall{Name: name.TrimSpace()}
	if call.Arguments, ok = p.object(c); !ok || call.Name.Len() == 0 {
		return false
	}
	if start >= 0 {
		c.space()
		c.take("```")
	}
	p.Calls = append(p.Calls, call)
	return true
}
