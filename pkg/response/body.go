package response

import (
	"bytes"
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// readRaw understands the bytes of a response.
func (p *Parser) readRaw(raw, contentType []byte) {
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	switch {
	case len(bytes.TrimSpace(raw)) == 0 && accepted(p.rec.Status):
		p.fail(codeNotCompletion, "empty body")
	case accepted(p.rec.Status) && looksLikeEvents(raw, contentType):
		p.readEvents(raw)
	default:
		p.readJSON(raw)
	}
}

// readJSON understands a body that is one JSON value, or JSON lines.
func (p *Parser) readJSON(raw []byte) {
	err := p.scan(&p.body, &raw)
	switch {
	case err == nil:
		p.readBody(p.body.Root())
		p.noteDuplicate(p.body.Duplicate())
	case !accepted(p.rec.Status):
		p.failWithText(codeOf(p.rec.Status), raw)
	case p.looksLikeLines(raw):
		p.readLines(raw)
	case opensJSON(raw) && cutAt(err, len(raw)):
		p.fail(codeBodyCut, fmt.Sprintf("JSON cut off after %d bytes", len(raw)))
	case p.textPath != "" && !opensJSON(raw) && !opensHTML(raw):
		p.fail(codeNotCompletion, fmt.Sprintf("the text is no response body: %s (if it is the answer itself: --text-field %s)",
			shortenTo(maxMessage*2/3, string(raw[:min(len(raw), 5*maxMessage)])), p.textPath))
	default:
		p.failWithText(codeNotCompletion, raw)
	}
}

func (p *Parser) failWithText(code string, raw []byte) {
	message := shorten(string(raw[:min(len(raw), 5*maxMessage)]))
	if code != codeTooMany && code != codeNotCompletion && overflows(message) {
		code = codeOverflow
	}
	p.fail(code, message)
}

// scan scans a body or event. Bytes that are no UTF-8 become U+FFFD, which
// leaves a mark that cannot be taken for the model's text: samples are UTF-8.
func (p *Parser) scan(d *jsonscan.Doc, raw *[]byte) error {
	err := d.Scan(*raw)
	if fault, ok := err.(*jsonscan.SyntaxError); ok && fault.UTF8 {
		p.flag(FlagInvalidUTF8)
		*raw = bytes.ToValidUTF8(*raw, []byte("\ufffd"))
		err = d.Scan(*raw)
	}
	return err
}

// cutAt reports whether a syntax error is that the bytes end too early.
func cutAt(err error, length int) bool {
	fault, ok := err.(*jsonscan.SyntaxError)
	return ok && fault.Offset >= length
}

// opensJSON reports whether raw begins like an object or an array.
func opensJSON(raw []byte) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && (raw[0] == '{' || raw[0] == '[')
}

// opensHTML reports whether raw is a page and not what a model wrote.
func opensHTML(raw []byte) bool {
	raw = bytes.ToLower(bytes.TrimSpace(raw[:min(len(raw), 100)]))
	return bytes.HasPrefix(raw, []byte("<!doctype")) || bytes.HasPrefix(raw, []byte("<html"))
}

// readBody understands a body that was scanned.
func (p *Parser) readBody(v jsonscan.Value) {
	e := errorOf(v)
	if !accepted(p.rec.Status) {
		if !e.Exists() {
			e = v
		}
		p.failWith(codeOf(p.rec.Status), e)
		return
	}
	if e.Exists() {
		p.failWith(codeBodyError, e)
	}
	s := shapeOfBody(v)
	if s == nil {
		p.fail(codeNotCompletion, notCompletion(v))
		return
	}
	p.rec.Shape = s.name
	s.read(p, v)
	if len(p.rec.Choices) == 0 {
		p.fail(codeNotCompletion, "no choices")
	}
}

// notCompletion is what to say of JSON that is no completion.
func notCompletion(v jsonscan.Value) string {
	if v.Kind() == jsonscan.Array && v.Index(0).Kind() == jsonscan.String {
		return fmt.Sprintf("a list of %d texts and no body: --text-field PATH takes it for as many answers", v.Len())
	}
	if w := words(v); w != "" {
		return w
	}
	return "no completion: " + string(v.Raw()[:min(len(v.Raw()), 5*maxMessage)])
}
