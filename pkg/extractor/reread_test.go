package extractor_test

import (
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

func sse(events ...string) string { return "data: " + strings.Join(events, "\n\ndata: ") + "\n\n" }

func lines(values ...string) string { return strings.Join(values, "\n") + "\n" }

func kept(raw string) string {
	return `{"custom_id":"a","response":{"status_code":200,"text":` + string(jsonscan.AppendString(nil, raw)) + `},"error":null}`
}

// answers are replies of every shape, as they come, and how many texts they hold.
var answers = []struct {
	raw   string
	texts int64
}{
	{`{"choices":[{"index":0,"message":{"reasoning_content":"r","reasoning":"r","content":"c"},"finish_reason":"stop"},{"index":0,"message":{"content":"d","refusal":"no"},"finish_reason":"stop"}]}`, 3},
	{`{"choices":[{"message":{"reasoning":"s","reasoning_details":[{"type":"reasoning.summary","summary":"s"},{"type":"reasoning.encrypted","data":"x"}],"content":"c"}}]}`, 3},
	{`{"choices":[{"message":{"reasoning_details":[{"type":"reasoning.text","text":"r"}],"content":"c"}}]}`, 2},
	{`{"choices":[{"message":{"thinking_blocks":[{"type":"thinking","thinking":"r"}],"content":"c"}}]}`, 2},
	{`{"choices":[{"message":{"reasoning":"r","content":[{"type":"thinking","thinking":[{"type":"text","text":"r"}]},{"type":"text","text":"c"},"d",{"type":"refusal","refusal":"no"}],"refusal":"no"}}]}`, 3},
	{`{"choices":[{"message":{"content":[{"type":"reasoning","text":"r"},{"type":"text","value":"c"},{"type":"redacted_thinking","data":"x"},{"type":"tool_call","name":"f"}]}}]}`, 3},
	{`{"choices":[{"text":"<think>r</think>c"},{"text":"d"}]}`, 2},
	{sse(`{"choices":[{"index":1,"delta":{"content":"d"}}]}`, `{"choices":[{"delta":{"reasoning":"r"}}]}`, `{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"s"}]}]}}]}`, `{"choices":[{"index":0,"delta":{"content":"c"}},{"index":1,"delta":{"content":"e"}}]}`, "[DONE]", `{"choices":[{"delta":{"content":"x"}}]}`), 4},
	{strings.ReplaceAll(sse(`{"choices":[{"delta":`+"\ndata:"+`{"content":"c\ud83d"}}]}`, `{"choices":[{"delta":{"content":"\ude00"},"finish_reason":"stop"}]}`), "\n", "\r"), 1},
	{sse(`{"choices":[{"delta":{"content":"One"}}]}`, `{"choices":[{"delta":{"content":"One two"}}]}`, `{"choices":[{"delta":{"content":"One two three"},"finish_reason":"stop"}]}`), 1},
	{`[{"choices":[{"delta":{"reasoning":"r"}}]},{"choices":[{"delta":{"content":"c"},"finish_reason":"stop"}]}]`, 2},
	{`{"text":"c","meta_info":{"finish_reason":{"type":"stop"}}}`, 1},
	{`[{"text":"c","meta_info":{}},{"text":"d","meta_info":{}}]`, 2},
	{sse(`{"text":"c","index":0,"meta_info":{}}`, `{"text":"d","index":1,"meta_info":{}}`, `{"text":"cc<","index":0,"meta_info":{"finish_reason":null}}`, `{"text":"cc","index":0,"meta_info":{"finish_reason":{"type":"stop"}}}`, "[DONE]"), 2},
	{`{"object":"response","status":"completed","output":[{"type":"reasoning","summary":[{"text":"s"}],"content":[{"type":"reasoning_text","text":"r"}],"encrypted_content":"x"},{"type":"reasoning","summary":[{"text":"s"}]},{"type":"message","role":"user","content":"q"},{"type":"message","content":[{"type":"output_text","text":"c"}]}]}`, 4},
	{sse(`{"type":"response.reasoning_text.delta","delta":"r"}`, `{"type":"response.reasoning_summary_text.delta","delta":"s"}`, `{"type":"response.output_text.delta","delta":"c"}`, `{"type":"response.refusal.delta","delta":"no"}`, `{"type":"response.completed","response":{"status":"completed"}}`), 3},
	{sse(`{"type":"response.output_text.delta","delta":"x"}`, `{"type":"response.completed","response":{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"c"}]}]}}`), 1},
	{`{"type":"message","content":[{"type":"thinking","thinking":"r","signature":"x"},{"type":"thinking","thinking":"","signature":"x"},{"type":"text","text":"c"},{"type":"tool_use","id":"t","name":"f","input":{}}]}`, 3},
	{sse(`{"type":"content_block_start","content_block":{"type":"redacted_thinking","data":"x"}}`, `{"type":"content_block_start","content_block":{"type":"thinking","thinking":""}}`, `{"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"r"}}`, `{"type":"content_block_delta","delta":{"signature":"x"}}`, `{"type":"content_block_delta","delta":{"text":"c"}}`, `{"type":"message_stop"}`), 3},
	{sse(`{"type":"content_block_delta","delta":{"signature":"x"}}`, `{"type":"content_block_delta","delta":{"text":"c"}}`, `{"type":"message_stop"}`), 2},
	{`{"candidates":[{"content":{"parts":[{"text":"s","thought":true},{"text":"c"},{"functionCall":{"name":"f"}},{"text":"d"}]},"finishReason":"STOP"}]}`, 3},
	{lines(`{"candidates":[{"content":{"parts":[{"text":"c"}]}}],"responseId":"1"}`, `{"candidates":[{"content":{"parts":[{"text":"x"}]}}],"responseId":"2"}`, `{"candidates":[{"content":{"parts":[{"text":"d"}]},"finishReason":"STOP"}],"responseId":"1"}`), 1},
	{`{"output":{"message":{"content":[{"reasoningContent":{"reasoningText":{"text":"r"}}},{"reasoningContent":{"redactedContent":"x"}},{"text":"c"},{"toolUse":{"name":"f"}}]}},"stopReason":"end_turn"}`, 3},
	{`{"message":{"role":"assistant","thinking":"r","content":"c"},"done":true}`, 2},
	{lines(`{"response":"","thinking":"r","done":false}`, `{"response":"c","done":true}`, `{"response":"x","done":true}`), 2},
	{`{"message":{"tool_plan":"p","content":[{"type":"thinking","thinking":"r"},{"type":"text","text":"c"}]},"finish_reason":"COMPLETE"}`, 3},
	{sse(`{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"p"}}}`, `{"type":"content-delta","delta":{"message":{"content":{"thinking":"r"}}}}`, `{"type":"content-delta","delta":{"message":{"content":{"text":"c"}}}}`, `{"type":"message-end","delta":{"finish_reason":"COMPLETE"}}`), 3},
	{`{"generation_id":"g","text":"c","finish_reason":"COMPLETE"}`, 1},
	{`{"generations":[{"text":"c"},{"text":"d"}]}`, 2},
	{lines(`{"event_type":"text-generation","text":"c"}`, `{"event_type":"tool-calls-chunk","text":"p"}`, `{"event_type":"tool-calls-generation","text":"q","tool_calls":[{"name":"f"}]}`, `{"event_type":"stream-end","response":{"text":"x"},"finish_reason":"COMPLETE"}`), 2},
	{lines(`{"event_type":"stream-start"}`, `{"event_type":"stream-end","response":{"text":"c","finish_reason":"COMPLETE"}}`), 1},
	{`{"generated_text":"c"}`, 1},
	{`{"choices":[{"message":{"content":"c","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{\"a\":1.0}"}},{"id":"2","function":{"name":"g","arguments":{"a":"\u00e9"}}}]}},{"message":{"content":"d","function_call":{"name":"f","arguments":""}}}]}`, 2},
	{`{"choices":[{"message":{"content":"c","tool_calls":[{"type":"tool_call","name":"f","args":{"a":1},"id":"1"}],"function_call":{"name":"","arguments":""}}}]}`, 1},
	{`{"choices":[{"message":{"content":["c",{"type":"tool_call","value":"{\"name\":\"f\",\"arguments\":{}}"},{"type":"tool_call","name":"g","args":{}}]}}]}`, 1},
	{sse(`{"choices":[{"delta":{"content":"c","tool_calls":[{"index":1,"id":"2","function":{"name":"g","arguments":"{\"b"}}]}}]}`, `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":"{}"}},{"index":1,"function":{"arguments":"\":\"\ud83d"}}]}}]}`, `{"choices":[{"delta":{"tool_calls":[{"index":1,"function":{"arguments":"\ude00\"}"}}]},"finish_reason":"tool_calls"}]}`), 1},
	{sse(`{"choices":[{"delta":{"content":"c","tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":"{}"}},{"index":0,"id":"2","function":{"name":"f","arguments":"{}"}}]}}]}`, `{"choices":[{"delta":{"tool_calls":[{"id":"3","function":{"name":"g","arguments":"{"}}]}}]}`, `{"choices":[{"delta":{"tool_calls":[{"id":"3","function":{"arguments":"}"}}]},"finish_reason":"tool_calls"}]}`), 1},
	{`{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"c"}]},{"type":"function_call","id":"fc","call_id":"1","name":"f","arguments":"{}"}]}`, 1},
	{sse(`{"type":"response.output_text.delta","delta":"c"}`, `{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","call_id":"1","name":"f","arguments":""}}`, `{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{\"a\""}`, `{"type":"response.function_call_arguments.delta","output_index":1,"delta":":1}"}`, `{"type":"response.completed","response":{"status":"completed"}}`), 1},
	{sse(`{"type":"content_block_delta","index":0,"delta":{"text":"c"}}`, `{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"1","name":"f","input":{}}}`, `{"type":"content_block_stop","index":1}`, `{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"2","name":"g","input":{}}}`, `{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"a\""}}`, `{"type":"content_block_delta","index":2,"delta":{"partial_json":":1}"}}`, `{"type":"content_block_stop","index":2}`, `{"type":"message_stop"}`), 1},
	{lines(`{"candidates":[{"content":{"parts":[{"text":"c"},{"functionCall":{"name":"f","args":{"a":1}}}]}}]}`, `{"candidates":[{"content":{"parts":[{"function_call":{"name":"f","args":{}}}]},"finishReason":"STOP"}]}`), 1},
	{`{"output":{"message":{"content":[{"text":"c"},{"toolUse":{"toolUseId":"1","name":"f","input":{"a":1}}}]}},"stopReason":"tool_use"}`, 1},
	{lines(`{"message":{"role":"assistant","content":"c","tool_calls":[{"function":{"index":0,"name":"f","arguments":{"k":"v"}}}]},"done":false}`, `{"message":{"content":"","tool_calls":[{"function":{"index":1,"name":"g","arguments":{}}}]},"done":true}`), 1},
	{sse(`{"type":"content-delta","delta":{"message":{"content":{"text":"c"}}}}`, `{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"1","function":{"name":"f","arguments":""}}}}}`, `{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{}"}}}}}`, `{"type":"message-end","delta":{"finish_reason":"TOOL_CALL"}}`), 1},
	{`{"generation_id":"g","text":"c","tool_calls":[{"name":"f","parameters":{"a":1}}],"finish_reason":"COMPLETE"}`, 1},
	{lines(`{"event_type":"tool-calls-chunk","text":"c"}`, `{"event_type":"tool-calls-chunk","tool_call_delta":{"index":0,"name":"f"}}`, `{"event_type":"tool-calls-chunk","tool_call_delta":{"index":0,"parameters":"{}"}}`, `{"event_type":"tool-calls-generation","tool_calls":[{"name":"f","parameters":{}}]}`, `{"event_type":"stream-end","finish_reason":"COMPLETE"}`), 1},
	{`[{"generated_text":"c"},{"generated_text":"d"}]`, 2},
	{sse(`{"token":{"text":"c"},"generated_text":null}`, `{"token":{"text":"</s>","special":true},"generated_text":"c","details":{"finish_reason":"eos_token"}}`, `{"token":{"text":"x"}}`), 1},
}

// containers keep a body that is JSON.
var containers = []string{
	`{"custom_id":"a","response":{"status_code":200,"body":%},"error":null}`, `{"id":"a","response":%}`, `{"id":"a","raw_response":%}`,
	`{"id":"a","status_code":200,"body":%}`, `%`, `{"id":"a","output":%}`,
}

// Every shape is read twice, wherever it is kept.
func TestReread(t *testing.T) {
	f := func(line string, texts int64) {
		t.Helper()
		got, err := prove(t, line, nil)
		if err != nil || got.Texts != texts {
			t.Errorf("%s\n%d texts, want %d, %v", line, got.Texts, texts, err)
		}
		_, err = prove(t, line, func(r *extractor.Result) { r.Record.Choices[0].Segments[0].Source = "nowhere" })
		if err == nil || err.Error() != "what came from nowhere is not what stands there" {
			t.Errorf("%s: %v", line, err)
		}
		for _, spoil := range []func(*record.ToolCall){
			func(c *record.ToolCall) { c.Arguments = jsonscan.Quote("{}x") },
			func(c *record.ToolCall) { c.Arguments = c.Arguments.Slice(0, max(c.Arguments.Len()-1, 0)) },
		} {
			var before, after string
			_, err = prove(t, line, func(r *extractor.Result) {
				if calls := r.Record.Choices[0].ToolCalls; len(calls) > 0 {
					before = calls[0].Arguments.String()
					spoil(&calls[0])
					after = calls[0].Arguments.String()
				}
			})
			if before != after && (err == nil || !strings.Contains(err.Error(), "tool calls")) {
				t.Errorf("%s with the arguments %s: %v", line, after, err)
			}
		}
	}
	for _, a := range answers {
		f(kept(a.raw), a.texts)
		f(`{"id":"a","response":{"text":`+string(jsonscan.AppendString(nil, a.raw))+`}}`, a.texts)
		f(`{"id":"a","response_text":`+string(jsonscan.AppendString(nil, a.raw))+`}`, a.texts)
		for _, c := range containers {
			if jsonscan.Valid([]byte(a.raw)) && (a.raw[0] == '{' || !strings.HasPrefix(c, "%") && !strings.Contains(c, "output")) && // lists, and bodies that look like Bedrock's
				!(strings.Contains(c, "output") && strings.Contains(a.raw, "tool_plan")) {
				f(strings.Replace(c, "%", a.raw, 1), a.texts)
			}
		}
	}
	f(kept(`{"choices":[{"message":{"content":"c"}}]}`), 1)
	f(`{"custom_id":"a","response":{"status_code":200,"base64":"eyJjaG9pY2VzIjpbeyJ0ZXh0Ijoi/yJ9XX0="},"error":null}`, 1)
	f(`{"custom_id":"a","result":{"type":"succeeded","message":{"type":"message","content":[{"type":"text","text":"c"}]}}}`, 1)
	f(`{"batch_request_id":"a","batch_result":{"response":{"chat_get_completion":{"choices":[{"message":{"content":"c"}}]}}}}`, 1)
	f(`{"id":"a","response":"{\"choices\":[{\"text\":\"c\"}]}"}`, 1)
	f(`{"id":"a","response":{"role":"assistant","reasoning":"r","content":"c","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]}}`, 2)
	f(`{"id":"a","output":{"message":{"role":"assistant","reasoning":"r","content":"c"}}}`, 2)
	f(`{"id":"a","response":"c","reasoning":["r","s"]}`, 2)
	f(`{"id":"a","messages":[{"role":"user","content":"q"},{"role":"assistant","reasoning":"r","content":"c"}]}`, 2)
	f(`{"id":"a","conversations":[{"from":"human","value":"q"},{"from":"gpt","value":"c"}]}`, 1)
}

// What was left out is found.
func TestRereadFindsMore(t *testing.T) {
	f := func(line, want string, spoil func(*extractor.Result)) {
		t.Helper()
		if _, err := prove(t, line, spoil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
	f(`{"id":"a","reasoning":"r","content":"c"}`, "what stands at reasoning is in no sample", func(r *extractor.Result) {
		s, c := &r.Samples[0], &r.Record.Choices[0]
		s.Segments, s.Reasoning, c.Segments = s.Segments[1:], jsonscan.Text{}, c.Segments[1:]
	})
	f(`{"id":"a","reasoning":"r","thinking":"s","content":"c"}`, "two fields", func(r *extractor.Result) { r.Record.Flags = nil })
	f(`{"id":"a","content":"","refusal":"no"}`, "the refusal is not", func(r *extractor.Result) {
		r.Record.Choices[0].Refusal = jsonscan.Quote("na")
		r.Samples[0].Segments[0].Text, r.Samples[0].Content = jsonscan.Quote("na"), jsonscan.Quote("na")
	})
}

// Calls that a sample does not have as they came are found.
func TestRereadCalls(t *testing.T) {
	f := func(line, want string, spoil func(*extractor.Result)) {
		t.Helper()
		if _, err := prove(t, line, spoil); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
	const line = `{"id":"a","content":"c","tool_calls":[{"id":"1","name":"f","arguments":"{}"},{"id":"2","name":"g","arguments":"{}"}]}`
	const not = "the tool calls are not those that stand in the answer"
	f(line, not, func(r *extractor.Result) { r.Samples[0].ToolCalls = r.Samples[0].ToolCalls[:1] })
	f(line, "2 tool calls stand in the answer, 1 in the sample", func(r *extractor.Result) {
		r.Record.Choices[0].ToolCalls = r.Record.Choices[0].ToolCalls[:1]
		r.Samples[0].ToolCalls = r.Samples[0].ToolCalls[:1]
	})
	f(line, not, func(r *extractor.Result) { r.Record.Choices[0].ToolCalls[0].Name = jsonscan.Quote("g") })
	f(line, not, func(r *extractor.Result) { r.Record.Choices[0].ToolCalls[0].ID = jsonscan.Quote("2") })
	f(kept(sse(`{"choices":[{"delta":{"content":"c","tool_calls":[{"index":0,"function":{"name":"f"}}]},"finish_reason":"stop"}]}`)), not, func(r *extractor.Result) {
		r.Record.Choices[0].ToolCalls, r.Samples[0].ToolCalls = nil, nil
	})
}

// --text-field is read twice, too.
func TestRereadTextField(t *testing.T) {
	for _, path := range []string{"a.b", "c.0", "d", "e.f"} {
		x, err := extractor.New(extractor.Config{Segments: true, TextField: path})
		if err != nil {
			t.Fatal(err)
		}
		var d jsonscan.Doc
		d.Scan([]byte(`{"id":"a","a":{"b":"<think>r</think>c"},"c":["c"],"d":["c","d"],"e.f":"c","e":{"f":"x"}}`))
		r, err := x.Line(d.Root())
		if err != nil {
			t.Fatal(err)
		}
		var p extractor.Prover
		if _, err := p.Prove(d.Root(), r, false); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
