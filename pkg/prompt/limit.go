package prompt

import (
	"strconv"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// limits are where requests say how many tokens their answer may have: chat (the
// newer name first), completions, responses, and SGLang's generate.
var limits = [...][]string{
	{"max_completion_tokens"}, {"max_tokens"}, {"max_output_tokens"}, {"sampling_params", "max_new_tokens"},
}

// MaxTokens is how many tokens a request's answer may have, 0 when the request does
// not say. Of several limits it is the smallest.
func MaxTokens(body []byte) (most int64) {
	for _, v := range limitsOf(body) {
		if n, ok := v.Int(); ok && n > 0 && (most == 0 || n < most) {
			most = n
		}
	}
	return most
}

// WithMaxTokens is a request with n instead of every larger limit that it has, as a
// new slice; nothing else changes.
func WithMaxTokens(body []byte, n int64) []byte {
	out := make([]byte, 0, len(body)+8)
	from := 0
	for _, v := range limitsOf(body) {
		if have, ok := v.Int(); !ok || have <= n {
			continue
		}
		out = strconv.AppendInt(append(out, body[from:v.Offset()]...), n, 10)
		from = v.Offset() + len(v.Raw())
	}
	return append(out, body[from:]...)
}

// limitsOf are the limits that a request has, in their order.
func limitsOf(body []byte) (found []jsonscan.Value) {
	var doc jsonscan.Doc
	if doc.Scan(body) != nil {
		return nil
	}
	for _, path := range limits {
		v := doc.Root().Get(path...)
		if !v.Exists() {
			continue
		}
		at := len(found)
		for at > 0 && found[at-1].Offset() > v.Offset() {
			at--
		}
		found = append(found[:at], append([]jsonscan.Value{v}, found[at:]...)...)
	}
	return found
}
