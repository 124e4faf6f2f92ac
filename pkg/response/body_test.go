package response

import "testing"

func TestBodyShapes(t *testing.T) {
	f := func(raw, want string) {
		t.Helper()
		if got := body(raw); got != want {
			t.Errorf("%s\n got %s\nwant %s", raw, got, want)
		}
	}
	chat := func(message string) string {
		return `{"object":"chat.completion","choices":[{"index":0,"message":` + message + `,"finish_reason":"stop"}]}`
	}

	// The first source of thinking that is not empty counts, once.
	f(chat(`{"content":"A.","reasoning_content":"Old."}`), "chat\n0 stop R:reasoning_content<Old.> C:content<A.>")
	f(chat(`{"content":"A.","reasoning":"New."}`), "chat\n0 stop R:reasoning<New.> C:content<A.>")
	f(chat(`{"content":"A.","reasoning_content":null,"reasoning":"New."}`), "chat\n0 stop R:reasoning<New.> C:content<A.>")
	f(chat(`{"content":"A.","reasoning_content":"","reasoning":"New."}`), "chat\n0 stop R:reasoning<New.> C:content<A.>")
	f(chat(`{"content":"A.","reasoning_content":"Same.","reasoning":"Same."}`), "chat\n0 stop R:reasoning_content<Same.> C:content<A.>")
	f(chat(`{"content":"A.","reasoning_content":"One.","reasoning":"Two."}`),
		"chat +two-reasoning-fields\n0 stop R:reasoning_content<One.> C:content<A.>")
	f(chat(`{"content":"A.","thinking":"T."}`), "chat\n0 stop R:thinking<T.> C:content<A.>")
	f(chat(`{"content":"A.","reasoning_details":[{"type":"reasoning.text","text":"D."},{"type":"reasoning.encrypted","data":"x"}]}`),
		"chat\n0 stop R:reasoning_details[].text<D.> E:reasoning_details[].data<x> C:content<A.>")
	f(chat(`{"content":"A.","reasoning":"S.","reasoning_details":[{"type":"reasoning.summary","summary":"S."}]}`),
		"chat\n0 stop S:reasoning<S.> C:content<A.>")
	f(chat(`{"content":"A.","reasoning":"T.","reasoning_details":[{"type":"reasoning.text","text":"T."}]}`),
		"chat\n0 stop R:reasoning<T.> C:content<A.>")
	f(chat(`{"content":"A.","thinking_blocks":[{"type":"thinking","thinking":"B."},{"type":"redacted_thinking","data":"x"}]}`),
		"chat\n0 stop R:thinking_blocks[].thinking<B.> E:thinking_blocks[].data<x> C:content<A.>")

	// Content as a list, null and refused.
	f(chat(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"T1 "},{"type":"text","text":"T2"}]},{"type":"text","text":"A."}]}`),
		"chat\n0 stop R:content[].thinking<T1 T2> C:content[].text<A.>")
	f(chat(`{"content":["A","B"]}`), "chat\n0 stop C:content[]<A> C:content[]<B>")
	f(chat(`{"content":[{"type":"image_url","image_url":{}},{"type":"text","text":"A."}]}`), "chat +unknown-part\n0 stop C:content[].text<A.>")
	f(chat(`{"content":[{"type":"tool_call","value":"{\"name\": \"f\", \"arguments\": {\"a\": 1}}"},{"type":"tool_call","id":"c","name":"g","args":{"b":2}}]}`),
		`chat`+"\n"+`0 stop call  f {"a": 1} call c g {"b":2}`)
	f(chat(`{"content":null}`), "chat\n0 stop")
	f(chat(`{"content":null,"refusal":"No."}`), "chat\n0 stop refusal<No.>")
	f(`{"choices":[{"message":null,"finish_reason":"content_filter"}]}`, "chat\n0 content_filter")
	f(`{"choices":[{"message":{"content":"A"},"finish_reason":null},{"index":1,"message":{"content":"B"}}]}`, "chat\n0 null C:content<A>\n1 - C:content<B>")

	// Thinking and answers as parts of other names; what holds no text is told.
	f(chat(`{"content":"A","reasoning_content":[{"type":"thinking","thinking":"T"},"U"]}`), "chat\n0 stop R:reasoning_content<TU> C:content<A>")
	f(chat(`{"content":[{"type":"thought","text":"T"},{"type":"reasoning_content","text":"U"},{"type":"thinking","text":"V"}]}`),
		"chat\n0 stop R:content[].reasoning<T> R:content[].reasoning<U> R:content[].thinking<V>")
	f(chat(`{"content":[{"type":"text","text":{"value":"A","annotations":[]}},{"type":"text","content":"B"},{"type":"text","text":""}]}`),
		"chat\n0 stop C:content[].text<A> C:content[].text<B>")
	f(chat(`{"content":[{"type":"reasoning","summary":[{"text":"S"}]},{"type":"text","text":"A"}]}`), "chat +unknown-part\n0 stop C:content[].text<A>")
	f(chat(`{"content":"A","reasoning_content":[{"type":"x","steps":["T"]}]}`), "chat +unknown-part\n0 stop C:content<A>")
	f(chat(`{"content":{"answer":4}}`), "chat COMPLAINT content holds what is no text but object +unknown-part\n0 stop")
	f(chat(`{"content":7}`), "chat COMPLAINT content holds what is no text but number +unknown-part\n0 stop")
	f(chat(`{"content":"A","reasoning":{"text":"T"}}`), "chat COMPLAINT reasoning holds what is no text but object +unknown-part\n0 stop C:content<A>")
	f(chat(`{"content":"A","refusal":["No."]}`), "chat COMPLAINT refusal holds what is no text but array +unknown-part\n0 stop C:content<A>")
	f(chat(`{"content":"A","reasoning_details":"T"}`), "chat COMPLAINT reasoning_details holds no list but string +unknown-part\n0 stop C:content<A>")
	f(`{"choices":[{"text":["A"],"finish_reason":"stop"}]}`, "completion COMPLAINT text holds what is no text but array +unknown-part\n0 stop")
	f(`{"choices":[{"index":0,"delta":{"content":["A",7]},"finish_reason":"stop"}]}`, "chat stream +unknown-part\n0 stop C:content[]<A>")

	// Calls: the arguments stay as they are, cut ones too.
	f(chat(`{"content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}},{"id":"c2","function":{"name":"g","arguments":"{\"a"}}]}`),
		`chat`+"\n"+`0 stop call c1 f {"a":1} call c2 g {"a`)
	f(chat(`{"content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]}`), "chat\n0 stop call  f {\"a\":1}")
	f(chat(`{"tool_calls":[{"id":7,"function":{"name":"f","arguments":7}}]}`), "chat\n0 stop call 7 f 7")
	// What is no call is kept, without a name, and flagged.
	f(chat(`{"content":"A","tool_calls":"x"}`), "chat COMPLAINT tool_calls holds what is no call +malformed-tool-calls\n0 stop C:content<A> call   x")
	f(chat(`{"content":"A","tool_calls":[7,{"name":"f","arguments":"{}"}]}`), "chat COMPLAINT tool_calls holds what is no call +malformed-tool-calls\n0 stop C:content<A> call   7 call  f {}")
	f(chat(`{"content":"A","tool_calls":true}`), "chat COMPLAINT tool_calls holds what is no call +malformed-tool-calls\n0 stop C:content<A> call   true")
	f(chat(`{"content":"A","function_call":"f"}`), "chat COMPLAINT tool_calls holds what is no call +malformed-tool-calls\n0 stop C:content<A> call   f")
	f(chat(`{"content":"A","tool_calls":[{"id":"c","function":"f"}]}`), `chat COMPLAINT tool_calls holds what is no call +malformed-tool-calls`+"\n"+`0 stop C:content<A> call   {"id":"c","function":"f"}`)
	f(chat(`{"content":"A","tool_calls":null,"function_call":null}`), "chat\n0 stop C:content<A>")
	f(chat(`{"content":"A","tool_calls":""}`), "chat\n0 stop C:content<A>")
	f(`{"type":"message","content":[{"type":"tool_use","id":"c","name":"f","input":"{\"a\":1}"}],"stop_reason":"tool_use"}`, `anthropic`+"\n"+`0 tool_use call c f {"a":1}`)
	f(chat(`{"function_call":{"name":"f","arguments":"{}"}}`), "chat\n0 stop call  f {}")

	f(`{"object":"text_completion","choices":[{"index":0,"text":" A</think>B","finish_reason":"length"}]}`, "completion\n0 length C:text< A</think>B>")
	f(`{"text":"A","meta_info":{"finish_reason":{"type":"length","length":8}}}`, "generate\n0 length C:text<A>")
	f(`[{"text":"A","meta_info":{"finish_reason":{"type":"stop","matched":1}}},{"text":"B","meta_info":{"finish_reason":null}}]`,
		"generate\n0 stop C:text<A>\n1 null C:text<B>")
	f(`{"text":"A","meta_info":{"finish_reason":{"type":"abort","message":"The input is longer than the model's context length","status_code":400}}}`,
		"generate FAILED context-overflow: The input is longer than the model's context length (abort)\n0 abort C:text<A>")
	f(`{"choices":[{"index":0,"delta":{"content":"A"},"finish_reason":"stop"}]}`, "chat stream\n0 stop C:content<A>")
	f(`[{"choices":[{"index":0,"delta":{"content":"A"}}]},{"choices":[{"index":0,"delta":{"content":"B"},"finish_reason":"stop"}]}]`, "chat stream\n0 stop C:content<AB>")

	f(`{"object":"response","status":"completed","output":[{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"R."}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"A."}]},{"type":"function_call","id":"fc","call_id":"c","name":"f","arguments":"{}"}]}`,
		"responses\n0 completed R:output[].content[].text<R.> C:content[].text<A.> call c f {}")
	f(`{"object":"response","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"S."}],"encrypted_content":"x"}]}`,
		"responses\n0 max_output_tokens S:output[].summary[].text<S.> E:output[].encrypted_content<x>")
	f(`{"object":"response","status":"in_progress","output":[]}`, "responses FAILED body.not-completion: the response's status is in_progress")
	f(`{"object":"response","status":"failed","error":{"code":"server_error","message":"Oops"},"output":[]}`, "responses FAILED body.error: Oops (server_error)")
	f(`{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":"R.","signature":"s"},{"type":"redacted_thinking","data":"x"},{"type":"thinking","thinking":"","signature":"s"},{"type":"text","text":"A."},{"type":"tool_use","id":"t","name":"f","input":{"a":1}}],"stop_reason":"end_turn"}`,
		`anthropic`+"\n"+`0 end_turn R:content[].thinking<R.> E:content[].data<x> E:content[].signature<s> C:content[].text<A.> call t f {"a":1}`)
	f(`{"candidates":[{"content":{"parts":[{"text":"S.","thought":true},{"text":"A."},{"functionCall":{"name":"f","args":{"a":1}}}]},"finishReason":"STOP"}]}`,
		`gemini`+"\n"+`0 STOP S:parts[].thought<S.> C:parts[].text<A.> call  f {"a":1}`)
	f(`{"candidates":[{"content":{"parts":[{"text":"A."}]},"finish_reason":"MAX_TOKENS"}]}`, "gemini\n0 MAX_TOKENS C:parts[].text<A.>")
	f(`{"model":"m","message":{"role":"assistant","thinking":"R.","content":"A.","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},"done":true,"done_reason":"stop"}`,
		`ollama`+"\n"+`0 stop R:thinking<R.> C:content<A.> call  f {"a":1}`)
	f(`{"model":"m","response":"A.","thinking":"R.","done":true,"done_reason":"length"}`, "ollama\n0 length R:thinking<R.> C:response<A.>")
	f(`{"model":"m","response":"A.","done":false}`, "ollama FAILED stream.cut: one line of a stream that was not done\n0 - C:response<A.>")
	f(`{"id":"x","message":{"role":"assistant","tool_plan":"P.","content":[{"type":"thinking","thinking":"R."},{"type":"text","text":"A."}]},"finish_reason":"COMPLETE"}`,
		"cohere\n0 COMPLETE P:tool_plan<P.> R:content[].thinking<R.> C:content[].text<A.>")
	f(`{"response_id":"x","generation_id":"g","text":"A.","finish_reason":"COMPLETE","meta":{"tokens":{"input_tokens":3}}}`, "cohere v1\n0 COMPLETE C:text<A.>")
	f(`{"generation_id":"g","text":"P.","tool_calls":[{"name":"f","parameters":{"a":1}}],"finish_reason":"COMPLETE"}`, "cohere v1\n0 COMPLETE P:text<P.> call  f {\"a\":1}")
	f(`{"id":"x","generations":[{"id":"y","text":"A.","finish_reason":"MAX_TOKENS"},{"text":"B."}]}`, "cohere v1\n0 MAX_TOKENS C:text<A.>\n1 - C:text<B.>")
	// The same thinking in a field and among the parts is taken once.
	f(chat(`{"reasoning":"R.","content":[{"type":"thinking","thinking":"R."},{"type":"text","text":"A."}]}`), "chat\n0 stop R:reasoning<R.> C:content[].text<A.>")
	f(chat(`{"reasoning":"R.","content":[{"type":"thinking","thinking":"Q."},{"type":"text","text":"A."}]}`), "chat\n0 stop R:reasoning<R.> R:content[].thinking<Q.> C:content[].text<A.>")
	f(`{"generated_text":"A","details":{"finish_reason":"eos_token"}}`, "tgi\n0 eos_token C:generated_text<A>")
	f(`[{"generated_text":"A"},{"generated_text":"B"}]`, "tgi\n0 - C:generated_text<A>\n1 - C:generated_text<B>")
}

