package prompt_test

import (
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
)

func TestMaxTokens(t *testing.T) {
	f := func(body string, most int64, clamped string) {
		t.Helper()
		if got := prompt.MaxTokens([]byte(body)); got != most {
			t.Errorf("%s: %d, want %d", body, got, most)
		}
		if got := string(prompt.WithMaxTokens([]byte(body), 100)); got != clamped {
			t.Errorf("%s: %s, want %s", body, got, clamped)
		}
	}
	f(`{"messages":[],"max_tokens":4096,"seed":1}`, 4096, `{"messages":[],"max_tokens":100,"seed":1}`)
	f(`{"max_tokens":4096, "max_completion_tokens": 512}`, 512, `{"max_tokens":100, "max_completion_tokens": 100}`)
	f(`{"max_completion_tokens":512,"max_tokens":50}`, 50, `{"max_completion_tokens":100,"max_tokens":50}`)
	f(`{"text":"a","sampling_params":{"max_new_tokens":300,"n":1}}`, 300, `{"text":"a","sampling_params":{"max_new_tokens":100,"n":1}}`)
	f(`{"input":"a","max_output_tokens":101}`, 101, `{"input":"a","max_output_tokens":100}`)
	f(`{"messages":[]}`, 0, `{"messages":[]}`)
	f(`{"max_tokens":null}`, 0, `{"max_tokens":null}`)
	f(`{"max_tokens":"4096"}`, 0, `{"max_tokens":"4096"}`)
	f(`{"max_tokens":-1,"prompt":"{\"max_tokens\":5000}"}`, 0, `{"max_tokens":-1,"prompt":"{\"max_tokens\":5000}"}`)
	f(`no JSON`, 0, `no JSON`)
}

// FuzzMaxTokens: what was clamped is JSON, asks for no more, and is not clamped twice.
func FuzzMaxTokens(f *testing.F) {
	for _, s := range []string{`{"max_tokens":4096,"max_completion_tokens":512}`, `{"sampling_params":{"max_new_tokens":300}}`, `{"max_tokens":1e3}`, `[]`} {
		f.Add(s, int64(100))
	}
	f.Fuzz(func(t *testing.T, body string, n int64) {
		if !jsonscan.Valid([]byte(body)) || n < 1 {
			return
		}
		got := prompt.WithMaxTokens([]byte(body), n)
		if !jsonscan.Valid(got) || prompt.MaxTokens(got) > n || string(prompt.WithMaxTokens(got, n)) != string(got) {
			t.Errorf("%q: %q", body, got)
		}
	})
}
