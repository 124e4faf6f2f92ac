package record_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

func scan(t *testing.T, line string) jsonscan.Value {
	t.Helper()
	d := new(jsonscan.Doc)
	if err := d.Scan([]byte(line)); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return d.Root()
}

func TestID(t *testing.T) {
	f := func(a, b string, same bool) {
		t.Helper()
		x := record.PromptID(scan(t, `{"id":`+a+`}`), "")
		y := record.PromptID(scan(t, `{"id":`+b+`}`), "")
		if (x.Key() == y.Key()) != same {
			t.Errorf("%s and %s: keys %q and %q", a, b, x.Key(), y.Key())
		}
	}
	f(`"ab"`, `"\u0061b"`, true)
	f(`"1"`, `1`, false)
	f(`1`, `1.0`, false)
	f(`12345678901234567890`, `12345678901234567891`, false)
	f(`"😀"`, `"😀"`, true)
	f(`"\ud83d"`, `"\ud83e"`, false)
	f(`""`, `null`, true)
	f(`0`, `""`, false)
	f(`"#1"`, `1`, false)
}

func TestWhichID(t *testing.T) {
	f := func(line, prompt, answer, body string) {
		t.Helper()
		v := scan(t, line)
		for _, c := range []struct {
			name string
			got  record.ID
			want string
		}{{"prompt", record.PromptID(v, ""), prompt}, {"answer", record.AnswerID(v, false), answer}, {"bare body", record.AnswerID(v, true), body}} {
			if got := string(c.got.AppendJSON(nil)); got != c.want {
				t.Errorf("%s: %s id %s, want %s", line, c.name, got, c.want)
			}
		}
	}
	f(`{"custom_id":"c","id":"a"}`, `"a"`, `"c"`, `"c"`)
	f(`{"task_id":"t","question_id":3}`, `3`, `3`, `3`)
	f(`{"id":"chatcmpl-1","choices":[]}`, `"chatcmpl-1"`, `"chatcmpl-1"`, `""`)
	f(`{"id":0}`, `0`, `0`, `""`)
	f(`{"id":{}}`, `""`, `""`, `""`)
}

