package endpoint

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// maxWords bounds a message.
const maxWords = 400

// refused says what a status other than 2xx means.
func (e *Endpoint) refused(resp *http.Response, raw []byte) *record.Error {
	said := serverWords(raw)
	message := fmt.Sprintf("%d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	switch {
	case resp.StatusCode/100 == 3:
		message += redirect(resp.Header.Get("Location"))
	case said != "":
		message += ": " + said
	}
	return &record.Error{Code: statusCode(resp.StatusCode, raw), Message: e.words(message, maxWords)}
}

func redirect(location string) string {
	u, err := url.Parse(location)
	if err != nil || u.Host == "" {
		return ": redirects are not followed"
	}
	return fmt.Sprintf(": redirects are not followed; this one leads to %q", cut(u.Scheme+"://"+u.Host, 200))
}

// statusCode is the contract's code of a status.
func statusCode(status int, raw []byte) string {
	switch {
	case status == http.StatusTooManyRequests:
		return "http.429"
	case status >= 500:
		return "http.5xx"
	case status >= 400 && IsContextOverflow(raw):
		return "context-overflow"
	}
	return "http.4xx"
}

// serverWords is what an error body says: error.message (OpenAI, vLLM), message
// (SGLang), detail (FastAPI), error (llama.cpp, TGI), else its beginning.
func serverWords(raw []byte) string {
	var doc jsonscan.Doc
	if doc.Scan(raw) == nil {
		root := doc.Root()
		for _, path := range [][]string{{"error", "message"}, {"message"}, {"detail"}, {"error"}} {
			if v := root.Get(path...); v.Kind() == jsonscan.String {
				return clean(v.Text().String())
			}
		}
	}
	return clean(string(raw[:min(len(raw), maxLook)]))
}

// clean is text on one line, without control bytes.
func clean(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.Fields(s), " ")
}

// cut shortens s to about n bytes, between characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
