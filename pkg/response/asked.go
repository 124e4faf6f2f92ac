package response

import "github.com/thinkpipe/thinkpipe/pkg/jsonscan"

// requestFields hold what was asked in the bodies of requests.
var requestFields = [...]string{"messages", "prompt", "input", "question"}

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
		p.rec.Messages, _ = p.asked(body)
		return
	}
	for _, key := range [...]string{"request", "responses_create_params", "request_body", "input", "inputs"} {
		if body := v.Get(key); body.Kind() == jsonscan.Object {
			if messages, _ := p.asked(body); messages != nil {
				p.rec.Request, p.rec.Messages, p.askedKey = body, messages, key
				return
			}
		}
	}
	if messages, key := p.asked(v); messages != nil {
		p.rec.Request, p.rec.Messages, p.askedKey = v, messages, key
	}
}

// asked is the array of messages in a request, nil when it holds none, and its key.
func (p *Parser) asked(body jsonscan.Value) (messages []byte, key string) {
	for _, f := range requestFields {
		switch v := body.Get(f); v.Kind() {
		case jsonscan.Array:
			if v.Index(0).Kind() == jsonscan.Object {
				return v.Raw(), f
			}
		case jsonscan.String:
			p.messages = append(p.messages[:0], `[{"role":"user","content":`...)
			p.messages = append(append(p.messages, v.Raw()...), "}]"...)
			return p.messages, f
		}
	}
	return nil, ""
}
