package toolcall

// dsml reads the calls of DeepSeek V3.2 and V4, which tell texts from JSON:
//
//	<｜DSML｜invoke name="NAME">
//	<｜DSML｜parameter name="KEY" string="true">VALUE</｜DSML｜parameter>
//	</｜DSML｜invoke>
func dsml(p *Parser, c *cursor) bool {
	known := len(p.Calls)
	for c.space(); c.take(`<｜DSML｜invoke name="`); c.space() {
		name, ok := c.until(`">`)
		if !ok || name.Len() == 0 {
			return false
		}
		call := p.begin(name)
		if !dsmlParameters(c, call) || !call.end() {
			return false
		}
	}
	return len(p.Calls) > known
}

func dsmlParameters(c *cursor, call *arguments) bool {
	const parameter, end = `<｜DSML｜parameter name="`, "</｜DSML｜invoke>"
	for c.space(); c.take(parameter); c.space() {
		key, ok := c.until(`" string="`)
		kind := "string"
		if !c.take(`true">`) {
			kind = "JSON"
			ok = ok && c.take(`false">`)
		}
		if !ok {
			return false
		}
		value, ok := c.untilLast("</｜DSML｜parameter>", parameter, end)
		if !ok {
			return false
		}
		call.typed(key, value, kind)
	}
	return c.take(end)
}