// TestExchange holds the form of the contract's example.
func TestExchange(t *testing.T) {
	body := []byte(`{"choices":[{"message":{"content":"42 \ud83d"}}], "x":1E400}`)
	x := record.Exchange{
		ID: "ex_1", Key: record.Key{ID: record.StringID("gsm8k-17")}, Attempt: 1,
		Request:  record.Request{Method: "POST", URL: "/v1/chat/completions", Body: []byte(`{"model":"m"}`), SHA256: "ab"},
		Response: &record.Response{Status: 200, ID: "r", Headers: [][2]string{{"content-type", "application/json"}}, Raw: body, SHA256: "cd"},
		Server:   "http://127.0.0.1:8000", Lane: "long", Started: time.Date(2026, 11, 30, 11, 41, 0, 123e6, time.UTC),
		Timing: record.Timing{Queued: 100 * time.Microsecond, FirstByte: 812 * time.Millisecond, Total: 90310500 * time.Microsecond},
		Run:    "run_1", Epoch: 1,
	}
	want := `{"id":"ex_1","custom_id":"gsm8k-17","sample":0,"turn":0,"attempt":1,"retried":false,` +
		`"request":{"method":"POST","url":"/v1/chat/completions","body":{"model":"m"},"sha256":"ab"},` +
		`"response":{"status_code":200,"request_id":"r","headers":{"content-type":"application/json"},"body":` + string(body) + `,"sha256":"cd"},` +
		`"error":null,"dead":false,"server":"http://127.0.0.1:8000","lane":"long","started_at":"2026-11-30T11:41:00.123Z",` +
		`"timing":{"queued_ms":0.1,"first_byte_ms":812,"total_ms":90310.5},"run":"run_1","server_epoch":1,"meta":{}}`
	if got := string(x.AppendJSON(nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	x.Request.Fingerprint, x.Request.ClampedFrom = "ef", 4096
	if got := string(x.AppendJSON(nil)); !strings.Contains(got, `"sha256":"ab","fingerprint":"ef","clamped_from":4096},"response"`) {
		t.Error(got)
	}
	x.Response, x.Error = nil, &record.Error{Code: "connect", Message: "refused\n"}
	if got := string(x.AppendJSON(nil)); !strings.Contains(got, `"response":null,"error":{"code":"connect","message":"refused\n"}`) {
		t.Error(got)
	}
}

// received are bytes of every kind that a server may send.
var received = []string{
	`{"a":1}`, `{"a":1}` + "\n", ` {"a":1}`, "{\n \"a\": 1\n}", `{"a":1}{"b":2}`, `{"a":`, ``, `"x"`, `null`,
	strings.Repeat("[", 9950) + strings.Repeat("]", 9950),
	"data: {\"x\":1}\r\n\r\ndata: [DONE]\n\n", "<html>\x00", "\xff\xfe", "a\xed\xa0\xbdb", `{"a":"\ud83d"}`, "{\"a\":\"\xff\"}",
}

// give gives back the bytes that an archived response says were received.
func give(t *testing.T, line []byte) []byte {
	t.Helper()
	var x struct {
		Response struct {
			Text   *string `json:"text"`
			Base64 []byte  `json:"base64"`
		} `json:"response"`
	}
	if err := json.Unmarshal(line, &x); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	switch {
	case x.Response.Text != nil:
		return []byte(*x.Response.Text)
	case x.Response.Base64 != nil:
		return x.Response.Base64
	}
	var d jsonscan.Doc
	if err := d.Scan(line); err != nil {
		t.Fatal(err)
	}
	return d.Root().Get("response", "body").Raw()
}

func TestReceivedBytesAreExact(t *testing.T) {
	for _, raw := range received {
		x := record.Exchange{Response: &record.Response{Raw: []byte(raw)}}
		line := x.AppendJSON(nil)
		if strings.ContainsAny(string(line), "\n\r") {
			t.Errorf("%q: the line has a line end: %q", raw, line)
		}
		if got := string(give(t, line)); got != raw {
			t.Errorf("got %q, want %q", got, raw)
		}
	}
}

func FuzzReceivedBytesAreExact(f *testing.F) {
	for _, raw := range received {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		x := record.Exchange{Response: &record.Response{Raw: raw}}
		if got := give(t, x.AppendJSON(nil)); string(got) != string(raw) {
			t.Fatalf("got %q, want %q", got, raw)
		}
	})
}

func TestSampleRoundTrip(t *testing.T) {
	s := record.Sample{
		ID: record.StringID("a"), Sample: 1, Turn: 2, Choice: 3, Messages: []byte(`[{"role":"user"}]`),
		Reasoning: jsonscan.Text{Raw: []byte(`h\u006dm`)}, Content: jsonscan.Quote("42\n"),
		ToolCalls:    []record.ToolCall{{ID: jsonscan.Quote("c"), Name: jsonscan.Quote("f"), Arguments: jsonscan.Quote(`{"x":1}`)}},
		FinishReason: jsonscan.Quote("stop"), Model: jsonscan.Quote("m"), Usage: record.Usage{Prompt: 1, Completion: 2, Reasoning: -1, Total: 3},
		Status: "present", Extract: record.Extract{Family: "qwen3", Rules: "faithful/1", Source: "content", Flags: []string{"auto:model"}},
		Segments: []record.Segment{{record.SegmentMarker, jsonscan.Quote("<think>")}, {record.SegmentReasoning, jsonscan.Text{Raw: []byte(`h\u006dm`)}}},
		Meta:     []byte(`{"k":1}`),
	}
	line := s.AppendJSON(nil)
	v := scan(t, string(line))
	if !record.IsSample(v) {
		t.Fatalf("not recognised: %s", line)
	}
	var back record.Sample
	if err := back.Read(v); err != nil {
		t.Fatal(err)
	}
	if got := back.AppendJSON(nil); string(got) != string(line) {
		t.Errorf("got  %s\nwant %s", got, line)
	}
}

func TestReadSample(t *testing.T) {
	f := func(keys, want string) {
		t.Helper()
		var s record.Sample
		err := s.Read(scan(t, `{"id":"a",`+keys+`}`))
		got := string(record.AppendToolCalls(nil, s.ToolCalls))
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", keys, got, want)
		}
	}
	call := func(id, name, arguments string) string {
		return `[{"id":"` + id + `","type":"function","function":{"name":"` + name + `","arguments":"` + arguments + `"}}]`
	}
	f(`"sample":null,"turn":0,"choice":7`, `[]`)
	f(`"sample":1.5`, `"sample" is 1.5, want a whole number from 0 on`)
	f(`"turn":-1`, `"turn" is -1, want a whole number from 0 on`)
	f(`"choice":"0"`, `"choice" is "0", want a whole number from 0 on`)
	f(`"sample":1e400`, `"sample" is 1e400, want a whole number from 0 on`)
	f(`"sample":99999999999999999999`, `"sample" is 99999999999999999999, want a whole number from 0 on`)
	// What is no call is kept as a call without a name.
	f(`"tool_calls":null`, `[]`)
	f(`"tool_calls":"x \n"`, call("", "", `x \n`))
	f(`"tool_calls":[7]`, call("", "", `7`))
	f(`"tool_calls":{"id":"c","function":{"name":"f","arguments":"{}"}}`, call("c", "f", "{}"))
	f(`"tool_calls":[{"id":"c","function":"f"}]`, call("", "", `{\"id\":\"c\",\"function\":\"f\"}`))
	f(`"tool_calls":[{"name":["f"]}]`, call("", "", `{\"name\":[\"f\"]}`))
	f(`"tool_calls":[{"id":7,"function":null,"name":"f","arguments":true}]`, call("7", "f", "true"))
	f(`"tool_calls":[{"name":"f","arguments":null}]`, call("", "f", ""))
	f(`"tool_calls":[{"name":"f","arguments":["a"]}]`, call("", "f", `[\"a\"]`))
}

