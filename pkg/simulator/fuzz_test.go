package simulator

import (
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

func FuzzParse(f *testing.F) {
	for _, keys := range []string{"", "engine=vllm&fail=429:0.05,500:0.01&cut=0.5", "latency=1ms&seed=9", "tokens=1&x=%zz"} {
		f.Add(keys)
	}
	f.Fuzz(func(t *testing.T, keys string) {
		c, err := Parse(keys)
		if err != nil {
			return
		}
		if _, err := New(c); err != nil {
			t.Errorf("Parse accepts %q, New does not: %v", keys, err)
		}
	})
}

// FuzzRequests: whatever is asked, each endpoint answers with JSON, or refuses with it.
func FuzzRequests(f *testing.F) {
	for _, body := range []string{
		ask(1, ""), ask(1, `,"n":2,"stream":true,"max_tokens":3`), `{"prompt":"a","max_tokens":1}`, `{"text":"a"}`, `{"input_ids":[1]}`,
		`{"messages":[{"role":"user","content":[{"text":"\ud800"}]}],"tools":[{"function":{"name":"\u0000","parameters":{"properties":{"a":{"type":7}}}}}]}`,
		`{"messages":[{"role":"user","content":null}]}`, "[]", "null", `{"prompt":"a","rid":"x"}`,
	} {
		f.Add(body)
	}
	servers := []*Server{newServer(f, "tokens=5&parser=on"), newServer(f, "tokens=5&engine=vllm&opener=model&family=glm45")}
	f.Fuzz(func(t *testing.T, body string) {
		for _, s := range servers {
			for _, path := range []string{"/v1/chat/completions", "/v1/completions", "/generate", "/tokenize"} {
				w := call1(s, "POST", path, body)
				if w.Header().Get("Content-Type") != "application/json" {
					continue // a stream
				}
				if !jsonscan.Valid(w.Body.Bytes()) {
					t.Fatalf("%s: not JSON: %s", path, w.Body)
				}
			}
		}
		if text := strings.Join(pieces(body), ""); text != body {
			t.Errorf("pieces of %q are %q", body, text)
		}
	})
}
