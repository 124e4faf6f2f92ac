package check

import "bytes"

// quotation says of places in a text, asked in order, whether they are quoted.
// The text is decoded, or escaped as in JSON: a line end is then `\n`, a
// quotation mark `\"`.
type quotation struct {
	text    []byte
	counted int // up to here
	fences  int // that begin or end a fenced block
}

var fence = []byte("```")

// hold reports whether what stands from start to end is quoted.
func (q *quotation) hold(start, end int) bool {
	before, after := q.text[:start], q.text[end:]
	if isBlankText(before) || isBlankText(after) {
		return false
	}
	q.fences += bytes.Count(q.text[q.counted:start], fence)
	q.counted = start
	return q.fences%2 == 1 || enclosed(before, after) || inCodeSpan(before, after)
}

// pairs are what quotes: the ends of what stands before, the beginnings of what follows.
var pairs = [...][2]string{
	{`"`, `"`}, {`\"`, `\"`}, {"'", "'"}, {"`", "`"}, {"(", ")"},
	{"“", "”"}, {"‘", "’"}, {"«", "»"}, {"„", "“"}, {"「", "」"}, {"『", "』"}, {"（", "）"},
}

func enclosed(before, after []byte) bool {
	for _, p := range pairs {
		if bytes.HasSuffix(before, []byte(p[0])) && bytes.HasPrefix(after, []byte(p[1])) {
			return true
		}
	}
	return false
}

// inCodeSpan looks at the line only, and of a long one at its neighbourhood.
func inCodeSpan(before, after []byte) bool {
	const far = 400
	before = before[max(0, len(before)-far):]
	after = after[:min(far, len(after))]
	for _, end := range [...]string{"\n", `\n`} {
		if i := bytes.LastIndex(before, []byte(end)); i >= 0 {
			before = before[i+len(end):]
		}
		if i := bytes.Index(after, []byte(end)); i >= 0 {
			after = after[:i]
		}
	}
	return bytes.Count(before, []byte("`"))%2 == 1 && bytes.IndexByte(after, '`') >= 0
}

// isBlankText reports whether there is only white space, raw or escaped.
func isBlankText(text []byte) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ' ', '\n', '\t', '\r':
			continue
		case '\\':
			if i++; i < len(text) && (text[i] == 'n' || text[i] == 't' || text[i] == 'r') {
				continue
			}
		}
		return false
	}
	return true
}