// TestEmptySample holds that every key is there with its type.
func TestEmptySample(t *testing.T) {
	s := record.Sample{Usage: record.UnknownUsage()}
	want := `{"id":"","sample":0,"turn":0,"choice":0,"messages":[],"reasoning":"","content":"","tool_calls":[],"finish_reason":"","model":"",` +
		`"usage":{"prompt_tokens":-1,"completion_tokens":-1,"reasoning_tokens":-1,"total_tokens":-1},"reasoning_status":"",` +
		`"extract":{"family":"","rules":"","source":"","flags":[]},"meta":{}}`
	if got := string(s.AppendJSON(nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func ExampleNamer() {
	var n record.Namer
	fmt.Println(n.Name([]byte(`{"prompt":"q"}`)))
	fmt.Println(n.Name([]byte(`{"prompt":"q"}`)))
	// Output:
	// h-34ed3dbb5ff8058f
	// h-34ed3dbb5ff8058f-2
}

// TestPart: a part reads back as it was written.
func TestPart(t *testing.T) {
	p := record.Part{ID: "ex_1", Reasoning: jsonscan.Quote("a\n\"b\""), Content: jsonscan.Quote("😀"), Tokens: 7}
	var d jsonscan.Doc
	if err := d.Scan(p.AppendJSON(nil)); err != nil {
		t.Fatal(err)
	}
	read := record.ReadPart(d.Root())
	if got := read.Clone(); string(got.AppendJSON(nil)) != string(p.AppendJSON(nil)) {
		t.Errorf("%s reads back as %s", p.AppendJSON(nil), got.AppendJSON(nil))
	}
	if none := record.ReadPart(jsonscan.Value{}); none.ID != "" {
		t.Errorf("%+v of nothing", none)
	}
}
