package toolcall

import "github.com/thinkpipe/thinkpipe/pkg/record"

// mistral reads what follows [TOOL_CALLS]: a list in JSON (up to Large 2407),
// NAME[CALL_ID]ID[ARGS]{…} (Small 3.2) or NAME[ARGS]{…} (since then).
func mistral(p *Parser, c *cursor) bool {
	c.space()
	if c.follows("[") {
		return readJSON(p, c)
	}
	name, ok := c.until("[ARGS]")
	if !ok {
		return false
	}
	call := record.ToolCall{Name: name.TrimSpace()}
	if start, end := name.Find("[CALL_ID]", 0); start >= 0 {
		call.Name, call.ID = name.Slice(0, start).TrimSpace(), name.Slice(end, name.Len()).TrimSpace()
	}
	if call.Arguments, ok = p.object(c); !ok || call.Name.Len() == 0 {
		return false
	}
	p.Calls = append(p.Calls, call)
	return true
}
