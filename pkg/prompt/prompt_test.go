package prompt_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
)

// body reads a line with r, builds a request with b and returns it as text, or
// the error.
func body(t *testing.T, r prompt.Reader, b prompt.Builder, line string) string {
	t.Helper()
	var d jsonscan.Doc
	if err := d.Scan([]byte(line)); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	p, err := r.Read(d.Root(), []byte(line))
	if err != nil {
		return "error: " + err.Error()
	}
	if b.API == "" {
		b.API = prompt.Chat
	}
	out, _, err := b.Body(&p, nil, 0)
	if err != nil {
		return "error: " + err.Error()
	}
	if !json.Valid(out) {
		t.Fatalf("%s: the body is not JSON: %s", line, out)
	}
	return string(out)
}

func TestShapes(t *testing.T) {
	f := func(line, want string) {
		t.Helper()
		if got := body(t, prompt.Reader{}, prompt.Builder{}, line); got != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
	}
	f(`{"id":"a","messages":[{"role":"user","content":"h\u0069", "x":1E400}]}`, `{"messages":[{"role":"user","content":"h\u0069", "x":1E400}]}`)
	f(`{"id":"a","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"old"}]}`, `{"messages":[{"role":"user","content":"q"}]}`)
	f(`{"id":"a","messages":[{"role":"user","content":"1"},{"role":"assistant","content":"2"},{"role":"user","content":"3"}]}`,
		`{"messages":[{"role":"user","content":"1"},{"role":"assistant","content":"2"},{"role":"user","content":"3"}]}`)
	f(`{"id":"a","messages":[{"role":"assistant","content":"2"}]}`, `error: nothing is asked: no message is the user's`)
	f(`{"id":"a","messages":[{"content":"2"}]}`, `error: message 1 has no role`)
	f(`{"id":"a","prompt":"say \"\ud83d\""}`, `{"messages":[{"role":"user","content":"say \"\ud83d\""}]}`)
	f(`{"id":"a","prompt":""}`, `error: the prompt is empty`)
	f(`{"id":"a","prompt":[{"role":"user","content":"q"}]}`, `{"messages":[{"role":"user","content":"q"}]}`)
	f(`{"id":"a","conversations":[{"from":"system","value":"s"},{"from":"human","value":"q"},{"from":"gpt","value":"old"}]}`,
		`{"messages":[{"role":"system","content":"s"},{"role":"user","content":"q"}]}`)
	f(`{"id":"a","conversations":[{"role":"user","content":"q"}]}`, `{"messages":[{"role":"user","content":"q"}]}`)
	f(`{"id":"a","conversations":[{"from":"narrator","value":"q"}]}`, `error: turn 1 is from "narrator", which has no role in a chat request`)
	f(`{"id":"a","conversations":[{"from":"function_call","value":"q"}]}`, `error: turn 1: the call is no JSON: invalid JSON at offset 1: unexpected end, want a value`)
	f(`{"id":"a","conversations":[{"from":"function_call","value":"[]"}]}`, `error: turn 1: "[]" is no call`)
	f(`{"id":"a","conversations":[{"from":"observation","value":"q"}]}`, `error: turn 1: an observation has no call before it`)
	f(`{"conversations":[{"from":"human","value":"q"},{"from":"function_call","value":"{\"name\": \"f\", \"arguments\": {\"x\": 1}}"},{"from":"observation","value":"r"},{"from":"gpt","value":"old"}],`+
		`"tools":"[{\"name\": \"f\"}]"}`,
		`{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[{"id":"call_0","type":"function","function":{"name":"f","arguments":"{\"x\": 1}"}}]},`+
			`{"role":"tool","tool_call_id":"call_0","content":"r"}],"tools":[{"type":"function","function":{"name": "f"}}]}`)
	f(`{"prompt":"q","tools":"f"}`, `error: tools is a text that is no JSON: invalid JSON at offset 1: unexpected end, want a value`)
	f(`{"prompt":"q","tools":{}}`, `error: tools is an object, not a list`)
	f(`{"prompt":"q","tools":[{"type":"function", "function":{"name":"f"}}]}`, `{"messages":[{"role":"user","content":"q"}],"tools":[{"type":"function", "function":{"name":"f"}}]}`)
	f(`{"question_id":81,"turns":["one"]}`, `{"messages":[{"role":"user","content":"one"}]}`)
	f(`{"question_id":81,"turns":["one","two"]}`, `error: 2 user turns without answers between them; --turns all answers each, --turns one the first alone`)
	f(`{"custom_id":"b","method":"POST","url":"/v1/chat/completions","body":{"model":"m","messages":[{"role":"user","content":"q"}],"stream":true,"n":4,"top_p":0.10}}`,
		`{"model":"m","messages":[{"role":"user","content":"q"}],"top_p":0.10}`)
	f(`{"custom_id":"b","method":"POST","url":"/v1/completions","body":{"prompt":"q","max_tokens":5}}`, `{"prompt":"q","max_tokens":5}`)
	f(`{"custom_id":"b","method":"POST","url":"http://elsewhere/v1/chat/completions","body":{}}`, `error: url "http://elsewhere/v1/chat/completions" is not the path of a known endpoint`)
	f(`{"custom_id":"b","method":"GET","url":"/v1/chat/completions","body":{}}`, `error: method "GET" is not POST`)
	f(`{"id":"a","question":"q"}`, `error: no prompt of a known shape: the keys are "id", "question"; --prompt-field names what is asked`)
	f(`{"id":"a","messages":"q"}`, `error: no prompt of a known shape: messages is a string`)
	f(`{"id":"a","prompt":null}`, `error: no prompt of a known shape: prompt is null`)
	f(`{"custom_id":"a","body":{"messages":[]}}`, `error: no prompt of a known shape: body has no url beside it, as a Batch request has`)
	f(`{"id":"a","messages":[{"role":"user","content":"q"}],"messages":[]}`, `error: duplicate key "messages"`)
	f(`{"id":"a","prompt":"q","params":{"temperature":0,"temperature":2}}`, `error: duplicate key "params.temperature"`)
	f(`{"custom_id":"b","url":"/v1/completions","body":{"prompt":"q","max_tokens":5,"max_tokens":6}}`, `error: duplicate key "body.max_tokens"`)
	f(`[1]`, `error: a prompt is a JSON object, this is an array`)
}

