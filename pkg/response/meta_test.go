package response

import (
	"strconv"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

func TestMeta(t *testing.T) {
	f := func(line, path, want string) {
		t.Helper()
		var p Parser
		var d jsonscan.Doc
		if err := d.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		r, err := p.Parse(d.Root())
		if path != "" {
			r, err = p.Field(d.Root(), path)
		}
		if err != nil || string(r.Meta) != want {
			t.Errorf("%s\n got %s %v\nwant %s", line, r.Meta, err, want)
		}
	}
	// What an exchange of ours holds is known, and its meta stays as it is.
	f(exchangeLine(goodBody), "", `{}`)
	f(`{"id":"ex_1","custom_id":"p","response":{"status_code":200,"body":`+goodBody+`},"error":null,"meta":{ "k" : 1E400}}`, "", `{ "k" : 1E400}`)
	f(`{"id":"batch_1","custom_id":"p","response":{"status_code":200,"body":`+goodBody+`},"error":null}`, "", ``)
	f(`{"id":"batch_1","custom_id":"p","response":{"status_code":200,"body":`+goodBody+`},"error":null,"dataset":"g\u0073m","uuid":"u"}`, "", `{"dataset":"g\u0073m","uuid":"u"}`)

	// A body beside an id.
	f(`{"id":"p","response":`+goodBody+`}`, "", ``)
	f(`{"id":"p","dataset":"d","n":12345678901234567890,"response":`+goodBody+`,"x":{"a":[1, 2]}}`, "", `{"dataset":"d","n":12345678901234567890,"x":{"a":[1, 2]}}`)
	f(`{"custom_id":"p","id":7,"response":`+goodBody+`}`, "", `{"id":7}`)
	f(`{"custom_id":"p","id":"p","uuid":null,"response":`+goodBody+`}`, "", ``)
	f(`{"\u0069d":"p","response":`+goodBody+`}`, "", ``)
	f(`{"id":"p","status":"kept","response":`+goodBody+`}`, "", `{"status":"kept"}`)
	f(`{"id":"p","status":200,"sample":0,"turn":0,"error":null,"raw_response":{},"response":`+goodBody+`}`, "", ``)
	f(`{"id":"p","response":"cut","raw_response":`+goodBody+`}`, "", `{"response":"cut"}`)
	f(`{"id":"p","question":"Q","answer":"7","response":`+goodBody+`}`, "", `{"answer":"7"}`)
	f(`{"id":"p","request":{"prompt":"Q"},"question":"Q","response":`+goodBody+`}`, "", `{"question":"Q"}`)
	f(`{"id":"p","request":"Q","response":`+goodBody+`}`, "", `{"request":"Q"}`)
	f(`{"id":"p","input":{"prompt":"Q"},"output":`+goodBody+`,"by":"me"}`, "", `{"by":"me"}`)
	f(`{"id":"p","input":{"x":"Q"},"output":"A","response":`+goodBody+`}`, "", `{"input":{"x":"Q"},"output":"A"}`)
	f(`{"id":"p","output":{"x":1},"response":`+goodBody+`}`, "", `{"output":{"x":1}}`)
	f(`{"id":"p","model":"m","output":{"role":"assistant","content":"c"},"type":"GENERATION"}`, "", `{"type":"GENERATION"}`)
	f(`{"id":"p","model":"m","response":`+goodBody+`}`, "", `{"model":"m"}`)
	f(`{"id":"p","server_epoch":2,"attempt":null,"response":`+goodBody+`}`, "", ``)
	f(`{"id":"p","server_epoch":-1,"attempt":1.5,"response":`+goodBody+`}`, "", `{"server_epoch":-1,"attempt":1.5}`)
	f(`{"id":"p","server_epoch":"2","response":`+goodBody+`}`, "", `{"server_epoch":"2"}`)
	f(`{"id":"p","response_text":`+strconv.Quote(goodBody)+`,"status":200,"content_type":"application/json","by":"me"}`, "", `{"by":"me"}`)
	f(`{"custom_id":"p","result":{"type":"succeeded","message":{"type":"message","content":[{"type":"text","text":"A"}]}},"dataset":"d"}`, "", `{"dataset":"d"}`)

	// Members of meta stand among the others; the line's count.
	f(`{"id":"p","meta":{"k":1},"dataset":"d","response":`+goodBody+`}`, "", `{"dataset":"d","k":1}`)
	f(`{"id":"p","meta":{"dataset":"e","k":1},"dataset":"d","response":`+goodBody+`}`, "", `{"dataset":"d","k":1}`)
	f(`{"id":"p","meta":{},"dataset":"d","response":`+goodBody+`}`, "", `{"dataset":"d"}`)
	f(`{"id":"p","meta":"m","response":`+goodBody+`}`, "", `{"meta":"m"}`)

	// Bare bodies: what servers write is theirs.
	f(goodBody, "", ``)
	f(`{"custom_id":"p","type":"hard",`+goodBody[1:], "", `{"type":"hard"}`)
	f(`{"model":"m","created_at":"2026","response":"A.","done":true,"done_reason":"stop","context":[1],"dataset":"d"}`, "", `{"dataset":"d"}`)
	f(`{"type":"message","id":"msg","role":"assistant","content":[{"type":"text","text":"A"}],"stop_reason":"end_turn"}`, "", ``)

	// Flat records, conversations, samples.
	f(`{"id":"f2","dataset":"gsm8k","reasoning":"r","content":"c"}`, "", `{"dataset":"gsm8k"}`)
	f(`{"id":"p","prompt":"Q","response":"A.","model":"m","usage":{},"finish_reason":"stop","choice":0,"tool_calls":[]}`, "", ``)
	f(`{"id":"p","reasoning":{"effort":"high"},"content":"A","response":"B","model":7}`, "", `{"reasoning":{"effort":"high"},"response":"B","model":7}`)
	f(`{"id":"p","messages":[{"role":"user","content":"Q"}],"prompt":"Q","content":"A"}`, "", `{"prompt":"Q"}`)
	f(`{"id":"p","source":"s","conversations":[{"from":"human","value":"Q"},{"from":"gpt","value":"A."}]}`, "", `{"source":"s"}`)
	f(`{"id":"p","messages":[{"role":"user","content":"Q"},{"role":"assistant","content":"A."}],"system":"S"}`, "", `{"system":"S"}`)
	f(`{"id":"p","sample":0,"messages":[],"reasoning":"","content":"A","tool_calls":[],"reasoning_status":"absent","extract":{},"segments":[],"meta":{"k":1}}`, "", `{"k":1}`)

	// A text that stands somewhere.
	f(`{"id":"p","out":"A","n":1}`, "out", `{"n":1}`)
	f(`{"id":"p","out":["A","B"]}`, "out", ``)
	f(`{"id":"p","out":{"text":"A"}}`, "out.text", ``)
	f(`{"id":"p","out":{"score":1,"text":"A","more":{}},"model":"m"}`, "out.text", `{"out":{"score":1,"more":{}}}`)
	f(`{"id":"p","out":[{"text":"A","n":0},{"text":"B"}]}`, "out.1.text", `{"out":[{"text":"A","n":0},{}]}`)
	f(`{"id":"p","out":["A","B"]}`, "out.1", `{"out":["A",null]}`)
	f(`{"id":"p","out.text":"A","out":{"text":"B"}}`, "out.text", `{"out":{"text":"B"}}`)
	f(`{"id":"p","response_text":"A","response":`+goodBody+`}`, "response_text", `{"response":`+goodBody+`}`)

	// What decides nothing may come twice.
	f(`{"id":"p","x":1,"x":2,"content":"A"}`, "", `{"x":1,"x":2}`)
}
