package endpoint

import (
	"net/http"
	"slices"
	"strings"
)

// maxValue bounds a header's value in an archive.
const maxValue = 1 << 10

// requestIDs name the headers in which servers and gateways give a request's id,
// in order of precedence.
var requestIDs = []string{
	"x-request-id", "request-id", "x-amzn-requestid", "apim-request-id",
	"x-correlation-id", "x-trace-id", "cf-ray",
}

// kept are the other headers that an archive keeps.
var kept = []string{"content-type", "date", "server", "retry-after", "retry-after-ms"}

// rateLimits are beginnings of header names.
var rateLimits = []string{"x-ratelimit-", "ratelimit", "anthropic-ratelimit-"}

func requestID(h http.Header) string {
	for _, name := range requestIDs {
		if v := h.Get(name); v != "" {
			return v
		}
	}
	return ""
}

// allowed are the headers that an archive keeps, by name.
func (e *Endpoint) allowed(h http.Header) [][2]string {
	var list [][2]string
	for name, values := range h {
		name = strings.ToLower(name)
		if keep(name) {
			list = append(list, [2]string{name, e.words(strings.Join(values, ", "), maxValue)})
		}
	}
	slices.SortFunc(list, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return list
}

func keep(name string) bool {
	return slices.Contains(kept, name) || slices.Contains(requestIDs, name) ||
		slices.ContainsFunc(rateLimits, func(p string) bool { return strings.HasPrefix(name, p) })
}
