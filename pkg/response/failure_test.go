package response

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFailures(t *testing.T) {
	f := func(status int, raw, code, message string) {
		t.Helper()
		var p Parser
		r, err := p.Body([]byte(raw), status, "")
		switch {
		case err != nil:
			t.Errorf("%d %s: %v", status, raw, err)
		case r.Failure == nil:
			t.Errorf("%d %s: no failure", status, raw)
		case r.Failure.Code != code || r.Failure.Message != message:
			t.Errorf("%d %s:\n got %s: %s\nwant %s: %s", status, raw, r.Failure.Code, r.Failure.Message, code, message)
		}
	}
	good := `{"choices":[{"message":{"content":"A"},"finish_reason":"stop"}]`

	f(429, `{"error":{"message":"slow down"}}`, "http.429", "slow down")
	f(503, `{"error":{"message":"overloaded","type":"ServerError","code":503}}`, "http.5xx", "overloaded (ServerError, 503)")
	f(500, `Internal Server Error`, "http.5xx", "Internal Server Error")
	f(502, "<html>\r\n<body>Bad  Gateway</body></html>\n", "http.5xx", "<html> <body>Bad Gateway</body></html>")
	f(500, "", "http.5xx", "")
	f(400, `{"object":"error","message":"max_tokens is too large","type":"BadRequestError","code":400}`, "http.4xx", "max_tokens is too large (BadRequestError, 400)")
	f(404, `{"detail":"Not Found"}`, "http.4xx", "Not Found")
	f(422, `{"detail":[{"loc":["body"],"msg":"field required"}]}`, "http.4xx", "field required")
	f(401, `{"error":"no key"}`, "http.4xx", "no key")
	f(400, good+"}", "http.4xx", good+"}")
	f(302, "", "body.not-completion", "")

	for _, words := range []string{
		"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
		"The input (5000 tokens) is longer than the model's context length (4096 tokens).",
		"Requested token count exceeds the model's maximum context length of 4096 tokens.",
		"the request exceeds the available context size, try increasing it",
		"prompt is too long: 210000 tokens > 200000 maximum",
		"input is too long",
	} {
		f(400, `{"error":{"message":"`+words+`"}}`, "context-overflow", words)
		f(200, `{"error":{"message":"`+words+`"}}`, "context-overflow", words)
		f(500, `{"error":{"message":"`+words+`"}}`, "context-overflow", words)
		f(400, words, "context-overflow", words)
		f(200, "data: {\"error\":{\"message\":\""+words+"\"}}\n\n", "context-overflow", words)
		f(429, `{"error":{"message":"`+words+`"}}`, "http.429", words)
	}
	f(400, `{"error":{"message":"too long","code":"context_length_exceeded"}}`, "context-overflow", "too long (context_length_exceeded)")

	f(200, good+`,"error":{"message":"upstream gone","code":502}}`, "body.error", "upstream gone (502)")
	f(200, `{"choices":[{"message":{"content":"A"},"finish_reason":"error","error":{"message":"lost"}}]}`, "body.error", "lost")
	f(200, `<!DOCTYPE html>`, "body.not-completion", "<!DOCTYPE html>")
	f(200, ``, "body.not-completion", "empty body")
	f(200, " \n", "body.not-completion", "empty body")
	f(200, `{"choices":[]}`, "body.not-completion", `no completion: {"choices":[]}`)
	f(200, `{"message":"hello"}`, "body.not-completion", "hello")
	f(200, `[]`, "body.not-completion", "no completion: []")
	f(200, `7`, "body.not-completion", "no completion: 7")
	f(200, `{"choices":[{"message":{"content":"A`, "body.cut", "JSON cut off after 36 bytes")
	f(200, good, "body.cut", "JSON cut off after 63 bytes")
	f(200, good+"} trailing", "body.not-completion", good+"} trailing")

	f(200, "data: [DONE]\n\n", "body.not-completion", "a stream without choices")
	f(200, ": ping\n\n", "stream.cut", "the stream ends after 0 events without a finish reason")
	f(200, "data: {\"choices\":[{\"delta\":{\"content\":\"A\"}}]}\n\n", "stream.cut", "the stream ends after 1 events without a finish reason")
	f(200, "data: {\"choices\":[{\"delta\":{\"content\":\"A\"}}]}\n\ndata: {\"cho", "stream.cut", "the stream ends after 2 events without a finish reason")
	f(200, "data: nonsense\n\ndata: [DONE]\n\n", "stream.error", `event 1 is no JSON: "nonsense"`)
	f(200, "event: error\ndata: {\"message\":\"lost\"}\n\n", "stream.error", "lost")
	f(200, "event: error\ndata: lost\n\n", "stream.error", "lost")
	f(200, "error: {\"code\":500,\"message\":\"slot gone\"}\n\n", "stream.error", "slot gone (500)")
	f(200, "data: {\"choices\":[{\"delta\":{\"content\":\"A\"}}]}\n\n{\"error\":{\"message\":\"bare\"}}\n", "stream.error", "bare")
	f(200, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: {\"error\":{\"message\":\"late\"}}\n\n", "stream.error", "late")
	f(200, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"error\",\"error\":{\"message\":\"in choice\"}}]}\n\n", "stream.error", "in choice")
	// An empty finish reason is none.
	f(200, "data: {\"choices\":[{\"delta\":{\"content\":\"A\"},\"finish_reason\":\"\"}]}\n\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"\"}]}\n\n",
		"stream.cut", "the stream ends after 2 events without a finish reason")
	f(200, "data: {\"text\":\"A\",\"meta_info\":{\"finish_reason\":{\"type\":\"\"}}}\n\n", "stream.cut", "the stream ends after 1 events without a finish reason")
	// One of two answers has not ended.
	f(200, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"},{\"index\":1,\"delta\":{\"content\":\"B\"}}]}\n\n", "stream.cut", "the stream ends after 1 events without a finish reason")
}

// What is no error is none.
func TestNoFailure(t *testing.T) {
	good := `{"choices":[{"message":{"content":"A"},"finish_reason":"stop"}]`
	for _, raw := range []string{
		good + `}`, good + `,"error":null}`, good + `,"error":{}}`, good + `,"error":""}`, good + `,"error":false}`,
		"data: {\"choices\":[{\"delta\":{\"content\":\"A\"},\"finish_reason\":\"stop\"}],\"error\":null}\n\n",
		"data: {\"choices\":[{\"delta\":{\"content\":\"A\"}}]}\n\ndata: [DONE]\n\ndata: nonsense\n\n",
		"\ufeff" + good + "}\r\n",
		"\n\n" + good + "}",
	} {
		var p Parser
		if r, err := p.Body([]byte(raw), 200, ""); err != nil || r.Failure != nil {
			t.Errorf("%s: %v %v", raw, err, r.Failure)
		}
	}
}

func TestShorten(t *testing.T) {
	long := shorten(strings.Repeat("ä", 1000))
	if len(long) > maxMessage+len("…") || !utf8.ValidString(long) || !strings.HasSuffix(long, "…") {
		t.Errorf("got %d bytes: %s", len(long), long)
	}
	if got := shorten("a\n\tb\xff"); got != "a b\uFFFD" {
		t.Errorf("got %q", got)
	}
}

// Bytes that are no UTF-8 do not cost the answer, but leave a mark.
func TestInvalidUTF8(t *testing.T) {
	const want = "chat +invalid-utf8\n0 stop C:content<a\uFFFDb>"
	if got := body("{\"choices\":[{\"message\":{\"content\":\"a\xffb\"},\"finish_reason\":\"stop\"}]}"); got != want {
		t.Errorf("got %s", got)
	}
	if got := body("data: {\"choices\":[{\"delta\":{\"content\":\"a\xffb\"},\"finish_reason\":\"stop\"}]}\n\n"); got != strings.Replace(want, "chat", "chat stream", 1) {
		t.Errorf("got %s", got)
	}
}
