package response

import (
	"fmt"
	"strings"
	"testing"
)

// sse frames data as a usual event stream.
func sse(data ...string) string {
	var b strings.Builder
	for _, d := range data {
		b.WriteString("data: " + d + "\n\n")
	}
	return b.String()
}

// delta is a chat chunk with that delta, of choice 0.
func delta(d string) string {
	return `{"object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":` + d + `,"finish_reason":null}]}`
}

const stop = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`

// texts is a stream of content deltas that ends well.
func texts(deltas ...string) string {
	var data []string
	for _, d := range deltas {
		data = append(data, delta(`{"content":"`+d+`"}`))
	}
	return sse(append(data, stop)...)
}

// What is no call must not run into one.
func TestMalformedCallsOfStream(t *testing.T) {
	got := body(sse(delta(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{"}}]}`), delta(`{"tool_calls":"x"}`),
		delta(`{"tool_calls":["y"]}`), delta(`{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}`), stop))
	if want := "chat stream COMPLAINT tool_calls holds what is no call +malformed-tool-calls\n0 stop call c f {} call   x call   y"; got != want {
		t.Errorf("got %s", got)
	}
}

// What stands after the end of a stream does not vanish without a word.
func TestAfterEnd(t *testing.T) {
	f := func(raw, want string) {
		t.Helper()
		if got := body(raw); got != want {
			t.Errorf("%s\n got %s\nwant %s", raw, got, want)
		}
	}
	one, two := sse(delta(`{"content":"A"}`), stop), sse(delta(`{"content":"B"}`), stop)
	done := sse("[DONE]")
	const second = " COMPLAINT 2 events of another answer after the end of the stream +event-after-end"
	f(one+done+two+done, "chat stream"+second+"\n0 stop C:content<A>")
	f(one+done+two, "chat stream"+second+"\n0 stop C:content<A>")
	f(one+two+done, "chat stream COMPLAINT choice 0 goes on after its finish reason: another answer? +text-after-finish\n0 stop C:content<AB>")
	f("["+delta(`{"content":"A"}`)+","+stop+","+delta(`{"content":"B"}`)+"]",
		"chat stream COMPLAINT choice 0 goes on after its finish reason: another answer? +text-after-finish\n0 stop C:content<AB>")
	f(sse(`{"type":"message_start","message":{}}`, `{"type":"content_block_delta","delta":{"text":"A"}}`, `{"type":"message_stop"}`,
		`{"type":"message_start","message":{}}`, `{"type":"ping"}`, `{"type":"message_stop"}`), "anthropic stream"+second+"\n0 - C:content[].text<A>")
	f(`{"response":"A","done":true}`+"\n"+`{"response":"B","done":false}`+"\n"+`{"response":"","done":true}`+"\n", "ollama stream"+second+"\n0 - C:response<A>")
	gemini := func(id, text, more string) string {
		return `{"candidates":[{"content":{"parts":[{"text":"` + text + `"}]}` + more + `}],"responseId":"` + id + `"}` + "\n"
	}
	const finish = `,"finishReason":"STOP"`
	f(gemini("1", "A", finish)+gemini("1", "B", finish), "gemini stream\n0 STOP C:parts[].text<AB>")
	f(gemini("1", "A", finish)+gemini("2", "B", "")+gemini("2", "C", finish), "gemini stream"+second+"\n0 STOP C:parts[].text<A>")
	f(gemini("1", "A", "")+gemini("2", "B", "")+gemini("2", "C", finish),
		"gemini stream FAILED stream.cut: the stream ends after 3 events without a finish reason"+second+"\n0 - C:parts[].text<A>")
	// What is none leaves a mark, or none when it says nothing.
	f(one+done+done, "chat stream\n0 stop C:content<A>")
	f(one+done+": ping\n\n", "chat stream\n0 stop C:content<A>")
	f(one+done+sse(`{"choices":[],"usage":{"completion_tokens":3}}`), "chat stream +event-after-end\n0 stop C:content<A>")
	f(one+done+sse(`{"error":{"message":"late"}}`), "chat stream +event-after-end\n0 stop C:content<A>")
	f(one+done+sse("nonsense"), "chat stream +event-after-end\n0 stop C:content<A>")
	f(one+sse(`{"choices":[{"index":0,"delta":{"content":""},"finish_reason":null}]}`, `{"choices":[],"usage":{}}`), "chat stream\n0 stop C:content<A>")
	f(sse(`{"choices":[{"index":0,"delta":{"content":"A"},"finish_reason":"stop"}]}`, `{"choices":[{"index":1,"delta":{"content":"B"},"finish_reason":"stop"}]}`),
		"chat stream\n0 stop C:content<A>\n1 stop C:content<B>")
}

