package response

import (
	"bufio"
	"encoding/base64"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

const goodBody = `{"id":"chatcmpl-1","model":"m","choices":[{"index":0,"message":{"content":"A.","reasoning":"R."},"finish_reason":"stop"}]}`

const goodShown = "0 stop R:reasoning<R.> C:content<A.>"

func TestLineShapes(t *testing.T) {
	f := func(line, want string) {
		t.Helper()
		if got := parse(line); got != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
	}
	// Exchanges and batch output lines.
	f(`{"id":"ex_1","custom_id":"p","response":{"status_code":200,"body":`+goodBody+`},"error":null}`, "p chat\n"+goodShown)
	f(`{"id":"ex_1","custom_id":"p","response":{"status_code":200,"text":`+strconv.Quote(goodBody)+`},"error":null}`, "p chat\n"+goodShown)
	f(`{"id":"ex_1","custom_id":"p","response":{"status_code":200,"body":`+strconv.Quote(goodBody)+`},"error":null}`, "p chat\n"+goodShown)
	f(`{"id":"ex_1","custom_id":"p","response":{"status_code":200,"text":`+strconv.Quote(sse(delta(`{"content":"A."}`), stop))+`}}`, "p chat stream\n0 stop C:content<A.>")
	f(`{"id":"ex_1","custom_id":"p","response":{"status_code":200,"base64":"`+base64.StdEncoding.EncodeToString([]byte(goodBody))+`"}}`, "p chat\n"+goodShown)
	f(`{"id":"ex_1","custom_id":"p","response":{"status_code":200,"base64":"%"}}`,
		"p  FAILED body.not-completion: response.base64: illegal base64 data at input byte 0")
	f(`{"id":"ex_1","custom_id":"p","response":{"status_code":400,"body":{"error":{"message":"max_tokens is too large"}}},"error":null}`,
		"p  FAILED http.4xx: max_tokens is too large")
	f(`{"id":"ex_1","custom_id":"p","response":null,"error":{"code":"batch_expired","message":"not in time"}}`, "p  FAILED body.error: not in time (batch_expired)")
	f(`{"id":"ex_1","custom_id":"p","response":null,"error":{"code":"timeout.idle","message":"10m0s"}}`, "p  FAILED timeout.idle: 10m0s")
	f(`{"id":"ex_1","custom_id":"p","response":{"status_code":503},"error":null}`, "p  FAILED http.5xx: no body")
	f(`{"id":"ex_1","custom_id":"p","response":{"status_code":200,"body":null},"error":null}`, "p  FAILED body.not-completion: no response")
	// What an archive says of an attempt wins over what came, which is kept.
	f(`{"id":"ex_1","custom_id":"p","response":{"status_code":200,"text":`+strconv.Quote(sse(delta(`{"content":"A."}`)))+`},"error":{"code":"timeout.idle","message":"no byte for 10m"}}`,
		"p chat stream FAILED timeout.idle: no byte for 10m\n0 null C:content<A.>")
	f(`{"custom_id":"p","result":{"type":"succeeded","message":{"type":"message","content":[{"type":"text","text":"A."}],"stop_reason":"end_turn"}}}`,
		"p anthropic\n0 end_turn C:content[].text<A.>")
	f(`{"custom_id":"p","result":{"type":"errored","error":{"type":"error","error":{"type":"invalid_request_error","message":"bad"}}}}`, "p error FAILED body.error: bad (invalid_request_error)")
	f(`{"custom_id":"p","result":{"type":"expired"}}`, "p error FAILED body.not-completion: request expired")

	f(`{"batch_request_id":"p","batch_result":{"response":{"chat_get_completion":`+goodBody+`}}}`, "p chat\n"+goodShown)
	f(`{"batch_request_id":"p","batch_result":{"error":{"code":3,"message":"bad"}}}`, "p error FAILED body.error: bad (3)")
	f(`{"batch_request_id":"p","batch_result":{}}`, "p error FAILED body.not-completion: no response")
	const gemini = `"response":{"candidates":[{"content":{"parts":[{"text":"A."}]},"finishReason":"STOP"}]}`
	f(`{"key":"p",`+gemini+`}`, "p gemini\n0 STOP C:parts[].text<A.>")
	f(`{"key":"k","id":"p",`+gemini+`}`, "p gemini\n0 STOP C:parts[].text<A.>")
	f(`{"metadata":{"key":"p"},`+gemini+`}`, "p gemini\n0 STOP C:parts[].text<A.>")
	f(`{"key":"p","error":{"code":3,"message":"bad"}}`, "p error FAILED body.error: bad (3)")
	f(`{"key":"k","response":`+goodBody+`}`, "chat +no-id\n"+goodShown) // anybody's key
	f(`{"status_code":200,"body":`+goodBody+`}`, "chat +no-id\n"+goodShown)
	f(`{"id":"p","status_code":500,"body":{"error":{"message":"gone"}}}`, "p  FAILED http.5xx: gone")

	// A body beside an id.
	f(`{"id":"p","response":`+goodBody+`}`, "p chat\n"+goodShown)
	f(`{"id":"p","raw_response":`+goodBody+`}`, "p chat\n"+goodShown)
	f(`{"question_id":"p","response":`+goodBody+`,"raw_response":{"choices":[]}}`, "p chat\n"+goodShown)
	f(`{"id":"p","response":{"text":"A","meta_info":{"finish_reason":{"type":"stop"}}}}`, "p generate\n0 stop C:text<A>")
	f(`{"id":"p","status_code":500,"response":{"error":{"message":"gone"}}}`, "p  FAILED http.5xx: gone")
	f(`{"id":"p","status":1,"response":`+goodBody+`}`, "p chat\n"+goodShown)
	f(`{"id":0,"response":`+goodBody+`}`, "0 chat\n"+goodShown)
	f(`{"response":`+goodBody+`}`, "chat +no-id\n"+goodShown)
	f(`{"id":"","response":`+goodBody+`}`, "chat +no-id\n"+goodShown)
	f(`{"id":"p","response_text":`+strconv.Quote(goodBody)+`}`, "p chat\n"+goodShown)
	f(`{"id":"p","status":200,"content_type":"text/html","response_text":"<html>"}`, "p  FAILED body.not-completion: <html>")
	f(`{"id":"p","response_text":"<think>7</think>8"}`,
		`p  FAILED body.not-completion: the text is no response body: <think>7</think>8 (if it is the answer itself: --text-field response_text)`)
	f(`{"id":"p","response":{"status_code":200,"body":"Yes."}}`,
		`p  FAILED body.not-completion: the text is no response body: Yes. (if it is the answer itself: --text-field response.body)`)
	f(`{"id":"p","response":{"status_code":200,"text":"`+strings.Repeat("Yes. ", 200)+`"}}`,
		`p  FAILED body.not-completion: the text is no response body: `+strings.Repeat("Yes. ", 40)+`… (if it is the answer itself: --text-field response.text)`)
	f(`{"id":"p","response_text":""}`, `p  FAILED body.not-completion: empty body`)
	// Without a status.
	f(`{"id":"p","response":{"text":`+strconv.Quote(goodBody)+`}}`, "p chat\n"+goodShown)
	f(`{"id":"p","response":{"text":`+strconv.Quote(sse(delta(`{"content":"A."}`), stop))+`}}`, "p chat stream\n0 stop C:content<A.>")
	f(`{"id":"p","response":{"text":"<think>7</think>8"}}`,
		`p  FAILED body.not-completion: the text is no response body: <think>7</think>8 (if it is the answer itself: --text-field response.text)`)
	f(`{"id":"p","response":{"text":"A.","generation_id":"g"}}`, "p cohere v1\n0 - C:text<A.>")
	f(`{"id":"p","response":{"status":503,"text":"gone"}}`, "p  FAILED http.5xx: gone")
	f(`{"custom_id":"p","response":{"body":`+goodBody+`}}`, "p chat\n"+goodShown)
	f(`{"id":"p","generated_text":"A."}`, "p tgi\n0 - C:generated_text<A.>")
	f(`{"id":"p","model":"m","response":"A.","done":true,"done_reason":"stop"}`, "p ollama\n0 stop C:response<A.>")

	// Logs: a message, or its choice, in the place of the body, or a body under other names.
	f(`{"id":"p","response":{"role":"assistant","content":"A.","reasoning":"R."}}`, "p message\n0 - R:reasoning<R.> C:content<A.>")
	f(`{"id":"p","response":{"content":"A.","reasoning_content":"R."},"finish_reason":"length"}`, "p message\n0 length R:reasoning_content<R.> C:content<A.>")
	f(`{"id":"p","response":{"message":{"role":"assistant","content":"A.","reasoning":"R."}}}`, "p message\n0 - R:reasoning<R.> C:content<A.>")
	f(`{"id":"p","response":{"message":{"role":"assistant","content":"A.","reasoning":"R."},"finish_reason":"stop"}}`, "p cohere\n0 stop R:reasoning<R.> C:content<A.>")
	f(`{"id":"p","input":{"messages":[{"role":"user","content":"Q"}]},"output":{"role":"assistant","content":[{"type":"text","text":"A."}]}}`, "p message\n0 - C:content[].text<A.>")
	f(`{"id":"p","outputs":`+goodBody+`}`, "p chat\n"+goodShown)
	f(`{"id":"p","request_body":{"prompt":"Q"},"response_body":`+goodBody+`}`, "p chat\n"+goodShown)
	f(`{"id":"p","status":500,"response":{"role":"assistant","content":"A."}}`, `p  FAILED http.5xx: {"role":"assistant","content":"A."}`)
	f(`{"id":"p","response":{"role":"user","content":"A."}}`, `p  FAILED body.not-completion: no completion: {"role":"user","content":"A."}`)
	f(`{"id":"p","response":{"content":"A."}}`, `p  FAILED body.not-completion: no completion: {"content":"A."}`)
	f(`{"id":"p","response":["A.","B."]}`, `p  FAILED body.not-completion: a list of 2 texts and no body: --text-field PATH takes it for as many answers`)
	f(`{"output":{"message":{"role":"assistant","content":[{"text":"A."}]}},"stopReason":"end_turn"}`, "bedrock +no-id\n0 end_turn C:content[].text<A.>")
	f(`{"id":"p","call_type":"acompletion","response":null,"error_str":"boom"}`, "p error FAILED body.error: boom")
	f(`{"id":"p","call_type":"acompletion","response":`+goodBody+`,"error_str":null}`, "p chat\n"+goodShown)
	f(`{"id":"p","response_text":"{} {}"}`, `p  FAILED body.not-completion: {} {}`)
	f(`{"id":"p","status":429,"response_text":"later"}`, "p  FAILED http.429: later")
	f(goodBody, "chat +no-id\n"+goodShown)
	f(`{"custom_id":"p",`+goodBody[1:], "p chat\n"+goodShown)
	f(`{"model":"m","response":"A.","done":true,"done_reason":"stop"}`, "ollama +no-id\n0 stop C:response<A.>")

	// Failures.
	f(`{"id":"p","error":{"message":"refused","code":503}}`, "p error FAILED http.5xx: refused (503)")
	f(`{"id":"p","error":{"message":"too long","code":"context_length_exceeded"}}`, "p error FAILED context-overflow: too long (context_length_exceeded)")
	f(`{"id":"p","error":{"message":"no money","type":"insufficient_quota","code":"insufficient_quota"}}`, "p error FAILED body.error: no money (insufficient_quota)")
	f(`{"error":{"message":"no money","code":"insufficient_quota"}}`, "error FAILED body.error: no money (insufficient_quota) +no-id")
	f(`{"id":"p","error":{"code":"timeout.idle"}}`, `p error FAILED timeout.idle:`)
	f(`{"id":"p","error":{"code":"http.418","message":"tea"}}`, "p error FAILED body.error: tea (http.418)")
	f(`{"id":"p","error":{"code":"too_long","message":"reduce the length"}}`, "p error FAILED context-overflow: reduce the length (too_long)")
	f(`{"id":"p","error":"refused"}`, "p error FAILED body.error: refused")
	f(`{"id":"p","error":{"code":"connect","message":"refused"}}`, "p error FAILED connect: refused")
	f(`{"id":"p","response":null}`, "p error FAILED body.not-completion: no response")

	// Answers without a body.
	f(`{"id":"p","reasoning":"R.","content":"A."}`, "p flat\n0 - R:reasoning<R.> C:content<A.>")
	f(`{"id":"p","reasoning_content":"R.","content":"A.","finish_reason":"length"}`, "p flat\n0 length R:reasoning_content<R.> C:content<A.>")
	f(`{"id":"p","thinking":"R.","content":null}`, "p flat\n0 - R:thinking<R.>")
	f(`{"id":"p","content":"A.","finish_reason":""}`, "p flat\n0 - C:content<A.>")
	f(`{"id":"p","content":"A.","finish_reason":null}`, "p flat\n0 null C:content<A.>")
	f(`{"id":"p","prompt":"Q","response":"A."}`, "p flat\n0 - C:response<A.>")
	f(`{"id":"p","prompt":"Q","response":"{\"answer\":7}"}`, `p flat`+"\n"+`0 - C:response<{"answer":7}>`)
	f(`{"id":"p","response":`+strconv.Quote(goodBody)+`}`, "p chat\n"+goodShown)
	f(`{"id":"p","response":`+strconv.Quote(sse(delta(`{"content":"A."}`), stop))+`}`, "p chat stream\n0 stop C:content<A.>")
	f(`{"id":"p","response":"data: see below"}`, "p flat\n0 - C:response<data: see below>")
	f(`{"id":"p","response":null,"content":"A."}`, "p flat\n0 - C:content<A.>")
	f(`{"id":"p","messages":[{"role":"user","content":"Q"},{"role":"assistant","content":"A.","reasoning_content":"R."}]}`, "p conversation\n0 - R:reasoning_content<R.> C:content<A.>")
	f(`{"id":"p","conversations":[{"from":"human","value":"Q"},{"from":"gpt","value":"A."}]}`, "p conversation\n0 - C:value<A.>")
	f(`{"id":"p","messages":[{"role":"user","content":"Q"}],"content":"A."}`, "p flat\n0 - C:content<A.>")
}

func TestUnknownLines(t *testing.T) {
	f := func(line, want string) {
		t.Helper()
		var p Parser
		var d jsonscan.Doc
		if err := d.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		r, err := p.Parse(d.Root())
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
		if strings.Contains(line, `"id":"p"`) && r.ID.String() != "p" {
			t.Errorf("%s: the id is lost", line)
		}
	}
	f(`{"id":"p","messages":[{"role":"user","content":"Q"}]}`, `the keys are "id", "messages"`)
	f(`{"id":"p","question":"Q","answer":"A"}`, `no archived answer of a known shape; the keys are "id", "question", "answer"`)
	f(`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1}`, `"h", …`)
	f(`{"id":"p","input":"Q","output":"A"}`, `the keys are "id", "input", "output"`)
	f(`[{"model":"m","messages":[]},`+goodBody+`,{"row_id":1}]`, "an array of a request and its response, not an object: jq -c")
	f(`[{"model":"m","messages":[]},["Rate limit"]]`, "an array of a request and its response")
	f(`[{"model":"m"},1]`, "want an object, not array")
	f(`7`, "want an object, not number")
	// A count that is none is not taken for 0.
	f(`{"id":"p","sample":1.5,"response":`+goodBody+`}`, `"sample" is 1.5, want a whole number from 0 on`)
	f(`{"id":"p","turn":-1,"content":"A"}`, `"turn" is -1, want a whole number from 0 on`)
	f(`{"id":"p","choice":"1","content":"A"}`, `"choice" is "1", want a whole number from 0 on`)
	f(`{"id":"p","sample":[],"response":null,"error":"x"}`, `"sample" is [], want a whole number from 0 on`)
	f(`"text"`, "want an object, not string")
}

func TestEnvelope(t *testing.T) {
	var p Parser
	var d jsonscan.Doc
	line := `{"id":"ex_1","custom_id":"p","sample":3,"turn":1,"attempt":2,"retried":true,"dead":true,"request":{"body":{"messages":[{"role":"user","content":"Q"}]},"sha256":"ab"},` +
		`"response":{"status_code":200,"headers":{"server":"thinkpipe-simulator"},"body":` + goodBody + `},"error":null,"server_epoch":4,"meta":{"k":1}}`
	if err := d.Scan([]byte(line)); err != nil {
		t.Fatal(err)
	}
	r, err := p.Parse(d.Root())
	if err != nil || r.Failure != nil {
		t.Fatal(err, r.Failure)
	}
	if r.Sample != 3 || r.Turn != 1 || r.Attempt != 2 || !r.Retried || !r.Dead || r.Epoch != 4 || r.Status != 200 || !r.Simulated {
		t.Errorf("got %+v", r)
	}
	if got := string(r.Messages) + string(r.Request.Raw()) + r.RequestSHA256.String() + string(r.Meta) + r.Model.String(); got !=
		`[{"role":"user","content":"Q"}]{"messages":[{"role":"user","content":"Q"}]}ab{"k":1}m` {
		t.Errorf("got %s", got)
	}
}

func TestMessages(t *testing.T) {
	f := func(line, want string) {
		t.Helper()
		var p Parser
		var d jsonscan.Doc
		if err := d.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		if r, err := p.Parse(d.Root()); err != nil || string(r.Messages) != want {
			t.Errorf("%s: got %s, %v", line, r.Messages, err)
		}
	}
	f(`{"id":"p","messages":[{"role":"user","content":"Q"}],"response":`+goodBody+`}`, `[{"role":"user","content":"Q"}]`)
	f(`{"id":"p","request":{"prompt":"Q \ud83d"},"response":`+goodBody+`}`, `[{"role":"user","content":"Q \ud83d"}]`)
	f(`{"id":"p","question":"Q","response":`+goodBody+`}`, `[{"role":"user","content":"Q"}]`)
	f(`{"id":"p","input":{"messages":[{"role":"user","content":"Q"}]},"output":`+goodBody+`}`, `[{"role":"user","content":"Q"}]`)
	f(`{"id":"p","inputs":{"prompt":"Q"},"outputs":`+goodBody+`}`, `[{"role":"user","content":"Q"}]`)
	f(`{"id":"p","response":`+goodBody+`}`, ``)
	f(`{"id":"p","messages":[{"role":"system","content":"S"},{"content":"Q","role":"user"},{"role":"assistant","content":"A"}]}`,
		`[{"role":"system","content":"S"},{"content":"Q","role":"user"}]`)
	f(`{"id":"p","messages":[{"role":"assistant","content":"A"}]}`, `[]`)
	f(`{"id":"p","conversations":[{"from":"system","value":"S"},{"from":"human","value":"Q"},{"from":"gpt","value":"A"}]}`,
		`[{"role":"system","content":"S"},{"role":"user","content":"Q"}]`)

	// A system prompt that has a field of its own is a message, too.
	f(`{"id":"p","request":{"body":{"instructions":"S","input":"Q"}},"response":`+goodBody+`}`, `[{"role":"system","content":"S"},{"role":"user","content":"Q"}]`)
	f(`{"id":"p","request":{"body":{"instructions":null,"input":"Q"}},"response":`+goodBody+`}`, `[{"role":"user","content":"Q"}]`)
	f(`{"id":"p","request":{"body":{"system":[{"type":"text","text":"S"}],"messages":[{"role":"user","content":"Q"}]}},"response":`+goodBody+`}`,
		`[{"role":"system","content":[{"type":"text","text":"S"}]},{"role":"user","content":"Q"}]`)
	f(`{"id":"p","system":"S","conversations":[{"from":"human","value":"Q"},{"from":"gpt","value":"A"}]}`, `[{"role":"system","content":"S"},{"role":"user","content":"Q"}]`)
	f(`{"id":"p","system":"S","conversations":[{"from":"gpt","value":"A"}]}`, `[{"role":"system","content":"S"}]`)
	f(`{"id":"p","system":"S","prompt":"Q","response":`+goodBody+`}`, `[{"role":"system","content":"S"},{"role":"user","content":"Q"}]`)
	// The text of /generate is what was asked in a request, and an answer elsewhere.
	f(`{"id":"p","request":{"body":{"text":"Q"}},"response":{"text":"A","meta_info":{}}}`, `[{"role":"user","content":"Q"}]`)
	f(`{"id":"p","text":"A","meta_info":{}}`, ``)
}

func TestField(t *testing.T) {
	f := func(line, path, want string) {
		t.Helper()
		var p Parser
		var d jsonscan.Doc
		if err := d.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		if got := show(p.Field(d.Root(), path)); got != want {
			t.Errorf("%s at %s\n got %s\nwant %s", line, path, got, want)
		}
	}
	f(`{"id":"p","code":["A","B"]}`, "code", "p text field\n0 - C:code<A>\n1 - C:code<B>")
	f(`{"id":"p","code":["A","B"]}`, "code.1", "p text field\n0 - C:code.1<B>")
	f(`{"id":"p","out":{"text":"A"}}`, "out.text", "p text field\n0 - C:out.text<A>")
	f(`{"id":"p","out":{"text":7}}`, "out.text", `p text field ERROR number at "out.text", where a text should be`)
	f(`{"id":"p","out":["A",7]}`, "out", `p text field ERROR element 1 of "out" is no text but number`+"\n0 - C:out<A>")
	f(`{"id":"p","out":[]}`, "out", `p text field ERROR an empty list at "out", where a text should be`)
	f(`{"id":"p"}`, "a.b.0", `p text field ERROR nothing at "a.b.0", where a text should be; the keys are "id"`)
	f(`{"id":"p","sample":-1,"out":"A"}`, "out", `p text field ERROR "sample" is -1, want a whole number from 0 on`+"\n0 - C:out<A>")
	f(`{"out":"A"}`, "out", "text field +no-id\n0 - C:out<A>")
}

func TestDuplicateKeys(t *testing.T) {
	f := func(line, want string) {
		t.Helper()
		var p Parser
		var d jsonscan.Doc
		if err := d.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		_, err := p.Parse(d.Root())
		if got := errorText(err); got != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
	}
	message := func(m string) string {
		return `{"id":"p","response":{"choices":[{"message":` + m + `,"finish_reason":"stop"}]}}`
	}
	f(message(`{"content":"A","content":"B"}`), `duplicate key "response.choices[0].message.content"`)
	f(message(`{"content":"A","c\u006fntent":"B"}`), `duplicate key "response.choices[0].message.content"`)
	f(`{"id":"p","id":"q","response":`+goodBody+`}`, `duplicate key "id"`)
	f(`{"id":"p","response":`+goodBody+`,"response":{}}`, `duplicate key "response"`)
	f(`{"id":"p","response":{"choices":[{"message":{"content":"A"},"finish_reason":"stop","finish_reason":"length"}]}}`, `duplicate key "response.choices[0].finish_reason"`)
	f(`{"id":"p","response_text":"{\"choices\":[{\"message\":{\"content\":\"A\",\"content\":\"B\"}}]}"}`, `duplicate key "choices[0].message.content"`)
	f(`{"id":"p","response_text":`+strconv.Quote(sse(delta(`{"content":"A","content":"B"}`), stop))+`}`, `duplicate key "choices[0].delta.content"`)
	// What decides nothing may come twice, and so may what is no JSON.
	f(`{"id":"p","x":1,"x":2,"response":`+goodBody+`}`, "")
	f(message(`{"tool_calls":[{"id":"c","function":{"name":"f","arguments":"{\"a\":1,\"a\":"}}]}`), "")
	// A duplicate is forgotten with its line.
	var p Parser
	var d jsonscan.Doc
	for _, line := range []string{`{"id":"p","response_text":"{\"choices\":1,\"choices\":2}"}`, `{"id":"p","response":` + goodBody + `}`} {
		_ = d.Scan([]byte(line))
		_, err := p.Parse(d.Root())
		if bad := strings.Contains(line, "2"); bad != (err != nil) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// A duplicate key that the model wrote into a call does not cost the answer.
func TestDuplicateInCall(t *testing.T) {
	f := func(calls, want string) {
		t.Helper()
		const head = "p chat COMPLAINT "
		got, _, _ := strings.Cut(parse(`{"id":"p","response":{"choices":[{"message":{"tool_calls":`+calls+`},"finish_reason":"tool_calls"}]}}`), "\n")
		if got != strings.TrimSuffix(head+want+" +"+FlagTwiceInCall, "COMPLAINT  +"+FlagTwiceInCall) {
			t.Errorf("%s: got %s", calls, got)
		}
	}
	f(`[{"id":"c","function":{"name":"f","arguments":"{\"a\":1,\"a\":2}"}}]`, `duplicate key "a" in the arguments of tool call 0`)
	f(`[{"id":"c","function":{"name":"f","arguments":{"b":{"a":1,"a":2}}}}]`, `duplicate key "b.a" in the arguments of tool call 0`)
	f(`[{"function":{"name":"f","arguments":"{}"}},{"function":{"name":"f","arguments":"[{\"a\":1,\"\\u0061\":2}]"}},{"function":{"name":"f","arguments":"{\"c\":1,\"c\":2}"}}]`,
		`duplicate key "[0].a" in the arguments of tool call 1`)
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// An exchange that was written by record is read back.
func TestWrittenExchange(t *testing.T) {
	for _, raw := range []string{goodBody, "{\n\"choices\":[{\"message\":{\"content\":\"A.\",\"reasoning\":\"R.\"},\"finish_reason\":\"stop\"}]}\n", goodBody + "\n"} {
		x := record.Exchange{ID: "ex_1", Key: record.Key{ID: record.StringID("p"), Sample: 2}, Attempt: 1, Response: &record.Response{Status: 200, Raw: []byte(raw)}}
		if got := parse(string(x.AppendJSON(nil))); got != "p chat\n"+goodShown {
			t.Errorf("%q: got %s", raw, got)
		}
	}
	x := record.Exchange{ID: "ex_1", Key: record.Key{ID: record.StringID("p")}, Response: &record.Response{Status: 200, Raw: []byte("data: \xff")}, Error: &record.Error{Code: "stream.cut", Message: "eof"}}
	if got := parse(string(x.AppendJSON(nil))); got != "p stream FAILED stream.cut: eof" {
		t.Errorf("got %s", got)
	}
}

// The files are cases out of other people's bug reports.
func TestCases(t *testing.T) {
	f := func(file string, want ...string) {
		t.Helper()
		raw, err := os.ReadFile(filepath.Join("testdata", file))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		if filepath.Ext(file) == ".sse" {
			got = append(got, body(string(raw)))
		} else {
			for s := bufio.NewScanner(strings.NewReader(string(raw))); s.Scan(); {
				got = append(got, parse(s.Text()))
			}
		}
		if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
			t.Errorf("%s\n got %s\nwant %s", file, g, w)
		}
	}
	f("007-closing-tag-over-two-deltas.sse", "chat stream", "0 stop C:content<<think>\nwe know p<q and q<r</think>\n\nSo p<r.>")
	f("021-reasoning-field-names.jsonl",
		"fn-1 chat", "0 stop R:reasoning_content<Old name.> C:content<A.>",
		"fn-2 chat", "0 stop R:reasoning<New name.> C:content<B.>",
		"fn-3 chat", "0 stop R:reasoning_content<Both, the same.> C:content<C.>",
		"fn-4 chat", "0 stop R:reasoning<New one, old one null.> C:content<D.>",
		"fn-5 chat", "0 stop R:content[].thinking<Parts, in a list.> C:content[].text<E.>",
		"fn-6 chat", "0 stop C:content<F.>")
	f("025-comments-no-space-usage-chunk.sse", "chat stream", "0 stop R:reasoning<Add them.> C:content<42>")
	f("027-error-object-mid-stream.sse", "chat stream FAILED stream.error: engine stopped (ServerError, 503)", "0 null R:reasoning_content<The first factor is>")
	f("033-multibyte-any-chunk.sse", "chat stream", "0 stop R:reasoning_content<先算二十三乘以二。> C:content<答案：46 😀—naïve café>")
	f("035-interleaved-by-index.sse", "chat stream", `0 tool_calls R:reasoning_content<Two lookups.> call call_t get_temp {"t":"A"} call call_w get_wind {"t":"B"}`)
	f("037-interleaved-stream.sse", "chat stream", "0 stop C:content<<think>Easy one.</think>Yes.>", "1 stop C:content<<think>Harder: check again.</think>No.>")
	f("039-deltas-repeat-the-whole-text.sse", "chat stream +cumulative-stream", "0 stop R:reasoning_content<Add the two.> C:content<The sum is 7.>")
	f("041-error-envelope-and-html.jsonl",
		"fe-1  FAILED body.error: upstream overloaded (502)",
		"fe-2  FAILED body.not-completion: <!DOCTYPE html> <html><body>Please sign in</body></html>",
		"fe-3 chat", "0 stop R:reasoning<Half a dozen.> C:content<Six.>")
	f("043-rejected-request-in-body.jsonl",
		"b-1 chat", "0 stop R:reasoning_content<Three times three.> C:content<Nine.>",
		"b-2  FAILED http.4xx: max_tokens is too large (invalid_request_error)",
		"b-3  FAILED body.error: not executed in time (batch_expired)")
	f("047-duplicate-keys.jsonl",
		`dk-1 chat ERROR duplicate key "response.choices[0].message.content"`, "0 stop R:reasoning_content<Pick one.> C:content<first>",
		`dk-2 chat ERROR duplicate key "id"`, "0 stop R:reasoning_content<Whose?> C:content<Mine.>",
		`dk-4 chat COMPLAINT duplicate key "a" in the arguments of tool call 0 +duplicate-key-in-arguments`, `0 tool_calls R:reasoning_content<Same arguments twice.> call c f {"a":1,"a":2}`,
		"dk-5 chat", "0 stop R:reasoning_content<Plain.> C:content<Fine.>")
	f("053-torn-last-line-then-resume.jsonl",
		"cd-1 chat", "0 stop R:reasoning_content<1> C:content<One.>",
		"cd-2 chat", "0 stop R:reasoning_content<2> C:content<Two.>",
		"invalid JSON at offset 180: unexpected end in string")
}
