package check

import "github.com/thinkpipe/thinkpipe/pkg/reasoning"

// quotation says of places in a text, asked in order, whether they are quoted.
type quotation struct {
	*sight
	form   reasoning.Text // nil until somebody asks
	quotes reasoning.Quotes
}

// hold reports whether what stands from start to end is quoted, and whether that is sure.
func (q *quotation) hold(start, end int) (quoted, sure bool) {
	if isBlankText(q.text[:start]) || isBlankText(q.text[end:]) {
		return false, true
	}
	if q.form == nil {
		q.form = q.sight.form()
	}
	return q.quotes.Quoted(q.form, start, end)
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