func TestStreamShapes(t *testing.T) {
	f := func(raw, want string) {
		t.Helper()
		if got := body(raw); got != want {
			t.Errorf("%s\n got %s\nwant %s", raw, got, want)
		}
	}
	f(sse(delta(`{"role":"assistant","content":"","reasoning_content":null}`), delta(`{"reasoning_content":"R1 ","content":null}`),
		delta(`{"reasoning_content":"R2"}`), delta(`{"content":"A"}`), stop, "[DONE]"),
		"chat stream\n0 stop R:reasoning_content<R1 R2> C:content<A>")
	// Thinking and answer may alternate; the order is kept.
	f(sse(delta(`{"reasoning":"R1"}`), delta(`{"content":"A1"}`), delta(`{"reasoning":"R2"}`), delta(`{"content":"A2"}`), stop),
		"chat stream\n0 stop R:reasoning<R1> C:content<A1> R:reasoning<R2> C:content<A2>")
	// One text in two fields is taken once, in one delta or in two.
	f(sse(delta(`{"reasoning":"R","reasoning_content":"R"}`), delta(`{"content":"A"}`), stop), "chat stream\n0 stop R:reasoning_content<R> C:content<A>")
	f(sse(delta(`{"reasoning":"R"}`), delta(`{"reasoning_content":"R"}`), delta(`{"content":"A"}`), stop), "chat stream\n0 stop R:reasoning<R> C:content<A>")
	f(sse(delta(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"T1"}]}]}`), delta(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"T2"}]}]}`), delta(`{"content":"A"}`), stop),
		"chat stream\n0 stop R:content[].thinking<T1T2> C:content<A>")
	f(sse(delta(`{"refusal":"No"}`), delta(`{"refusal":"."}`), stop), "chat stream\n0 stop refusal<No.>")
	// A surrogate pair that is split over two deltas comes out whole.
	f(texts(`a\ud83d`, `\ude00b`), "chat stream\n0 stop C:content<a😀b>")
	// An empty finish reason is like null.
	f(sse(`{"choices":[{"delta":{"content":"A"},"finish_reason":""}]}`, stop), "chat stream\n0 stop C:content<A>")
	f(sse(`{"choices":[{"delta":{"content":"A"},"finish_reason":""}]}`, "[DONE]"), "chat stream\n0 null C:content<A>")
	// [DONE] ends a stream, too.
	f(sse(delta(`{"content":"A"}`), "[DONE]"), "chat stream\n0 null C:content<A>")
	// Choices by index, handed over in order.
	f(sse(`{"choices":[{"index":1,"delta":{"content":"B"}}]}`, `{"choices":[{"index":0,"delta":{"content":"A"},"finish_reason":"stop"}]}`,
		`{"choices":[{"index":1,"delta":{"content":"b"},"finish_reason":"length"}]}`),
		"chat stream\n0 stop C:content<A>\n1 length C:content<Bb>")
	f(sse(`{"choices":[],"prompt_filter_results":[]}`, delta(`{"content":"A"}`), stop, `{"choices":[],"usage":{"prompt_tokens":1}}`), "chat stream\n0 stop C:content<A>")
	f(sse(`{"object":"text_completion","choices":[{"index":0,"text":"A"}]}`, `{"choices":[{"index":0,"text":"","finish_reason":"length"}]}`),
		"completion stream\n0 length C:text<A>")

	f(sse(`{"text":"A","meta_info":{"finish_reason":null}}`, `{"text":"AB","meta_info":{"finish_reason":null}}`, `{"text":"ABC","meta_info":{"finish_reason":{"type":"stop"}}}`, "[DONE]"),
		"generate stream +cumulative-stream\n0 stop C:text<ABC>")
	f(sse(`{"text":"A","meta_info":{"finish_reason":null}}`, `{"text":"A<st","meta_info":{"finish_reason":null}}`, `{"text":"A","meta_info":{"finish_reason":{"type":"stop"}}}`, "[DONE]"),
		"generate stream +cumulative-stream\n0 stop C:text<A>")
	f(sse(`{"text":"A","meta_info":{"finish_reason":null}}`, `{"text":"B","meta_info":{"finish_reason":{"type":"stop"}}}`, "[DONE]"),
		"generate stream\n0 stop C:text<AB>")
	f(sse(`{"text":"A","index":0,"meta_info":{"finish_reason":{"type":"stop"}}}`, `{"text":"B","index":1,"meta_info":{"finish_reason":{"type":"length"}}}`),
		"generate stream\n0 stop C:text<A>\n1 length C:text<B>")

	f(sse(`{"type":"message_start","message":{"model":"m","content":[]}}`, `{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}`,
		`{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"R"}}`, `{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}`,
		`{"type":"content_block_stop","index":0}`, `{"type":"ping"}`, `{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"x"}}`,
		`{"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}}`, `{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"A"}}`,
		`{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}`, `{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}`,
		`{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"1}"}}`, `{"type":"content_block_stop","index":3}`,
		`{"type":"content_block_start","index":4,"content_block":{"type":"tool_use","id":"u","name":"g","input":{}}}`, `{"type":"content_block_stop","index":4}`,
		`{"type":"message_delta","delta":{"stop_reason":"tool_use"}}`, `{"type":"message_stop"}`),
		`anthropic stream`+"\n"+`0 tool_use R:content[].thinking<R> E:content[].data<x> C:content[].text<A> call t f {"a":1} call u g {}`)
	f(sse(`{"type":"message_start","message":{}}`, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`),
		"anthropic stream FAILED stream.error: Overloaded (overloaded_error)\n0 -")

	whole := `{"object":"response","status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"AB"}]}]}`
	deltas := []string{`{"type":"response.created","response":{"status":"in_progress"}}`, `{"type":"response.reasoning_text.delta","delta":"R"}`,
		`{"type":"response.output_text.delta","delta":"A"}`, `{"type":"response.output_text.delta","delta":"B"}`}
	f(sse(append(deltas, `{"type":"response.completed","response":`+whole+`}`)...), "responses stream\n0 completed C:content[].text<AB>")
	f(sse(append(deltas, `{"type":"response.completed","response":{"status":"completed","output":[]}}`)...),
		"responses stream\n0 completed R:output[].content[].text<R> C:content[].text<AB>")
	f(sse(deltas...), "responses stream FAILED stream.cut: the stream ends after 4 events without a finish reason\n0 - R:output[].content[].text<R> C:content[].text<AB>")
	f(sse(`{"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","call_id":"c","name":"f","arguments":""}}`,
		`{"type":"response.function_call_arguments.delta","output_index":1,"delta":"{}"}`, `{"type":"response.completed","response":{"status":"completed"}}`),
		"responses stream\n0 completed call c f {}")

	f(sse(`{"candidates":[{"content":{"parts":[{"text":"S","thought":true}]}}]}`, `{"candidates":[{"content":{"parts":[{"text":"A"}]},"finishReason":"STOP"}]}`),
		"gemini stream\n0 STOP S:parts[].thought<S> C:parts[].text<A>")
	lines := `{"message":{"role":"assistant","thinking":"R"},"done":false}` + "\n" + `{"message":{"content":"A"},"done":false}` + "\n"
	f(lines+`{"message":{"content":""},"done":true,"done_reason":"stop"}`+"\n", "ollama stream\n0 stop R:thinking<R> C:content<A>")
	f(lines, "ollama stream FAILED stream.cut: the stream ends after 2 events without a finish reason\n0 - R:thinking<R> C:content<A>")
	f(sse(`{"type":"message-start","delta":{"message":{"content":[],"tool_calls":[]}}}`, `{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"P"}}}`,
		`{"type":"content-delta","index":0,"delta":{"message":{"content":{"thinking":"R"}}}}`, `{"type":"content-delta","index":1,"delta":{"message":{"content":{"text":"A"}}}}`,
		`{"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"c","function":{"name":"f","arguments":""}}}}}`,
		`{"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{}"}}}}}`, `{"type":"message-end","delta":{"finish_reason":"TOOL_CALL"}}`),
		"cohere stream\n0 TOOL_CALL P:tool_plan<P> R:content[].thinking<R> C:content[].text<A> call c f {}")
	v1 := func(events ...string) string { return strings.Join(events, "\n\n") + "\n\n" }
	f(v1(`{"is_finished":false,"event_type":"stream-start","generation_id":"g"}`, `{"event_type":"text-generation","text":"A"}`, `{"event_type":"text-generation","text":"B"}`,
		`{"is_finished":true,"event_type":"stream-end","finish_reason":"COMPLETE","response":{"text":"AB","finish_reason":"COMPLETE"}}`), "cohere v1 stream\n0 COMPLETE C:text<AB>")
	f(v1(`{"event_type":"stream-start"}`, `{"event_type":"tool-calls-chunk","text":"P"}`, `{"event_type":"tool-calls-chunk","tool_call_delta":{"index":0,"name":"f"}}`,
		`{"event_type":"tool-calls-chunk","tool_call_delta":{"index":0,"parameters":"{}"}}`, `{"event_type":"tool-calls-generation","tool_calls":[{"name":"f","parameters":{}}]}`,
		`{"event_type":"stream-end","finish_reason":"COMPLETE"}`), "cohere v1 stream\n0 COMPLETE P:text<P> call  f {}")
	f(v1(`{"event_type":"tool-calls-generation","text":"P","tool_calls":[{"name":"f","parameters":{"a":1}}]}`, `{"event_type":"stream-end","finish_reason":"COMPLETE"}`),
		"cohere v1 stream\n0 COMPLETE P:text<P> call  f {\"a\":1}")
	f(v1(`{"event_type":"stream-start"}`, `{"event_type":"stream-end","response":{"text":"A","finish_reason":"MAX_TOKENS"}}`), "cohere v1 stream\n0 MAX_TOKENS C:text<A>")
	f(v1(`{"event_type":"stream-start"}`, `{"event_type":"text-generation","text":"A"}`), "cohere v1 stream FAILED stream.cut: the stream ends after 2 events without a finish reason\n0 - C:text<A>")
	f(sse(`{"token":{"text":"A"},"generated_text":null,"details":null}`, `{"token":{"text":"</s>","special":true},"generated_text":"A","details":{"finish_reason":"eos_token"}}`),
		"tgi stream\n0 eos_token C:generated_text<A>")

	f(sse(delta(`{"content":"A"}`), `{"foo":1}`, stop), "chat stream +unknown-event\n0 stop C:content<A>")
	f(sse(delta(`{"content":"A"}`), stop)+`data: {"choices":[],"usa`, "chat stream +cut-after-finish\n0 stop C:content<A>")
}

func TestStreamedCalls(t *testing.T) {
	f := func(want string, deltas ...string) {
		t.Helper()
		var data []string
		for _, d := range deltas {
			data = append(data, delta(`{"tool_calls":[`+d+`]}`))
		}
		if got := body(sse(append(data, stop)...)); got != "chat stream\n0 stop "+want {
			t.Errorf("%s\n got %s\nwant %s", deltas, got, want)
		}
	}
	f(`call a f {"x":1}`, `{"index":0,"id":"a","function":{"name":"f","arguments":""}}`, `{"index":0,"function":{"arguments":"{\"x\":"}}`, `{"index":0,"function":{"arguments":"1}"}}`)
	// By index, interleaved.
	f(`call a f {"x":1} call b g {"y":2}`, `{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}`, `{"index":1,"id":"b","function":{"name":"g"}}`,
		`{"index":1,"function":{"arguments":"{\"y\":2}"}},{"index":0,"function":{"arguments":":1}"}}`)
	// Every call has the index 0, or none has one.
	f(`call a f {} call b g {}`, `{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`, `{"index":0,"id":"b","function":{"name":"g","arguments":"{}"}}`)
	f(`call a f {} call b g {}`, `{"id":"a","function":{"name":"f","arguments":"{}"}}`, `{"id":"b","function":{"name":"g","arguments":"{}"}}`)
	f(`call  f {"x":1} call  g {}`, `{"function":{"name":"f","arguments":"{\"x\""}}`, `{"function":{"arguments":":1}"}}`, `{"function":{"name":"g","arguments":"{}"}}`)
	// Id and name come again with each piece, or empty.
	f(`call a f {}`, `{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}`, `{"index":0,"id":"a","function":{"name":"f","arguments":"}"}}`)
	f(`call a f {}`, `{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}`, `{"index":0,"id":"","function":{"name":"","arguments":"}"}}`)
	f(`call a f {"x":1}`, `{"index":0,"id":"a","function":{"name":"f","arguments":{"x":1}}}`)
	// Every call has the index 0, and no id: whole arguments end one.
	f(`call  f {"x":"}"} call  g {} call  g {"y":[1]}`, `{"index":0,"function":{"name":"f","arguments":"{\"x\":\"}"}}`, `{"index":0,"function":{"arguments":"\"}"}}`,
		`{"index":0,"function":{"name":"g","arguments":"{}"}}`, `{"index":0,"function":{"name":"g","arguments":"{\"y\":[1]"}}`, `{"index":0,"function":{"arguments":"}"}}`)
	f(`call a f {} call  g {}`, `{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`, `{"index":0,"function":{"name":"g","arguments":"{}"}}`)
	f(`call  f {} call b g {}`, `{"index":0,"function":{"name":"f","arguments":"{}"}}`, `{"index":0,"id":"b","function":{"name":"g","arguments":"{}"}}`)
	// A name in pieces, or said again when all is there.
	f(`call  fg {}`, `{"index":0,"function":{"name":"f","arguments":""}}`, `{"index":0,"function":{"name":"g","arguments":"{}"}}`)
	f(`call  f {}`, `{"index":0,"function":{"name":"f","arguments":"{}"}}`, `{"index":0,"function":{"name":"f","arguments":""}}`)
	f(`call a f {}`, `{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}`, `{"index":0,"id":"a","function":{"name":"f","arguments":" "}}`)
}

func TestCumulative(t *testing.T) {
	f := func(want string, deltas ...string) {
		t.Helper()
		if got := body(texts(deltas...)); got != want {
			t.Errorf("%q\n got %s\nwant %s", deltas, got, want)
		}
	}
	once := func(text string) string { return "chat stream +cumulative-stream\n0 stop C:content<" + text + ">" }
	joined := func(text string) string { return "chat stream\n0 stop C:content<" + text + ">" }
	unsure := func(text string) string {
		return "chat stream +maybe-cumulative-stream\n0 stop C:content<" + text + ">"
	}

	f(once("The sum is 7."), "The", "The sum", "The sum is 7.")
	f(once("The sum is 7."), "The", "The", "The sum", "The sum is 7.", "The sum is 7.")
	sentence := "The first of the two numbers is seven."
	f(once(sentence+" So it is."), sentence, sentence+" So it is.")
	f(once(strings.Repeat("a", 9)), strings.Split("a aa aaa aaaa aaaaa aaaaaa aaaaaaa aaaaaaaa aaaaaaaaa", " ")...)

	// A model that repeats itself is not a server that does.
	f(joined("haha"), "ha", "ha")
	f(joined("ha ha ha "), "ha ", "ha ", "ha ")
	f(joined("1 11 111"), "1", " 1", "1", " 1", "11")
	f(joined("TheThe sum is"), "The", "The", " sum is")
	f(joined("a"), "a")
	f(joined("AAndB"), "A", "And", "B")
	f(unsure("hahahahahaha"), "ha", "haha", "hahaha")
	f(unsure("44242."), "4", "42", "42.")
	f(unsure("TheThe sum is 7."), "The", "The sum is 7.")
	f(unsure(sentence+sentence), sentence, sentence)

	// Both fields at once: the thinking goes on being sent beside the answer.
	got := body(sse(delta(`{"reasoning":"Add"}`), delta(`{"reasoning":"Add the two","content":""}`), delta(`{"reasoning":"Add the two of them","content":"The"}`),
		delta(`{"reasoning":"Add the two of them","content":"The sum"}`), delta(`{"reasoning":"Add the two of them","content":"The sum is 7"}`), stop))
	if want := "chat stream +cumulative-stream\n0 stop R:reasoning<Add the two of them> C:content<The sum is 7>"; got != want {
		t.Errorf("got %s", got)
	}
	// What one field shows holds for the others, and for the other choices.
	both := func(reasoning, content string) string {
		return delta(`{"reasoning":"` + reasoning + `","content":"` + content + `"}`)
	}
	got = body(sse(both("The first", "4"), both("The first sum", "42"), both("The first sum is 42", "42."), stop))
	if want := "chat stream +cumulative-stream\n0 stop R:reasoning<The first sum is 42> C:content<42.>"; got != want {
		t.Errorf("got %s", got)
	}
	got = body(sse(both("The first", "4"), both(" sum", "42"), both(" is 42", "42."), stop))
	if want := "chat stream +maybe-cumulative-stream\n0 stop R:reasoning<The first> C:content<4> R:reasoning< sum> C:content<42> R:reasoning< is 42> C:content<42.>"; got != want {
		t.Errorf("got %s", got)
	}
	got = body(sse(both("The first", "ha"), both("The first sum", "ha"), both("The first sum is 42", ""), `{"choices":[{"index":1,"delta":{"content":"4"}}]}`,
		`{"choices":[{"index":1,"delta":{"content":"42"},"finish_reason":"stop"}]}`, stop))
	if want := "chat stream +cumulative-stream\n0 stop R:reasoning<The first sum is 42> C:content<ha>\n1 stop C:content<42>"; got != want {
		t.Errorf("got %s", got)
	}
	got = body(sse(both("The first", ""), both("The first sum", ""), both("The first sum is 42", ""), delta(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"1"}}]}`),
		delta(`{"tool_calls":[{"index":0,"function":{"arguments":"12"}}]}`), stop))
	if want := "chat stream +cumulative-stream\n0 stop R:reasoning<The first sum is 42> call c f 12"; got != want {
		t.Errorf("got %s", got)
	}
	// Arguments are whole when the last piece alone is JSON.
	call := func(a string) string {
		return delta(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"` + a + `"}}]}`)
	}
	got = body(sse(call(`{`), call(`{\"x\"`), call(`{\"x\":1}`), stop))
	if want := "chat stream +cumulative-stream\n0 stop call c f {\"x\":1}"; got != want {
		t.Errorf("got %s", got)
	}
	got = body(sse(call(`1`), call(`12`), stop))
	if want := "chat stream\n0 stop call c f 112"; got != want {
		t.Errorf("got %s", got)
	}
}

