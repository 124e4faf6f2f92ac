package check

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
)

// quotation says of places in a text, asked in order, whether they are quoted as
// package reasoning sees it, so that what extract leaves for text passes.
type quotation struct {
	text   []byte // decoded, or as it stands in JSON
	raw    bool   // the latter
	form   reasoning.Text
	quotes reasoning.Quotes
}

// hold reports whether what stands from start to end is quoted.
func (q *quotation) hold(start, end int) bool {
	if isBlankText(q.text[:start]) || isBlankText(q.text[end:]) {
		return false
	}
	switch {
	case q.form != nil:
	case q.raw:
		q.form = &jsonscan.Text{Raw: q.text, Flags: jsonscan.Escaped}
	default:
		q.form = reasoning.Plain(q.text)
	}
	return q.quotes.Surely(q.form, start, end)
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
