package response

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// The codes this package gives, of the contract's closed list.
const (
	codeTooMany       = "http.429"
	codeServer        = "http.5xx"
	codeClient        = "http.4xx"
	codeOverflow      = "context-overflow"
	codeStreamCut     = "stream.cut"
	codeStreamError   = "stream.error"
	codeBodyCut       = "body.cut"
	codeBodyError     = "body.error"
	codeNotCompletion = "body.not-completion"
)

// fail keeps why there is no complete answer. The first cause stays.
func (p *Parser) fail(code, message string) {
	if p.rec.Failure == nil {
		p.failure = Failure{code, shorten(message)}
		p.rec.Failure = &p.failure
	}
}

// failWith fails with the words of an error that a server sent. An input that
// is too long is told apart whatever status it came with, but for a full server.
func (p *Parser) failWith(code string, e jsonscan.Value) {
	if p.rec.Failure != nil {
		return
	}
	message := explain(e)
	if code != codeTooMany && overflows(message) {
		code = codeOverflow
	}
	p.fail(code, message)
}

// accepted reports whether a status is a success or unknown.
func accepted(status int) bool { return status == 0 || status/100 == 2 }

// codeOf is the code of a status that is no success.
func codeOf(status int) string {
	switch {
	case status == 429:
		return codeTooMany
	case status/100 == 5:
		return codeServer
	case status/100 == 4:
		return codeClient
	}
	return codeNotCompletion
}

// errorOf is the error that a body or an event holds, None when it holds none:
// {"error":…} of every server (null, "", {} and false are none), or
// {"object":"error","message":…} of older vLLM, {"type":"error",…} of Anthropic.
func errorOf(v jsonscan.Value) jsonscan.Value {
	for _, key := range [...]string{"error", "error_str"} { // the latter is LiteLLM's log
		if e := v.Get(key); isError(e) {
			return e
		}
	}
	if v.Get("object").Text().Equal("error") || v.Get("type").Text().Equal("error") {
		return v
	}
	return jsonscan.Value{}
}

// isError reports whether an error is one.
func isError(e jsonscan.Value) bool {
	switch e.Kind() {
	case jsonscan.None, jsonscan.Null, jsonscan.False:
		return false
	case jsonscan.String:
		return e.Text().Len() > 0
	case jsonscan.Object, jsonscan.Array:
		return e.Len() > 0
	}
	return true
}

// explain is what a server said about a fault, with its code and type.
func explain(e jsonscan.Value) string {
	message := words(e)
	if message == "" {
		return string(e.Raw())
	}
	if inner := e.Get("error"); inner.Kind() == jsonscan.Object {
		e = inner
	}
	var also []string
	for _, key := range [...]string{"type", "code"} {
		if v := e.Get(key); v.Kind() == jsonscan.String || v.Kind() == jsonscan.Number {
			if word := strings.Trim(string(v.Raw()), `"`); word != "" && !strings.Contains(message, word) && !slices.Contains(also, word) {
				also = append(also, word)
			}
		}
	}
	if also == nil {
		return message
	}
	return shorten(message) + " (" + strings.Join(also, ", ") + ")"
}

// wordKeys are where servers put what they have to say, in order of precedence.
var wordKeys = [...]string{"message", "detail", "msg", "error", "text", "title"}

// words is the text of an error, "" when it has none.
func words(v jsonscan.Value) string {
	switch v.Kind() {
	case jsonscan.String:
		return v.Text().String()
	case jsonscan.Array:
		return words(v.Index(0))
	case jsonscan.Object:
		for _, key := range wordKeys {
			if w := words(v.Get(key)); w != "" {
				return w
			}
		}
	}
	return ""
}

// overflowWords are how servers say that prompt and answer do not fit the
// model's context, in lower case.
var overflowWords = [...]string{
	"context length",                    // OpenAI, vLLM, SGLang, DeepSeek, Mistral, Ollama
	"context_length",                    // OpenAI's code
	"context size",                      // llama.cpp
	"context window",                    // OpenAI Responses, Gemini
	"exceed_context",                    // llama.cpp's type
	"exceeds the context",               // LM Studio
	"exceed context",                    // Anthropic
	"longer than the maximum model",     // vLLM
	"prompt is too long",                // Anthropic
	"prompt too long",                   // Ollama
	"input is too long",                 // SGLang, Bedrock
	"maximum prompt length",             // xAI
	"input token count",                 // Gemini
	"reduce the length",                 // OpenAI, Groq
	"too many tokens",                   // Cohere
	"tokens + `max_new_tokens` must be", // TGI
	"inputs` must have less than",       // TGI
}

func overflows(message string) bool {
	message = strings.ToLower(message)
	for _, w := range overflowWords {
		if strings.Contains(message, w) {
			return true
		}
	}
	return false
}

// maxMessage is how many bytes of a server's words are kept.
const maxMessage = 300

// shorten is s on one line, cut at a character near maxMessage bytes.
func shorten(s string) string { return shortenTo(maxMessage, s) }

func shortenTo(limit int, s string) string {
	cut := len(s) > 4*limit
	if cut {
		s = s[:4*limit]
	}
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "\uFFFD")
	if len(s) <= limit && !cut {
		return s
	}
	end := min(limit, len(s))
	for end > 0 && end < len(s) && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