// Memory and time stay linear in what a cumulative stream sends.
func TestCumulativeBecomesJoined(t *testing.T) {
	var want strings.Builder
	deltas := []string{"a", "ab", "abc", "abcd"}
	for range 50 {
		deltas = append(deltas, " and on")
	}
	for _, d := range deltas {
		want.WriteString(d)
	}
	if got := body(texts(deltas...)); got != "chat stream\n0 stop C:content<"+want.String()+">" {
		t.Errorf("got %s", got)
	}
}

// Every framing gives the same record.
func TestFraming(t *testing.T) {
	data := []string{delta(`{"reasoning":"先算"}`), delta(`{"content":"A: 7"}`), stop, `{"choices":[],"usage":{"completion_tokens":7}}`, "[DONE]"}
	const want = "chat stream\n0 stop R:reasoning<先算> C:content<A: 7>"
	framings := map[string]func(d string) string{
		"usual":        func(d string) string { return "data: " + d + "\n\n" },
		"no space":     func(d string) string { return "data:" + d + "\n\n" },
		"two spaces":   func(d string) string { return "data:  " + d + "\n\n" },
		"CRLF":         func(d string) string { return "data: " + d + "\r\n\r\n" },
		"CR":           func(d string) string { return "data: " + d + "\r\r" },
		"mixed":        func(d string) string { return "data: " + d + "\r\n\n" },
		"comments":     func(d string) string { return ": ping\n\n: before\ndata: " + d + "\n:after\n\n:\n\n" },
		"other fields": func(d string) string { return "id: 1\nevent: chunk\nretry: 10\ndata: " + d + "\n\n" },
		"after data":   func(d string) string { return "data: " + d + "\nid: 1\nevent: message\n\n" },
		"unknown":      func(d string) string { return "x-trace: 1\ndata: " + d + "\nfoo\n\n" },
		"empty data":   func(d string) string { return "data\n\ndata:\n\ndata: " + d + "\n\n" },
		"no blank":     func(d string) string { return "data: " + d + "\n" },
		"no blank CR":  func(d string) string { return "data: " + d + "\r" },
		"many blanks":  func(d string) string { return "\n\ndata: " + d + "\n\n\n\n" },
		"space around": func(d string) string { return "data: " + d + " \n\n" },
		"lines": func(d string) string {
			return "data: " + strings.ReplaceAll(d, `,"`, ",\ndata:\"") + "\n\n"
		},
		"lines CRLF": func(d string) string {
			return "data: " + strings.ReplaceAll(d, `,"`, ",\r\ndata: \"") + "\r\n\r\n"
		},
	}
	for name, frame := range framings {
		for _, bom := range []string{"", "\ufeff"} {
			raw := bom
			for _, d := range data {
				raw += frame(d)
			}
			for _, raw := range []string{raw, strings.TrimRight(raw, "\r\n")} {
				var p Parser
				r, err := p.Body([]byte(raw), 200, "text/event-stream; charset=utf-8")
				if got := show(r, err); got != want || r.Usage.Completion != 7 {
					t.Errorf("%s: got %s, usage %+v\n%q", name, got, r.Usage, raw)
				}
				if got := body(raw); got != want {
					t.Errorf("%s, content type unknown: got %s", name, got)
				}
			}
		}
	}
	lines := strings.Join(data[:4], "\n")
	var p Parser
	for _, raw := range []string{lines, lines + "\n", strings.ReplaceAll(lines, "\n", "\r\n"), "\ufeff" + lines} {
		if got := show(p.Chunks([]byte(raw))); got != want {
			t.Errorf("chunks: got %s", got)
		}
		if got := body(raw); got != want {
			t.Errorf("JSON lines: got %s", got)
		}
	}
	if got := body("[" + strings.Join(data[:4], ",") + "]"); got != want {
		t.Errorf("array: got %s", got)
	}
}

