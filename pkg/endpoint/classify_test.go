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
	for _, status := range []int{400, 413, 422} {
		f(status, "9", "http.4xx", dead)
	}
	for _, status := range []int{101, 410, 415, 451, 499} {
		f(status, "", "http.4xx", retry)
	}
	f(400, "", "context-overflow", dead)
	for _, status := range []int{301, 307, 401, 402, 403, 404, 405, 407} {
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

func TestOverflowLimit(t *testing.T) {
	f := func(message string, limit, prompt int) {
		t.Helper()
		l, p, ok := OverflowLimit("400 Bad Request: " + message)
		if l != limit || p != prompt || ok != (limit > 0) {
			t.Errorf("%s: %d %d %v, want %d %d", message, l, p, ok, limit, prompt)
		}
		if !IsContextOverflow([]byte(message)) {
			t.Errorf("%s: is no overflow", message)
		}
	}
	f("This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.", 16384, 112946)
	f("This model's maximum context length is 4097 tokens, however you requested 5010 tokens (1010 in your prompt; 4000 for the completion). Please reduce your prompt; or completion length.", 4097, 1010)
	f("'max_tokens' or 'max_completion_tokens' is too large: 10000. This model's maximum context length is 8192 tokens and your request has 1000 input tokens (10000 > 8192 - 1000).", 8192, 1000)
	f("This model's maximum context length is 8192 tokens. However, your request has 9000 input tokens. Please reduce the length of the input messages.", 8192, 9000)
	f("this model's maximum context length is 8192 tokens, but the prompt contains 9000 input tokens", 8192, 9000)
	f("This model's maximum context length is 4097 tokens. However, your messages resulted in 6164 tokens. Please reduce the length of the messages.", 4097, 6164)
	f("This endpoint's maximum context length is 32768 tokens. However, you requested about 40100 tokens (30100 of text input, 10000 in the output).", 32768, 30100)
	f("You passed 1000 input tokens and requested 132000 output tokens. However, the model's context length is only 131072 tokens, resulting in a maximum input length of 4000 tokens.", 131072, 1000)
	f("You passed 99073 input tokens and requested 32000 output tokens. However, the model's context length is only 131072 tokens, resulting in a maximum input length of 99072 tokens.", 0, 0)
	f("The input (61709 tokens) is longer than the model's context length (40960 tokens).", 40960, 61709)
	f("Requested token count exceeds the model's maximum context length of 131072 tokens. You requested a total of 140000 tokens: 9000 tokens from the input messages and 131000 tokens for the completion.", 131072, 9000)
	f("The decoder prompt (length 8357) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller.", 8192, 8357)
	f("Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3000 `inputs` tokens and 2000 `max_new_tokens`", 4096, 3000)
	f("request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4096, 9000)
	f("prompt is too long: 213462 tokens > 200000 maximum", 200000, 213462)
	f("input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again", 200000, 188240)
	f("The prompt is too long: 140000, model maximum context length: 131071", 131071, 140000)
	f("Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length", 32768, 40000)
	f("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1048576, 1200000)
	f("max_tokens=131073 cannot be greater than max_model_len=131072", 0, 0)
	f("Your input exceeds the context window of this model.", 0, 0)
	f("max_tokens must be at least 1, got -927.", 0, 0)
	f("This model's maximum context length is 99999999999999999999 tokens (5 in the messages)", 0, 0)
	if _, _, ok := OverflowLimit("temperature must be at least 0, got -1"); ok {
		t.Error("numbers of another complaint")
	}
}