// Texts are never decoded: escapes come out as they stood.
func TestTextsStayEscaped(t *testing.T) {
	for _, raw := range []string{
		`{"choices":[{"message":{"content":"\u003cthink\u003e\ud83d \/ \n"},"finish_reason":"stop"}]}`,
		"data: {\"choices\":[{\"delta\":{\"content\":\"\\u003cthink\\u003e\"}}]}\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"\\ud83d \\/ \\n\"},\"finish_reason\":\"stop\"}]}\n\n",
	} {
		var p Parser
		r, err := p.Body([]byte(raw), 200, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := string(r.Choices[0].Segments[0].Text.Raw); got != `\u003cthink\u003e\ud83d \/ \n` {
			t.Errorf("got %s of %s", got, raw)
		}
	}
}

func TestUsage(t *testing.T) {
	f := func(raw string, prompt, completion, reasoning, total int64) {
		t.Helper()
		var p Parser
		r, _ := p.Body([]byte(raw), 200, "")
		if u := r.Usage; u.Prompt != prompt || u.Completion != completion || u.Reasoning != reasoning || u.Total != total {
			t.Errorf("%s: got %+v", raw, u)
		}
	}
	chat := `{"model":"m","choices":[{"message":{"content":"A"},"finish_reason":"stop"}],"usage":`
	f(chat+`{"prompt_tokens":14,"total_tokens":40,"completion_tokens":26,"reasoning_tokens":21}}`, 14, 26, 21, 40)
	f(chat+`{"prompt_tokens":14,"completion_tokens":26,"completion_tokens_details":{"reasoning_tokens":21},"reasoning_tokens":0}}`, 14, 26, 21, -1)
	f(chat+`{"prompt_tokens":14,"completion_tokens":26,"completion_tokens_details":null}}`, 14, 26, -1, -1)
	f(chat+`null}`, -1, -1, -1, -1)
	f(`{"object":"response","status":"completed","output":[],"usage":{"input_tokens":1,"output_tokens":2,"output_tokens_details":{"reasoning_tokens":1},"total_tokens":3}}`, 1, 2, 1, 3)
	f(`{"candidates":[],"usageMetadata":{"promptTokenCount":14,"candidatesTokenCount":5,"thoughtsTokenCount":21,"totalTokenCount":40}}`, 14, 26, 21, 40)
	f(`{"response":"A","done":true,"prompt_eval_count":14,"eval_count":26}`, 14, 26, -1, -1)
	f(`[{"text":"A","meta_info":{"prompt_tokens":5,"completion_tokens":3}},{"text":"B","meta_info":{"prompt_tokens":5,"completion_tokens":4}}]`, 5, 7, -1, -1)
	// In a stream the last one wins; Anthropic tells one half at each end.
	f("data: {\"choices\":[{\"delta\":{\"content\":\"A\"}}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1}}\n\ndata: {\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2}}\n\n", 1, 2, -1, -1)
	f("data: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":9,\"output_tokens\":1}}}\n\ndata: {\"type\":\"message_delta\",\"usage\":{\"output_tokens\":7}}\n\n", 9, 7, -1, -1)
}

func TestSimulated(t *testing.T) {
	for _, raw := range []string{
		`{"system_fingerprint":"thinkpipe-simulator","choices":[{"message":{"content":"A"},"finish_reason":"stop"}]}`,
		"data: {\"system_fingerprint\":\"thinkpipe-simulator\",\"choices\":[{\"delta\":{\"content\":\"A\"},\"finish_reason\":\"stop\"}]}\n\n",
		`{"text":"A","meta_info":{"simulator":true,"finish_reason":{"type":"stop"}}}`,
	} {
		var p Parser
		if r, _ := p.Body([]byte(raw), 200, ""); !r.Simulated || r.Failure != nil {
			t.Errorf("not known as simulated: %s", raw)
		}
	}
}
