package response

import "github.com/thinkpipe/thinkpipe/pkg/jsonscan"

// requestFields hold what was asked in the bodies of requests; the last one, of
// SGLang's /generate, is an answer in other lines.
var requestFields = [...]string{"messages", "prompt", "input", "question", "text"}

// request reads the archived request: request.body of an exchange, request itself,
// NeMo Gym's responses_create_params, what logs call input, or the line when it holds
// a request's fields.
func (p *Parser) request(v jsonscan.Value) {
	q := v.Get("request")
	if p.rec.RequestSHA256 = q.Get("fingerprint").Text(); len(p.rec.RequestSHA256.Raw) == 0 {
		p.rec.RequestSHA256 = q.Get("sha256").Text()
	}
	if body := q.Get("body"); body.Kind() == jsonscan.Object {
		p.rec.Request = body
		p.rec.Messages, _ = p.asked(body, requestFields[:])
		return
	}
	for _, key := range [...]string{"request", "responses_create_params", "request_body", "input", "inputs"} {
		if body := v.Get(key); body.Kind() == jsonscan.Object {
			if messages, _ := p.asked(body, requestFields[:]); messages != nil {
				p.rec.Request, p.rec.Messages, p.askedKey = body, messages, key
				return
			}
		}
	}
	if messages, key := p.asked(v, requestFields[:len(requestFields)-1]); messages != nil {
		p.rec.Request, p.rec.Messages, p.askedKey = v, messages, key
	}
}

// asked is the array of messages in a request, nil when it holds none, and its
// key. A system prompt that stands beside it is its first message.
func (p *Parser) asked(body jsonscan.Value, fields []string) (messages []byte, key string) {
	for _, f := range fields {
		v, system := body.Get(f), systemOf(body)
		list := v.Kind() == jsonscan.Array && v.Index(0).Kind() == jsonscan.Object
		switch {
		case list && !system.Exists():
			return v.Raw(), f
		case list:
			p.messages = appendMessage(append(p.messages[:0], '['), "system", system)
			p.messages = append(append(p.messages, ','), v.Raw()[1:]...)
			return p.messages, f
		case v.Kind() == jsonscan.String:
			p.messages = append(p.messages[:0], '[')
			if system.Exists() {
				p.messages = append(appendMessage(p.messages, "system", system), ',')
			}
			p.messages = append(appendMessage(p.messages, "user", v), ']')
			return p.messages, f
		}
	}
	return nil, ""
}

// systemOf is the system prompt of a request that has a field for it: the
// Responses API's and Anthropic's, whose may be a list.
func systemOf(body jsonscan.Value) jsonscan.Value {
	for _, f := range [...]string{"instructions", "system"} {
		if v := body.Get(f); v.Text().Len() > 0 || v.Index(0).Kind() == jsonscan.Object {
			return v
		}
	}
	return jsonscan.Value{}
}

func appendMessage(dst []byte, role string, content jsonscan.Value) []byte {
	dst = append(append(dst, `{"role":"`...), role...)
	return append(append(append(dst, `","content":`...), content.Raw()...), '}')
}
