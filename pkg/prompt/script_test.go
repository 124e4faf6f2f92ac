package prompt_test

import (
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// play answers a script with one text after the other and returns the messages of
// the turn after the last, shortened to "role:content", or the error. A text
// "call f,g" calls tools.
func play(t *testing.T, line string, answers ...string) string {
	t.Helper()
	var d jsonscan.Doc
	if err := d.Scan([]byte(line)); err != nil {
		t.Fatal(err)
	}
	r := prompt.Reader{Turns: prompt.AllTurns}
	p, err := r.Read(d.Root(), []byte(line))
	if err != nil {
		return "error: " + err.Error()
	}
	var given []prompt.Answer
	for turn, text := range answers {
		given = append(given, answerOf(t, turn, text))
	}
	if len(answers) >= p.Asked.Script.Len() {
		return "end"
	}
	messages, err := p.Asked.Script.Messages(given)
	if err != nil {
		return "error: " + err.Error()
	}
	return shortOf(t, messages)
}

func answerOf(t *testing.T, turn int, text string) prompt.Answer {
	t.Helper()
	s := record.Sample{Turn: turn, Content: jsonscan.Quote(text), Reasoning: jsonscan.Quote("hm"), Status: "present"}
	if names, ok := strings.CutPrefix(text, "call "); ok {
		s.Content = jsonscan.Text{}
		for name := range strings.SplitSeq(names, ",") {
			s.ToolCalls = append(s.ToolCalls, record.ToolCall{Name: jsonscan.Quote(name), Arguments: jsonscan.Quote("{}")})
		}
	}
	var h prompt.History
	a, err := h.Answer(&s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func shortOf(t *testing.T, messages []byte) string {
	t.Helper()
	var d jsonscan.Doc
	if err := d.Scan(messages); err != nil {
		t.Fatalf("%s: %v", messages, err)
	}
	var short []string
	for _, m := range d.Root().Elements() {
		s := m.Get("role").Text().String()[:1] + ":"
		if thought := m.Get("reasoning_content").Text().String(); thought != "" {
			s += "(" + thought + ")"
		}
		s += m.Get("content").Text().String()
		for _, c := range m.Get("tool_calls").Elements() {
			s += c.Get("id").Text().String()
		}
		if id := m.Get("tool_call_id").Text().String(); id != "" {
			s += "@" + id
		}
		short = append(short, s)
	}
	return strings.Join(short, " ")
}

func TestScript(t *testing.T) {
	f := func(line, want string, answers ...string) {
		t.Helper()
		if got := play(t, line, answers...); got != want {
			t.Errorf("%s after %q\n got %s\nwant %s", line, answers, got, want)
		}
	}
	for _, line := range []string{ // the same conversation in every shape
		`{"turns":["1","2"]}`,
		`{"turns":[[{"role":"user","content":"1"}],[{"role":"user","content":"2"}]]}`,
		`{"messages":[{"role":"user","content":"1"},{"role":"assistant","content":"old"},{"role":"user","content":"2"}]}`,
		`{"messages":[{"role":"user","content":"1"},{"role":"assistant","content":"old"},{"role":"assistant","content":"er"},{"role":"user","content":"2"},{"role":"assistant","content":"x"}]}`,
		`{"conversations":[{"from":"human","value":"1"},{"from":"gpt","value":"old"},{"from":"human","value":"2"},{"from":"gpt","value":"old"}]}`,
		`{"custom_id":"b","url":"/v1/chat/completions","body":{"messages":[{"role":"user","content":"1"},{"role":"assistant","content":"old"},{"role":"user","content":"2"}]}}`,
		`{"custom_id":"b","url":"/v1/responses","body":{"input":[{"role":"user","content":"1"},{"type":"reasoning","summary":[]},{"role":"assistant","content":"old"},{"role":"user","content":"2"}]}}`,
	} {
		f(line, "u:1")
		f(line, "u:1 a:new u:2", "new")
		f(line, "end", "new", "last")
	}
	f(`{"messages":[{"role":"system","content":"s"},{"role":"user","content":"1"}]}`, "s:s u:1")
	f(`{"messages":[{"role":"assistant","content":"hi"},{"role":"user","content":"1"}]}`, "a:hi u:1")
	f(`{"messages":[{"role":"assistant","content":"hi"}]}`, "error: nothing is asked: no message is the user's")
	f(`{"turns":[]}`, "error: no turns")
	f(`{"turns":["a",7]}`, "error: turn 2 is neither text nor messages")
	f(`{"messages":[{"role":"user","content":"1"},{"role":"tool","content":"r"}]}`, "error: message 2: the result of a tool has no call before it")

	// A single call, and its result under the id that the model gave.
	single := `{"messages":[{"role":"user","content":"1"},{"role":"assistant","tool_calls":[{"id":"A","function":{"name":"f"}}]},{"role":"tool","tool_call_id":"A","content":"rf"},{"role":"assistant","content":"x"},{"role":"user","content":"2"}]}`
	f(single, "u:1 a:(hm)call_0_0 t:rf@call_0_0", "call f")
	f(single, "u:1 a:call_0_0 t:rf@call_0_0 a:ok u:2", "call f", "ok")
	f(single, `error: the model calls "g", of which no result is recorded here`, "call g")
	f(single, `error: the model calls "f", of which no result is recorded here`, "call f,f")
	f(single, `error: the model does not call "f", whose result is recorded here`, "no")
	f(single, `error: the model calls "f", of which no result is recorded here`, "call f", "call f")

	// Parallel calls, in another order and of the same tool.
	parallel := `{"messages":[{"role":"user","content":"1"},{"role":"assistant","tool_calls":[{"id":"A","function":{"name":"f"}},{"id":"B","function":{"name":"g"}},{"id":"C","function":{"name":"f"}}]},` +
		`{"role":"tool","tool_call_id":"B","content":"rg"},{"role":"tool","tool_call_id":"A","content":"rf"},{"role":"tool","tool_call_id":"C","content":"rf2"},{"role":"assistant","content":"x"}]}`
	f(parallel, "u:1 a:(hm)call_0_0call_0_1call_0_2 t:rf@call_0_0 t:rf2@call_0_1 t:rg@call_0_2", "call f,f,g")
	f(parallel, `error: the model does not call "f", whose result is recorded here`, "call f,g")

	// Repeated calls, one after the other.
	repeated := `{"conversations":[{"from":"human","value":"1"},{"from":"function_call","value":"{\"name\":\"f\",\"arguments\":{}}"},{"from":"observation","value":"r1"},` +
		`{"from":"function_call","value":"{\"name\":\"f\",\"arguments\":{}}"},{"from":"observation","value":"r2"},{"from":"gpt","value":"x"}]}`
	f(repeated, "u:1 a:(hm)call_0_0 t:r1@call_0_0", "call f")
	f(repeated, "u:1 a:(hm)call_0_0 t:r1@call_0_0 a:(hm)call_1_0 t:r2@call_1_0", "call f", "call f")
	f(repeated, "end", "call f", "call f", "ok")

	// What was not recorded cannot be replayed.
	f(`{"messages":[{"role":"user","content":"1"},{"role":"assistant","tool_calls":[{"id":"A","function":{"name":"f"}},{"id":"B","function":{"name":"g"}}]},{"role":"tool","tool_call_id":"A","content":"rf"},{"role":"user","content":"2"}]}`,
		`error: the result of "g" is not recorded`, "call f")
	f(`{"messages":[{"role":"user","content":"1"},{"role":"assistant","function_call":{"name":"f"}},{"role":"function","name":"f","content":"rf"},{"role":"assistant","content":"x"}]}`,
		"u:1 a:(hm)call_0_0 t:rf@call_0_0", "call f")
}

// TestHistory holds what of an answer goes into the history, as the message for
// the turns before the user's next message and for those after it.
func TestHistory(t *testing.T) {
	f := func(h prompt.History, s record.Sample, message, later string) {
		t.Helper()
		a, err := h.Answer(&s)
		if err != nil {
			a.Message = []byte("error: " + err.Error())
		}
		if string(a.Message) != message || string(a.Later) != later {
			t.Errorf("%+v\n got %s\n     %s\nwant %s\n     %s", h, a.Message, a.Later, message, later)
		}
	}
	sample := func(model, source, family string) record.Sample {
		return record.Sample{
			Reasoning: jsonscan.Quote("hm"), Content: jsonscan.Quote("\n\nNine."), Model: jsonscan.Quote(model), Status: "present",
			Extract: record.Extract{Source: source, Family: family},
		}
	}
	const bare = `{"role":"assistant","content":"Nine."}`
	inline := sample("qwen3", "content", "qwen3")
	f(prompt.History{}, inline, `{"role":"assistant","content":"Nine.","reasoning_content":"hm"}`, bare)
	f(prompt.History{Reasoning: prompt.Drop}, inline, `{"role":"assistant","content":"Nine.","reasoning_content":"hm"}`, bare)
	f(prompt.History{Reasoning: prompt.Keep, Key: prompt.InContent}, inline,
		`{"role":"assistant","content":"<think>hm</think>\n\nNine."}`, `{"role":"assistant","content":"<think>hm</think>\n\nNine."}`)
	split := sample("moonshotai/Kimi-K2.5", "reasoning", "none")
	f(prompt.History{}, split, `{"role":"assistant","content":"\n\nNine.","reasoning":"hm"}`, `{"role":"assistant","content":"\n\nNine.","reasoning":"hm"}`)
	f(prompt.History{Reasoning: prompt.Drop, Key: "thinking"}, split,
		`{"role":"assistant","content":"\n\nNine.","thinking":"hm"}`, `{"role":"assistant","content":"\n\nNine."}`)
	cut := sample("qwen3", "content", "qwen3")
	cut.FinishReason = jsonscan.Quote("length")
	f(prompt.History{}, cut, "error: the answer before is cut by the token limit", "")
	calls := sample("qwen3", "content", "qwen3")
	calls.ToolCalls = []record.ToolCall{{Name: jsonscan.Quote("f"), Arguments: jsonscan.Quote("x")}}
	f(prompt.History{}, calls, `error: the model calls "f" with arguments that are no JSON object`, "")
	summary := sample("gpt-5", "output[].summary[].text", "none")
	summary.Status = "summary"
	f(prompt.History{Reasoning: prompt.Keep}, summary, `{"role":"assistant","content":"\n\nNine."}`, `{"role":"assistant","content":"\n\nNine."}`)
}

// TestTurn holds that a later turn differs from the first in its messages alone.
func TestTurn(t *testing.T) {
	f := func(b prompt.Builder, line, first, second string) {
		t.Helper()
		var d jsonscan.Doc
		if err := d.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		r := prompt.Reader{Turns: prompt.AllTurns}
		p, err := r.Read(d.Root(), []byte(line))
		if err != nil {
			t.Fatal(err)
		}
		body, api, err := b.Body(&p, nil, 0)
		if err != nil || string(body) != first {
			t.Errorf("first turn: %v\n got %s\nwant %s", err, body, first)
		}
		body, err = b.Turn(body, api, p.Asked.Script, []prompt.Answer{answerOf(t, 0, "new")})
		if err != nil || string(body) != second {
			t.Errorf("second turn: %v\n got %s\nwant %s", err, body, second)
		}
	}
	f(prompt.Builder{API: prompt.Chat, Model: "m", System: "s", Stream: true, TokenIDs: true}, `{"turns":["1","2"],"params":{"top_p":0.5}}`,
		`{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"1"}],"top_p":0.5,"return_token_ids":true,"stream":true,"stream_options":{"include_usage":true}}`,
		`{"model":"m","messages":[{"role":"system","content":"s"},{"role":"user","content":"1"},{"role":"assistant","content":"new"},{"role":"user","content":"2"}],"top_p":0.5,"return_token_ids":true,"stream":true,"stream_options":{"include_usage":true}}`)
	f(prompt.Builder{API: prompt.Responses, Model: "m"}, `{"turns":["1","2"],"params":{"max_tokens":5},"tools":[{"type":"function","function":{"name":"f"}}]}`,
		`{"model":"m","input":[{"role":"user","content":"1"}],"tools":[{"type":"function","name":"f"}],"max_output_tokens":5}`,
		`{"model":"m","input":[{"role":"user","content":"1"},{"role":"assistant","content":"new"},{"role":"user","content":"2"}],"tools":[{"type":"function","name":"f"}],"max_output_tokens":5}`)
}

// TestItems holds the forms that the Responses API has for messages.
func TestItems(t *testing.T) {
	f := func(line, want string) {
		t.Helper()
		if got := body(t, prompt.Reader{}, prompt.Builder{API: prompt.Responses}, line); got != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
	}
	f(`{"prompt":"q"}`, `{"input":"q"}`)
	f(`{"input_ids":[1]}`, `error: the API does not take what is asked: responses takes messages or text, not token ids; --api generate takes them`)
	f(`{"messages":[{"role":"user","content":[{"type":"text","text":"q"},{"type":"x"}]}]}`, `{"input":[{"role":"user","content":[{"type":"input_text","text":"q"},{"type":"x"}]}]}`)
	f(`{"messages":[{"role":"user","content":"q"},{"role":"assistant","reasoning":"hm","content":"","tool_calls":[{"id":"A","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"A","content":"r"}]}`,
		`{"input":[{"role":"user","content":"q"},{"type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"hm"}]},{"type":"function_call","call_id":"A","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"A","output":"r"}]}`)
	f(`{"custom_id":"b","url":"/v1/responses","body":{"input":[{"type":"item_reference", "id":"x"}],"stream":true}}`, `{"input":[{"type":"item_reference", "id":"x"}]}`)
	f(`{"custom_id":"b","url":"/v1/responses","body":{"input":7}}`, `error: body has no input`)
}