func TestFields(t *testing.T) {
	f := func(r prompt.Reader, b prompt.Builder, line, want string) {
		t.Helper()
		if got := body(t, r, b, line); got != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
	}
	question := prompt.Reader{PromptField: "question"}
	f(question, prompt.Builder{}, `{"question":"q","answer":"a"}`, `{"messages":[{"role":"user","content":"q"}]}`)
	f(question, prompt.Builder{System: "be brief"}, `{"question":"q"}`, `{"messages":[{"role":"system","content":"be brief"},{"role":"user","content":"q"}]}`)
	f(question, prompt.Builder{}, `{"prompt":"q"}`, `error: no field "question"`)
	f(question, prompt.Builder{}, `{"question":7}`, `error: the prompt is a number, not text or messages`)
	f(prompt.Reader{PromptField: "question", Turns: prompt.OneTurn}, prompt.Builder{}, `{"question":[[{"role":"user","content":"1"}],[{"role":"user","content":"2"}]]}`,
		`{"messages":[{"role":"user","content":"1"}]}`)
	f(prompt.Reader{IDField: "key"}, prompt.Builder{}, `{"id":"a","prompt":"q"}`, `error: no id in field "key"`)
	f(prompt.Reader{}, prompt.Builder{System: "s"}, `{"messages":[{"role":"system","content":"own"},{"role":"user","content":"q"}]}`,
		`{"messages":[{"role":"system","content":"own"},{"role":"user","content":"q"}]}`)
	f(prompt.Reader{}, prompt.Builder{System: "s"}, `{"messages":[{"role":"user","content":"q"}]}`,
		`{"messages":[{"role":"system","content":"s"},{"role":"user","content":"q"}]}`)
	f(prompt.Reader{}, prompt.Builder{API: prompt.Completions, Default: "m"}, `{"prompt":"q"}`, `{"model":"m","prompt":"q"}`)
	f(prompt.Reader{}, prompt.Builder{API: prompt.Generate, Default: "m", Fields: []prompt.Field{{"max_tokens", []byte("9")}}},
		`{"input_ids":[1,2],"params":{"temperature":0,"rid":"r"}}`, `{"input_ids":[1,2],"rid":"r","sampling_params":{"max_new_tokens":9,"temperature":0}}`)
	f(prompt.Reader{}, prompt.Builder{API: prompt.Generate, Fields: []prompt.Field{{"max_tokens", []byte("50")}}},
		`{"custom_id":"b","url":"/generate","body":{"text":"hi","sampling_params":{"temperature":0.1,"max_new_tokens":5,"n":3}}}`,
		`{"text":"hi","sampling_params":{"max_new_tokens":5,"temperature":0.1}}`)
}

