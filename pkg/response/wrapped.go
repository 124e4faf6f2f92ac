package response

import (
	"errors"
	"fmt"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// isWrapped: {"id","response":<body>}. Some archives keep the body as
// raw_response, or as both, and response wins; evalscope as model_output, ellmer
// as body beside a status, logs as output, outputs or response_body.
func isWrapped(v jsonscan.Value) bool { return wrapped(v).Exists() }

// wrapped is the body that a line holds, or the message in its place, None when it
// holds none.
func wrapped(v jsonscan.Value) jsonscan.Value {
	for _, key := range [...]string{"response", "raw_response", "model_output"} {
		if body := v.Get(key); body.Kind() == jsonscan.Object || body.Kind() == jsonscan.Array {
			return body
		}
	}
	if body := v.Get("body"); body.Kind() >= jsonscan.Array && statusOf(v) > 0 {
		return body
	}
	for _, key := range [...]string{"response_body", "output", "outputs"} {
		if body := v.Get(key); body.Kind() == jsonscan.Object && isReply(body) && shapeOfBody(v) == nil {
			return body
		}
	}
	return jsonscan.Value{}
}

// isReply reports whether an object is a body or a message.
func isReply(v jsonscan.Value) bool {
	return messageIn(v).Exists() || shapeOfBody(v) != nil
}

func readWrapped(p *Parser, v jsonscan.Value) {
	p.envelope(v)
	body := wrapped(v)
	if isGemini(body) {
		p.geminiKey(v)
	}
	p.rec.Status = statusOf(v)
	p.lineError(v)
	if m := messageIn(body); m.Exists() && accepted(p.rec.Status) && shapeOfBody(body) == nil {
		p.keptMessage(v, m)
		return
	}
	p.readBody(body)
}

// statusOf is the HTTP status that stands beside a reply, 0 when none does.
func statusOf(v jsonscan.Value) int {
	for _, key := range [...]string{"status_code", "status"} {
		if n := integer(v.Get(key), 0); n >= 100 && n < 600 {
			return n
		}
	}
	return 0
}

// isResponseText: {"id","status","content_type","response_text"}, the bytes
// of the reply as a string.
func isResponseText(v jsonscan.Value) bool {
	return v.Get("response_text").Kind() == jsonscan.String
}

func readResponseText(p *Parser, v jsonscan.Value) {
	p.envelope(v)
	p.rec.Status = statusOf(v)
	p.lineError(v)
	p.readText(v.Get("response_text").Text(), v.Get("content_type").Text(), "response_text")
}

// isBareBody: the line is what the server sent.
func isBareBody(v jsonscan.Value) bool { return shapeOfBody(v) != nil }

func readBareBody(p *Parser, v jsonscan.Value) {
	p.envelope(v)
	p.knows = shapeOfBody(v).knows
	p.rec.ID = record.AnswerID(v, p.knows(v, []byte("id"), jsonscan.String)) // the server's own is none of ours
	p.readBody(v)
	if isGemini(v) {
		if why := geminiChunk(v); why != "" {
			p.fail(codeStreamCut, "one chunk of a stream ("+why+"); --from chunks reads a file of them as one answer")
		}
	}
}

// isErrorLine: {"id","error":{…}}, a request that got no answer.
func isErrorLine(v jsonscan.Value) bool { return errorOf(v).Exists() }

// isNoResponse: {"id","response":null}, another.
func isNoResponse(v jsonscan.Value) bool { return v.Get("response").Kind() == jsonscan.Null }

func readErrorLine(p *Parser, v jsonscan.Value) {
	p.envelope(v)
	p.geminiKey(v)
	p.rec.Shape = "error"
	p.rec.Status = statusOf(v)
	p.lineError(v)
	p.fail(codeNotCompletion, "no response")
}

// unknownLine says what is there instead of an answer.
func unknownLine(v jsonscan.Value) error {
	switch results := Batch(v).Len(); {
	case isPair(v):
		return errors.New("an array of a request and its response, not an object: jq -c '{request: .[0], response: .[1], meta: .[2]}' makes one")
	case v.Kind() != jsonscan.Object:
		return fmt.Errorf("no archived answer: want an object, not %s", v.Kind())
	case results > 0:
		return fmt.Errorf("a batch of %d results in one document, which --from json reads from a file of its own", results)
	}
	return fmt.Errorf("%w; the keys are %s", ErrUnknown, v.Keys())
}

// isPair reports whether an array is what OpenAI's example of parallel requests
// writes: [request, response] or [request, response, metadata].
func isPair(v jsonscan.Value) bool {
	request, answer := v.Index(0), v.Index(1)
	return request.Get("model").Exists() && (isReply(answer) || answer.Index(0).Kind() == jsonscan.String)
}

// ErrUnknown is in the error of a line that is an object of no known shape.
var ErrUnknown = errors.New("no archived answer of a known shape")

// Shapes names the shapes of lines that are known, for messages.
func Shapes() string {
	var known []string
	for i := range lineShapes {
		known = append(known, lineShapes[i].name)
	}
	return strings.Join(known, ", ")
}
