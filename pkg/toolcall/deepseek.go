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
	name, ok := c.upTo("<｜")
	if !ok || !c.take(deepseekSeparator) {
		return false
	}
	fenced := name.TrimSpace().Equal("function")
	if fenced {
		if name, ok = c.upTo("```"); !ok || !c.take("```json") {
			return false
		}
	}
	call := record.ToolCall{Name: name.TrimSpace()}
	if call.Arguments, ok = p.object(c); !ok || call.Name.Len() == 0 {
		return false
	}
	if c.space(); fenced && !c.take("```") {
		return false
	}
	p.Calls = append(p.Calls, call)
	return true
}