// TestSeeds holds that samples have seeds of their own, whoever set the first.
func TestSeeds(t *testing.T) {
	f := func(b prompt.Builder, line string) {
		t.Helper()
		var d jsonscan.Doc
		if err := d.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		var r prompt.Reader
		p, err := r.Read(d.Root(), []byte(line))
		if err != nil {
			t.Fatal(err)
		}
		var seeds []int64
		for sample := range 3 {
			body, _, err := b.Body(&p, nil, sample)
			if err != nil {
				t.Fatal(err)
			}
			var made struct {
				Seed     int64
				Sampling struct {
					Seed int64 `json:"sampling_seed"`
				} `json:"sampling_params"`
			}
			if err := json.Unmarshal(body, &made); err != nil {
				t.Fatal(err)
			}
			seeds = append(seeds, made.Seed+made.Sampling.Seed)
		}
		if seeds[1] == 0 || seeds[1] == seeds[0] || seeds[2] != seeds[1]+1 || seeds[0] != 0 && seeds[1] != seeds[0]+1 {
			t.Errorf("%s: seeds %v", line, seeds)
		}
	}
	f(prompt.Builder{API: prompt.Chat}, `{"prompt":"q"}`)
	f(prompt.Builder{API: prompt.Chat}, `{"prompt":"q","params":{"seed":7}}`)
	f(prompt.Builder{API: prompt.Chat, Fields: []prompt.Field{{Key: "seed", Value: []byte("9")}}}, `{"prompt":"q"}`)
	f(prompt.Builder{API: prompt.Generate}, `{"prompt":"q","params":{"seed":7}}`)
}

func TestWrongAPI(t *testing.T) {
	line := []byte(`{"messages":[{"role":"user","content":"q"}]}`)
	var d jsonscan.Doc
	if err := d.Scan(line); err != nil {
		t.Fatal(err)
	}
	var r prompt.Reader
	p, err := r.Read(d.Root(), line)
	if err != nil {
		t.Fatal(err)
	}
	for _, api := range []prompt.API{prompt.Generate, prompt.Completions} {
		b := prompt.Builder{API: api}
		if _, _, err := b.Body(&p, nil, 0); !errors.Is(err, prompt.ErrWrongAPI) {
			t.Errorf("%s: %v", api, err)
		}
	}
}

// TestPrecedence holds the order in which fields give way: flags, lane, Batch
// body, params; and that a seed is derived for each sample.
func TestPrecedence(t *testing.T) {
	seed := int64(40)
	b := prompt.Builder{API: prompt.Chat, Default: "served", Seed: &seed, Stream: true,
		Fields: []prompt.Field{{"max_tokens", []byte("1")}, {"temperature", []byte("0.1")}, {"top_p", []byte("0.1")}, {"top_k", []byte("1")}}}
	lane := []prompt.Field{{"max_tokens", []byte("2")}, {"temperature", []byte("0.2")}, {"top_p", []byte("0.2")}}
	line := []byte(`{"custom_id":"b","method":"POST","url":"/v1/chat/completions","body":{"model":"mine","messages":[{"role":"user","content":"q"}],"temperature":0.3,"top_p":0.3},"params":{"top_p":0.4,"stream":false}}`)
	var d jsonscan.Doc
	if err := d.Scan(line); err != nil {
		t.Fatal(err)
	}
	var r prompt.Reader
	p, err := r.Read(d.Root(), line)
	if err != nil {
		t.Fatal(err)
	}
	f := func(b prompt.Builder, sample int, want string) {
		t.Helper()
		got, _, err := b.Body(&p, lane, sample)
		if err != nil || string(got) != want {
			t.Errorf("got  %s %v\nwant %s", got, err, want)
		}
	}
	want := `{"model":"%s","messages":[{"role":"user","content":"q"}],"max_tokens":2,"temperature":0.3,"top_p":0.4,"top_k":1,"seed":%d,"stream":true,"stream_options":{"include_usage":true}}`
	f(b, 0, fmt.Sprintf(want, "mine", 40))
	f(b, 2, fmt.Sprintf(want, "mine", 42))
	b.Model = "given"
	f(b, 0, fmt.Sprintf(want, "given", 40))
}

