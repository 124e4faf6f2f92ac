package main

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// exchangeOf is the archived line of an answer of Kimi K2 with a message.
func exchangeOf(message, finish string) []byte {
	const model = `"model":"moonshotai/Kimi-K2-Thinking"`
	x := record.Exchange{
		ID: "ex_1", Key: record.Key{ID: record.StringID("a")}, Attempt: 1, Run: "run_1", Epoch: 1,
		Request: record.Request{Method: "POST", URL: "/v1/chat/completions", Body: []byte(`{` + model + `,"messages":[{"role":"user","content":"q"}]}`)},
		Response: &record.Response{Status: 200, Raw: []byte(`{"id":"c","object":"chat.completion",` + model +
			`,"choices":[{"index":0,"message":{"role":"assistant",` + message + `},"finish_reason":"` + finish +
			`"}],"usage":{"prompt_tokens":7,"completion_tokens":9,"total_tokens":16}}`)},
	}
	return x.AppendJSON(nil)
}

func TestInspectorSeesWhatExtractAndValidateSay(t *testing.T) {
	f := func(require check.Require, message, finish string, want seen) {
		t.Helper()
		all, err := newInspectors("", require)
		if err != nil {
			t.Fatal(err)
		}
		want.usage = record.Usage{Prompt: 7, Completion: 9, Reasoning: -1, Total: 16}
		want.finish = finish
		for range 2 { // the second time with used buffers
			if got := all.look(exchangeOf(message, finish)); !reflect.DeepEqual(got, want) {
				t.Errorf("%s\n got %+v\nwant %+v", message, got, want)
			}
		}
	}
	split := seen{status: "present", source: "reasoning_content", family: "none", thought: 5, answer: 2, ok: true}
	f(check.Reasoning, `"reasoning_content":"hm\nhé","content":"42"`, "stop", split)
	split.ok, split.rules = false, []string{"unexpected-reasoning"}
	f(check.NoReasoning, `"reasoning_content":"hm\nhé","content":"42"`, "stop", split)
	f(check.Reasoning, `"content":"hm hm</think>42"`, "stop", seen{status: "present", source: "content", family: "kimi_k2", inline: true, thought: 5, answer: 2, ok: true})
	lost := seen{status: "missing", family: "kimi_k2", answer: 2, rules: []string{"empty-reasoning"}}
	f(check.Reasoning, `"content":"42"`, "stop", lost)
	lost.ok, lost.rules = true, nil
	f(check.Optional, `"content":"42"`, "stop", lost)
	f(check.Reasoning, `"reasoning_content":"hm","content":null`, "length",
		seen{status: "truncated", source: "reasoning_content", family: "none", thought: 2, rules: []string{"truncated"}})
}

func BenchmarkInspector(b *testing.B) {
	var prose strings.Builder
	for i := range 700 {
		fmt.Fprintf(&prose, "Step %d: we look at %d and see that it is not %d.\\n", i, i*i%97, i%13)
	}
	line := exchangeOf(`"content":"`+prose.String()+`</think>42"`, "stop")
	all, err := newInspectors("", check.Reasoning)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		all.look(line)
	}
}
