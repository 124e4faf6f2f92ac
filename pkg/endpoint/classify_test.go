package endpoint

import (
	"testing"
	"time"
)

func TestClassify(t *testing.T) {
	retry, slow, dead, stop := Verdict{Retry: true}, Verdict{SlowDown: true}, Verdict{Dead: true}, Verdict{Stop: true}
	after := func(v Verdict, d time.Duration) Verdict { v.After = d; return v }
	f := func(status int, retryAfter, code string, want Verdict) {
		t.Helper()
		if got := Classify(status, retryAfter, code); got != want {
			t.Errorf("%d %q %s: %+v, want %+v", status, retryAfter, code, got, want)
		}
	}
	f(429, "", "http.429", slow)
	f(429, "3", "http.429", after(slow, 3*time.Second))
	f(503, "2", "http.5xx", after(slow, 2*time.Second))
	for _, status := range []int{500, 502, 504, 599} {
		f(status, "", "http.5xx", retry)
	}
	f(500, "4", "http.5xx", after(retry, 4*time.Second))
	for _, code := range []string{"connect", "dns", "tls", "timeout.connect", "timeout.first-byte", "timeout.idle",
		"timeout.total", "stream.cut", "stream.error", "body.cut", "body.error", "body.not-completion"} {
		f(0, "", code, retry)
		f(200, "", code, retry)
	}
	for _, status := range []int{400, 413, 422, 451} {
		f(status, "9", "http.4xx", dead)
	}
	f(400, "", "context-overflow", dead)
	for _, status := range []int{301, 307, 401, 403, 404, 405} {
		f(status, "", "http.4xx", stop)
	}
	for _, status := range []int{408, 409, 425} {
		f(status, "", "http.4xx", retry)
	}
	f(0, "", "aborted", Verdict{})
	f(200, "", "something new", retry)
	f(429, "1e300", "http.429", after(slow, time.Hour))
}

func TestParseRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 30, 11, 41, 0, 0, time.UTC)
	f := func(header string, want time.Duration) {
		t.Helper()
		if got := ParseRetryAfter(header, now); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
	f("", 0)
	f("0", 0)
	f("-5", 0)
	f("NaN", 0)
	f("soon", 0)
	f("120", 2*time.Minute)
	f(" 1.5 ", 1500*time.Millisecond)
	f("Mon, 30 Nov 2026 11:41:30 GMT", 30*time.Second)
	f("Mon, 30 Nov 2026 11:40:00 GMT", 0)
	f("Monday, 30-Nov-26 11:42:00 GMT", time.Minute)
}

func TestIsContextOverflow(t *testing.T) {
	f := func(words string, want bool) {
		t.Helper()
		if got := IsContextOverflow([]byte(`{"message":"` + words + `"}`)); got != want {
			t.Errorf("%s: %v", words, got)
		}
	}
	f("This model's maximum context length is 16384 tokens. However, you requested 122946 tokens", true)
	f("The input (61709 tokens) is longer than the model's context length (40960 tokens).", true)
	f("Requested token count exceeds the model's maximum context length of 262144 tokens.", true)
	f("The decoder prompt (length 8357) is longer than the maximum model length of 8192.", true)
	f("the request exceeds the available context size, try increasing it", true)
	f("`inputs` tokens + `max_new_tokens` must be <= 4096", true)
	f("prompt is too long: 213462 tokens > 200000 maximum", true)
	f("max_tokens=131073 cannot be greater than max_model_len=131072", true)
	f("temperature must be non-negative", false)
}