// A stream that is cut anywhere is no success unless its terminal event is in
// the part that was kept.
func TestCutStreams(t *testing.T) {
	streams := map[string]string{
		"chat":        sse(delta(`{"reasoning":"R😀"}`), delta(`{"content":"A"}`), stop, "[DONE]"),
		"done only":   sse(delta(`{"content":"A"}`), delta(`{"content":"B"}`), "[DONE]"),
		"one by one":  strings.ReplaceAll(sse(delta(`{"content":"A"}`), stop, "[DONE]"), "\n\n", "\n"),
		"CRLF":        strings.ReplaceAll(sse(delta(`{"content":"A"}`), stop), "\n", "\r\n"),
		"completions": sse(`{"choices":[{"text":"A"}]}`, `{"choices":[{"text":"B","finish_reason":"stop"}]}`),
		"generate":    sse(`{"text":"A","meta_info":{"finish_reason":null}}`, `{"text":"AB","meta_info":{"finish_reason":{"type":"stop"}}}`),
		"anthropic":   sse(`{"type":"content_block_delta","delta":{"text":"A"}}`, `{"type":"message_delta","delta":{"stop_reason":"end_turn"}}`),
		"responses":   sse(`{"type":"response.output_text.delta","delta":"A"}`, `{"type":"response.completed","response":{"status":"completed"}}`),
		"gemini":      sse(`{"candidates":[{"content":{"parts":[{"text":"A"}]}}]}`, `{"candidates":[{"finishReason":"STOP"}]}`),
		"ollama":      `{"response":"A","done":false}` + "\n" + `{"response":"","done":true}` + "\n",
	}
	for name, raw := range streams {
		ends := 0
		for _, mark := range []string{`"finish_reason":"stop"}]}`, `[DONE]`, `"type":"stop"}}}`, `"end_turn"}}`, `"status":"completed"}}`, `"finishReason":"STOP"}]}`, `"done":true}`} {
			if at := strings.Index(raw, mark); at >= 0 && (ends == 0 || at+len(mark) < ends) {
				ends = at + len(mark)
			}
		}
		for cut := range len(raw) + 1 {
			var p Parser
			r, err := p.Body([]byte(raw[:cut]), 200, "")
			if success := r.Failure == nil && err == nil; success != (cut >= ends) {
				t.Errorf("%s cut at %d of %d (ends at %d): success %v, %s", name, cut, len(raw), ends, success, show(r, err))
				break
			}
		}
	}
}

func TestManyLinesOfOneEvent(t *testing.T) {
	var b strings.Builder
	b.WriteString("data: {\n")
	for i := range 100_000 {
		fmt.Fprintf(&b, "data: \"k%d\": {}\ndata: ,\n", i)
	}
	b.WriteString("data: \"choices\":[{\"delta\":{\"content\":\"A\"},\"finish_reason\":\"stop\"}]}\n\n")
	if got := body(b.String()); got != "chat stream\n0 stop C:content<A>" {
		t.Errorf("got %.200s", got)
	}
}