func TestMeta(t *testing.T) {
	f := func(line, id, meta string) {
		t.Helper()
		var d jsonscan.Doc
		if err := d.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		var r prompt.Reader
		p, err := r.Read(d.Root(), []byte(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if got := string(p.ID.AppendJSON(nil)); got != id {
			t.Errorf("%s: id %s, want %s", line, got, id)
		}
		if string(p.Meta) != meta {
			t.Errorf("%s: meta %s, want %s", line, p.Meta, meta)
		}
	}
	f(`{"id":"a\u0062","prompt":"q","level":12345678901234567890,"k\u0065y":"\/"}`, `"a\u0062"`, `{"level":12345678901234567890,"k\u0065y":"\/"}`)
	f(`{"id":"","custom_id":null,"uuid":0,"prompt":"q"}`, `0`, `{"id":"","custom_id":null}`)
	f(`{"prompt":"q"}`, `"h-34ed3dbb5ff8058f"`, ``)
	f(`{"id":"a","prompt":"q","meta":{"set":"x","n":1},"n":2}`, `"a"`, `{"set":"x","n":2}`)
	f(`{"id":"a","prompt":"q","lane":"long","params":{},"tools":[]}`, `"a"`, ``)
	f(`{"id":"m","prompt":"hi","lane":"long","meta":{"id":"orig","prompt":"o","lane":"q","x":1}}`, `"m"`, `{"id":"orig","prompt":"o","lane":"q","x":1}`)
}

func TestNamesOfRepeatedLines(t *testing.T) {
	var r prompt.Reader
	var ids []string
	for range 3 {
		line := []byte(`{"prompt":"same"}`)
		var d jsonscan.Doc
		if err := d.Scan(line); err != nil {
			t.Fatal(err)
		}
		p, err := r.Read(d.Root(), line)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, p.ID.String())
	}
	if !strings.HasPrefix(ids[0], "h-") || len(ids[0]) != 18 || ids[1] != ids[0]+"-2" || ids[2] != ids[0]+"-3" {
		t.Errorf("ids of three identical lines: %q", ids)
	}
}

func TestCondition(t *testing.T) {
	f := func(cond, line string, want bool) {
		t.Helper()
		c, err := prompt.ParseCondition(cond)
		if err != nil {
			t.Fatal(err)
		}
		var d jsonscan.Doc
		if err := d.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		var r prompt.Reader
		p, err := r.Read(d.Root(), []byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Match(&p, d.Root()); got != want {
			t.Errorf("%s on %s: %v", cond, line, got)
		}
	}
	f("chars>3", `{"prompt":"\u00e9\u00e9\u00e9"}`, false)
	f("chars>3", `{"prompt":"éééé"}`, true)
	f("chars>5", `{"messages":[{"role":"system","content":"abc"},{"role":"user","content":[{"type":"text","text":"def"}]}]}`, true)
	items := `{"custom_id":"a","method":"POST","url":"/v1/responses","body":{"input":[{"role":"user","content":"abc"},{"role":"user","content":[{"type":"input_text","text":"de"}]},{"type":"function_call_output","call_id":"c","output":"f"}]}}`
	f("chars>5", items, true)
	f("chars>6", items, false)
	f("meta.level=5", `{"prompt":"q","meta":{"level":5}}`, true)
	f("set=math", `{"prompt":"q","set":"m\u0061th"}`, true)
	f("set=math", `{"prompt":"q"}`, false)
	for _, bad := range []string{"", "chars>x", "=5", "chars"} {
		if _, err := prompt.ParseCondition(bad); err == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
}

// FuzzPrompt holds that no line makes the reader panic, and that a request made
// of one is valid JSON whose field order and bytes do not depend on chance.
func FuzzPrompt(f *testing.F) {
	for _, s := range []string{
		`{"id":"a","messages":[{"role":"user","content":"h"}],"meta":{"x":1}}`, `{"turns":["one"],"params":{"n":3,"seed":1}}`,
		`{"custom_id":"b","url":"/generate","body":{"text":"x","sampling_params":{"a":1}}}`, `{"conversations":[{"from":"human","value":"q"}]}`,
		`{"input_ids":[1,2,3],"tools":[{}],"lane":"l"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var d jsonscan.Doc
		if d.Scan(line) != nil {
			return
		}
		r := prompt.Reader{}
		p, err := r.Read(d.Root(), line)
		if err != nil {
			return
		}
		if p.Meta != nil && !json.Valid(p.Meta) {
			t.Fatalf("meta is not JSON: %s", p.Meta)
		}
		for _, api := range []prompt.API{prompt.Chat, prompt.Completions, prompt.Generate} {
			b := prompt.Builder{API: api, System: "s", Default: "m"}
			out, _, err := b.Body(&p, nil, 0)
			if err == nil && !json.Valid(out) {
				t.Fatalf("the body is not JSON: %s", out)
			}
		}
	})
}

func ExampleReader() {
	line := []byte(`{"id":"gsm8k-17","question":"What is 6 times 7?","answer":"42"}`)
	var doc jsonscan.Doc
	if err := doc.Scan(line); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	reader := prompt.Reader{PromptField: "question"}
	p, err := reader.Read(doc.Root(), line)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	builder := prompt.Builder{API: prompt.Chat, Model: "kimi-k2.5"}
	body, api, _ := builder.Body(&p, nil, 0)
	fmt.Println(p.ID, string(p.Meta))
	fmt.Println(api.Path(), string(body))
	// Output:
	// gsm8k-17 {"answer":"42"}
	// /v1/chat/completions {"model":"kimi-k2.5","messages":[{"role":"user","content":"What is 6 times 7?"}]}
}
