package endpoint

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Verdict is what to do about a failure.
type Verdict struct {
	Retry    bool          // ask again; it counts as an attempt
	SlowDown bool          // ask again later; it does not count
	Dead     bool          // asking again cannot help
	Stop     bool          // the server refuses all: stop the run, mark nothing
	After    time.Duration // not before, as the server asked; 0: back off as usual
}

// verdicts by failure code. http.4xx is judged by its status.
var verdicts = map[string]Verdict{
	"connect":             {Retry: true},
	"dns":                 {Retry: true},
	"tls":                 {Retry: true},
	"http.429":            {SlowDown: true},
	"http.5xx":            {Retry: true},
	"context-overflow":    {Dead: true},
	"timeout.connect":     {Retry: true},
	"timeout.first-byte":  {Retry: true},
	"timeout.idle":        {Retry: true},
	"timeout.total":       {Retry: true},
	"stream.cut":          {Retry: true},
	"stream.error":        {Retry: true},
	"body.cut":            {Retry: true},
	"body.error":          {Retry: true},
	"body.not-completion": {Retry: true},
	"aborted":             {},
}

// Classify judges a failure by its code; the status refines http.4xx and
// http.5xx. retryAfter is the header, which only counts where asking again does.
// A code that is not in the contract's list may be asked again.
//
//	429, 503             slow down
//	400, 413, 422        dead
//	401, 403, 404, 405   stop, and so do 402, 407 and redirects: the URL, key, model or account is wrong
//	other 4xx            retry
//	other 5xx            retry
func Classify(status int, retryAfter, code string) Verdict {
	v, known := verdicts[code]
	switch {
	case code == "http.4xx":
		v = refusal(status)
	case code == "http.5xx" && status == http.StatusServiceUnavailable:
		v = Verdict{SlowDown: true}
	case !known:
		v = Verdict{Retry: true}
	}
	if v.Retry || v.SlowDown {
		v.After = min(ParseRetryAfter(retryAfter, time.Now()), longestRetryAfter)
	}
	return v
}

func refusal(status int) Verdict {
	switch status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return Verdict{Dead: true}
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusNotFound,
		http.StatusMethodNotAllowed, http.StatusProxyAuthRequired:
		return Verdict{Stop: true}
	}
	if status >= 300 && status < 400 {
		return Verdict{Stop: true}
	}
	return Verdict{Retry: true}
}

// longestRetryAfter keeps a nonsensical header from stopping a run for ever.
const longestRetryAfter = time.Hour

// ParseRetryAfter is the wait that a Retry-After header asks for: seconds
// (fractions are tolerated) or an HTTP date (RFC 9110, section 10.2.3). 0 when
// it asks for none or is not understood.
func ParseRetryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.ParseFloat(header, 64); err == nil {
		if !(seconds > 0) { // NaN too
			return 0
		}
		return time.Duration(min(seconds, 1e9) * float64(time.Second))
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
