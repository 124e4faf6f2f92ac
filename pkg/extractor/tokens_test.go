package extractor_test

import (
	"fmt"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// TestTokens holds the ids of samples, in every shape that servers have them in,
// and where the answer begins.
func TestTokens(t *testing.T) {
	x, err := extractor.New(extractor.Config{})
	if err != nil {
		t.Fatal(err)
	}
	f := func(line, want string) {
		t.Helper()
		var d jsonscan.Doc
		if err := d.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		r, err := x.Line(d.Root())
		if err != nil || len(r.Samples) != 1 {
			t.Fatalf("%s: %v, %d samples", line, err, len(r.Samples))
		}
		s := &r.Samples[0]
		got := "none"
		if s.TokenIDs != nil {
			got = fmt.Sprintf("%s %s %d", s.PromptTokenIDs, s.TokenIDs, s.AnswerTokenIndex)
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
		out := s.AppendJSON(nil) // and read back
		if err := d.Scan(out); err != nil {
			t.Fatal(err)
		}
		if r, err = x.Line(d.Root()); err != nil || string(r.Samples[0].AppendJSON(nil)) != string(out) {
			t.Errorf("%v: %s reads back as %s", err, out, r.Samples[0].AppendJSON(nil))
		}
	}
	exchange := func(body string) string {
		return `{"custom_id":"a","request":{"body":{"model":"qwen3","messages":[]}},"response":{"status_code":200,"body":` + body + `}}`
	}
	// vLLM, SGLang, LMDeploy.
	f(exchange(`{"model":"qwen3","prompt_token_ids":[1, 2],"choices":[{"message":{"reasoning":"hm","content":"x"},"finish_reason":"stop","token_ids":[5,151668,7]}]}`), "[1, 2] [5,151668,7] 2")
	f(exchange(`{"model":"qwen3","choices":[{"message":{"content":"hm</think>x"},"finish_reason":"stop","prompt_token_ids":[1,2],"token_ids":[5, 151668, 7]}]}`), "[1,2] [5, 151668, 7] 2")
	f(exchange(`{"model":"qwen3","choices":[{"message":{"content":"hm</think>x"},"finish_reason":"stop","output_ids":[5,6,7]}]}`), " [5,6,7] -1")
	f(exchange(`{"model":"Qwen/Qwen3.5-9B","choices":[{"message":{"content":"hm</think>x"},"finish_reason":"stop","token_ids":[151668,248069,7]}]}`), " [151668,248069,7] 2")
	f(exchange(`{"model":"qwen3","choices":[{"message":{"content":"hm</think>x"},"finish_reason":"stop","token_ids":[151668,5,151668,7]}]}`), " [151668,5,151668,7] -1")
	f(exchange(`{"model":"qwen3","choices":[{"message":{"reasoning":"hm","content":null},"finish_reason":"length","token_ids":[5,6]}]}`), " [5,6] 2")
	f(exchange(`{"model":"qwen2.5","choices":[{"message":{"content":"x"},"finish_reason":"stop","token_ids":[5,6]}]}`), " [5,6] 0")
	f(exchange(`{"model":"qwen3","choices":[{"message":{"content":"hm</think>x"},"finish_reason":"stop"}]}`), "none")
	f(exchange(`{"model":"qwen3","choices":[{"message":{"content":"hm</think>x"},"finish_reason":"stop","token_ids":null}],"prompt_token_ids":null}`), "none")
	// /generate, whose prompt may be ids.
	f(`{"custom_id":"a","request":{"body":{"input_ids":[1,2]}},"response":{"status_code":200,"body":{"text":"hm</think>x","output_ids":[5,6],"meta_info":{"finish_reason":{"type":"stop"}}}}}`, "[1,2] [5,6] -1")
	// Streams: vLLM's deltas, and SGLang's repetition.
	stream := func(events ...string) string {
		text := ""
		for _, e := range events {
			text += "data: " + e + "\n\n"
		}
		return string(append(jsonscan.AppendString([]byte(`{"custom_id":"a","response":{"status_code":200,"text":`), text+"data: [DONE]\n\n"), "}}"...))
	}
	f(stream(`{"model":"qwen3","prompt_token_ids":[1,2],"choices":[{"index":0,"delta":{"content":""}}]}`,
		`{"model":"qwen3","choices":[{"index":0,"delta":{"reasoning":"hm"},"token_ids":[5]}]}`,
		`{"model":"qwen3","choices":[{"index":0,"delta":{},"token_ids":[151668]}]}`,
		`{"model":"qwen3","choices":[{"index":0,"delta":{"content":"x"},"token_ids":[7,8]}]}`,
		`{"model":"qwen3","choices":[{"index":0,"delta":{},"finish_reason":"stop","token_ids":[]}]}`), "[1,2] [5,151668,7,8] 2")
	f(stream(`{"text":"hm","output_ids":[5],"meta_info":{"finish_reason":null}}`,
		`{"text":"hm</think>","output_ids":[5,6],"meta_info":{"finish_reason":null}}`,
		`{"text":"hm</think>x","output_ids":[5,6,5],"meta_info":{"finish_reason":{"type":"stop"}}}`), " [5,6,5] -1")
}
