package response

import (
	"encoding/base64"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Our exchange, which is an OpenAI Batch output line with more keys; vLLM,
// Mistral, Groq, Together and DashScope write the same:
//
//	{"id","custom_id","response":{"status_code":200,"body":{…}},"error":null}
//
// Instead of body there may be text or base64, the bytes as they came.

func isExchange(v jsonscan.Value) bool {
	r := v.Get("response")
	if r.Kind() == jsonscan.Object {
		return r.Get("status_code").Exists() || r.Get("body").Exists() || r.Get("base64").Exists() || keepsText(r)
	}
	return v.Get("custom_id").Exists() && !holds(r) && v.Get("error").Exists()
}

// keepsText reports whether a response has its bytes as a text and is none itself:
// bodies of /generate and of Cohere have a text, too.
func keepsText(r jsonscan.Value) bool {
	return r.Get("text").Kind() == jsonscan.String && shapeOfBody(r) == nil
}

func readExchange(p *Parser, v jsonscan.Value) {
	p.envelope(v)
	r := v.Get("response")
	p.rec.Status = statusOf(r)
	if r.Get("headers", "server").Text().Equal(simulator) {
		p.rec.Simulated = true
	}
	p.lineError(v)
	contentType := r.Get("headers", "content-type").Text()
	switch body := r.Get("body"); {
	case body.Kind() == jsonscan.String: // not parsed by who archived it
		p.readText(body.Text(), contentType, "response.body")
	case holds(body):
		p.readBody(body)
	case r.Get("base64").Kind() == jsonscan.String:
		p.readBase64(r.Get("base64").Text(), contentType)
	case r.Get("text").Kind() == jsonscan.String:
		p.readText(r.Get("text").Text(), contentType, "response.text")
	case !accepted(p.rec.Status):
		p.fail(codeOf(p.rec.Status), "no body")
	default:
		p.fail(codeNotCompletion, "no response")
	}
}

// holds reports whether v is there and not null.
func holds(v jsonscan.Value) bool { return v.Kind() > jsonscan.Null }

// envelope reads what an archive keeps around a reply.
func (p *Parser) envelope(v jsonscan.Value) {
	r := &p.rec
	r.ID = record.AnswerID(v, false)
	r.Sample = p.ordinal(v, "sample")
	r.Turn = p.ordinal(v, "turn")
	r.Attempt = max(integer(v.Get("attempt"), 0), 0)
	r.Retried, _ = v.Get("retried").Bool()
	probe, _ := v.Get("probe").Bool()
	r.Probe = probe && r.Retried
	r.Dead, _ = v.Get("dead").Bool()
	r.Epoch = max(integer(v.Get("server_epoch"), 0), 0)
	r.Continues = record.ReadPart(v.Get("continues"))
	p.request(v)
}

// readText understands a body that was kept as the text at path of the line.
func (p *Parser) readText(t, contentType jsonscan.Text, path string) {
	p.textPath = path
	p.raw = t.AppendTo(p.raw[:0])
	p.readRaw(p.raw, contentType.Raw)
}

func (p *Parser) readBase64(t, contentType jsonscan.Text) {
	p.scratch = t.AppendTo(p.scratch[:0])
	raw, err := base64.StdEncoding.AppendDecode(p.raw[:0], p.scratch)
	p.raw = raw
	if err != nil {
		p.fail(codeNotCompletion, "response.base64: "+err.Error())
		return
	}
	p.readRaw(raw, contentType.Raw)
}

// lineError reads the error that an archive keeps beside a reply:
// {"code":"stream.cut","message":…} of ours, {"code":"batch_expired",…} of a
// batch, or just a text. A code of others stands in the message.
func (p *Parser) lineError(v jsonscan.Value) {
	e := errorOf(v)
	if !e.Exists() {
		return
	}
	code := e.Get("code")
	switch status := integer(code, p.rec.Status); {
	case ours(code.Text()):
		p.fail(code.Text().String(), words(e))
	case !accepted(status) && status >= 100: // others count their errors from 1
		p.failWith(codeOf(status), e)
	default:
		p.failWith(codeBodyError, e)
	}
}

// archivedCodes are the codes of contract §4 that gen archives.
var archivedCodes = [...]string{
	"connect", "dns", "tls", codeTooMany, codeServer, codeClient, codeOverflow,
	"timeout.connect", "timeout.first-byte", "timeout.idle", "timeout.total",
	codeStreamCut, codeStreamError, codeBodyCut, codeBodyError, codeNotCompletion, "aborted",
}

func ours(code jsonscan.Text) bool {
	for _, c := range archivedCodes {
		if code.Equal(c) {
			return true
		}
	}
	return false
}
