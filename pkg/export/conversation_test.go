package export_test

import (
	"encoding/json"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/export"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// answered is an answer to messages.
func answered(messages string) *record.Sample {
	return &record.Sample{
		ID: record.IDOf(scan(`17`)), Messages: []byte(messages), Reasoning: jsonscan.Text{Raw: []byte(`h\u006dm`)},
		Content: jsonscan.Quote("42\n"), Status: "present",
	}
}

const (
	question = `[{"role":"system","content":"s"},{"role":"user","content":[{"type":"text","text":"\u0071"}]}]`
	history  = `[{"role":"user","content":"q"},` +
		`{"role":"assistant","content":null,"reasoning":"t","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\n\"x\":\"\\n\"}"}}]},` +
		`{"role":"tool","tool_call_id":"c","content":"r"}]`
)

// asking is an answer that calls.
func asking(arguments string) *record.Sample {
	s := answered(`[{"role":"user","content":"q"}]`)
	s.Content = jsonscan.Text{}
	s.ToolCalls = []record.ToolCall{{ID: jsonscan.Quote("c"), Name: jsonscan.Quote("f"), Arguments: jsonscan.Quote(arguments)}}
	return s
}

func row(t *testing.T, name string, s *record.Sample) string {
	t.Helper()
	f, _ := export.Lookup(name)
	got, err := f.Append([]byte("x"), s)
	if err != nil {
		if string(got) != "x" {
			t.Errorf("%s: %v after %s", name, err, got)
		}
		return err.Error()
	}
	if !json.Valid(got[1:]) {
		t.Errorf("%s: %s", name, got)
	}
	return string(got[1:])
}

func TestConversations(t *testing.T) {
	f := func(name string, s *record.Sample, want string) {
		t.Helper()
		if got := row(t, name, s); got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
	}
	const asked = `{"role":"system","content":"s"},{"role":"user","content":"\u0071"}`
	const answer = `{"role":"assistant","content":"42\n","reasoning_content":"h\u006dm"}`
	const called = `{"role":"user","content":"q"},{"role":"assistant","content":"","reasoning_content":"t","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\n\"x\":\"\\n\"}"}}]},{"role":"tool","content":"r","tool_call_id":"c"},`
	f("specforge", answered(question), `{"id":"17","conversations":[`+asked+`,`+answer+`],"status":"success"}`)
	f("specforge", answered(history), `{"id":"17","conversations":[`+called+answer+`],"status":"success"}`)
	f("speculators", answered(question), `{"id":"17","conversations":[`+asked+`,`+answer+`]}`)
	f("speculators", answered(history), `{"id":"17","conversations":[`+called+answer+`]}`)
	f("trl", answered(question), `{"id":"17","prompt":[`+asked+`],"completion":[`+answer+`]}`)
	f("trl", answered(`[{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}],"name":"n"}]`), `{"id":"17","prompt":[{"role":"user","content":"q","name":"n"}],"completion":[`+answer+`]}`)
	f("trl", answered(history), `{"id":"17","prompt":[{"role":"user","content":"q"},{"role":"assistant","content":"","reasoning_content":"t","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":{ "x":"\n"}}}]},{"role":"tool","content":"r","tool_call_id":"c"}],"completion":[`+answer+`]}`)
	f("harmony", answered(question), `{"id":"17","messages":[{"role":"developer","content":[{"type":"developer_content","instructions":"s"}]},{"role":"user","content":"\u0071"},{"role":"assistant","channel":"analysis","content":"h\u006dm"},{"role":"assistant","channel":"final","content":"42\n"}]}`)
	f("harmony", answered(history), `{"id":"17","messages":[{"role":"user","content":"q"},{"role":"assistant","channel":"analysis","content":"t"},{"role":"assistant","channel":"commentary","recipient":"functions.f","content_type":"<|constrain|>json","content":"{\n\"x\":\"\\n\"}"},`+
		`{"role":"tool","name":"functions.f","recipient":"assistant","channel":"commentary","content":"r"},{"role":"assistant","channel":"analysis","content":"h\u006dm"},{"role":"assistant","channel":"final","content":"42\n"}]}`)
	f("sharegpt", answered(question), `{"id":"17","conversations":[{"from":"system","value":"s"},{"from":"human","value":"\u0071"},{"from":"gpt","value":"<think>h\u006dm</think>42\n"}]}`)
	f("sharegpt", answered(history), `{"id":"17","conversations":[{"from":"human","value":"q"},{"from":"function_call","value":"<think>t</think>{\"name\":\"f\",\"arguments\":{ \"x\":\"\\n\"}}"},{"from":"observation","value":"r"},{"from":"gpt","value":"<think>h\u006dm</think>42\n"}]}`)
	f("text", answered(question), `{"id":"17","text":"<think>h\u006dm</think>42\n"}`)

	// Without thinking; with a thought that never ended; in other families.
	plain, cut, oss := answered(question), answered(question), answered(question)
	plain.Reasoning = jsonscan.Text{}
	cut.Content, cut.Status = jsonscan.Text{}, "truncated"
	oss.Model = jsonscan.Quote("openai/gpt-oss-20b")
	f("specforge", plain, `{"id":"17","conversations":[`+asked+`,{"role":"assistant","content":"42\n","reasoning_content":""}],"status":"success"}`)
	f("text", plain, `{"id":"17","text":"42\n"}`)
	f("text", cut, `{"id":"17","text":"<think>h\u006dm"}`)
	f("text", oss, `{"id":"17","text":"<|channel|>analysis<|message|>h\u006dm<|end|><|start|>assistant<|channel|>final<|message|>42\n"}`)
	f("trl", oss, `{"id":"17","prompt":[`+asked+`],"completion":[{"role":"assistant","content":"42\n","thinking":"h\u006dm"}]}`)
	oss.Extract.Family = "gemma4"
	f("text", oss, `{"id":"17","text":"<|channel>thought\nh\u006dm<channel|>42\n"}`)
	oss.Extract.Family = "granite3_3"
	f("text", oss, "granite3_3 writes more than two markers around its thinking")

	// What the segments add up to is the text, markup of calls included.
	whole := asking("{}")
	whole.Segments = []record.Segment{{Kind: "reasoning", Text: whole.Reasoning}, {Kind: "marker", Text: jsonscan.Quote("\n</think>")}, {Kind: "tool_call", Text: jsonscan.Quote("<tool_call>")}}
	f("text", whole, `{"id":"17","text":"h\u006dm\n</think><tool_call>"}`)
	whole.Segments = whole.Segments[:2]
	f("text", whole, "how the model wrote its calls is not known")
}

// What a form has no place for is refused, and said.
func TestRefused(t *testing.T) {
	f := func(s *record.Sample, want string, names ...string) {
		t.Helper()
		for _, name := range names {
			if got := row(t, name, s); got != want {
				t.Errorf("%s of %s:\n got %s\nwant %s", name, s.Messages, got, want)
			}
		}
	}
	all := []string{"specforge", "speculators", "sharegpt", "harmony", "trl"}
	const user, called = `{"role":"user","content":"q"}`, `{"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","function":{"name":"g","arguments":"{}"}}]}`
	f(answered(``), "what was asked is not known", all...)
	f(answered(`[]`), "what was asked is not known", all...)
	f(answered(`["q"]`), "message 1 is no object", all...)
	f(answered(`[{"content":"q"}]`), "message 1 has no role", all...)
	f(answered(`[{"role":"user","content":[{"type":"image_url","image_url":{"url":"u"}}]}]`), "message 1 has a content that is no single text", all...)
	f(answered(`[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]`), "message 1 has a content that is no single text", all...)
	f(answered(`[{"role":"user","content":"q","weight":1}]`), `message 1 has the key "weight", which has no place`, all...)
	f(answered(`[{"role":"user","content":"q","tool_call_id":"c"}]`), `message 1 is from "user", which has no thinking, calls or results`, all...)
	f(answered(`[{"role":"user","content":"q","thinking":"t"}]`), `message 1 is from "user", which has no thinking, calls or results`, all...)
	f(answered(`[`+user+`,{"role":"assistant","content":"a","reasoning":"t","thinking":"u"},`+user+`]`), "message 2 has two thoughts", all...)
	f(answered(`[{"role":"developer","content":"d"},`+user+`]`), `message 1 is from "developer", which has no place`, "specforge", "speculators")
	f(answered(`[{"role":"developer","content":"d"},`+user+`]`), `message 1 is from "developer", out of turn`, "sharegpt")
	f(asking("{x"), `message 2 calls "f" with arguments that are no JSON object`, "specforge", "speculators", "sharegpt", "trl")
	f(answered(`[`+user+`,`+called+`,{"role":"tool","tool_call_id":"b","content":"r"}]`), "message 3 is the result of another call than the next", "sharegpt", "harmony")
	f(answered(`[`+user+`,`+called+`,{"role":"tool","tool_call_id":"a","content":"r"},{"role":"tool","tool_call_id":"b","content":"r"}]`), `message 4 is from "tool", out of turn`, "sharegpt")
	f(answered(`[{"role":"user","content":"q","name":"n"}]`), "message 1 has a name, which has no place", "sharegpt")
	beside := asking("{}")
	beside.Content = jsonscan.Quote("I call.")
	f(beside, "message 2 has text beside calls, which has no place", "sharegpt")

	// SpecForge drops the beginning of a conversation, or cuts its end.
	f(answered(`[{"role":"assistant","content":"a"},`+user+`]`), `message 1 is from "assistant", out of order`, "specforge")
	f(answered(`[{"role":"system","content":"a"},{"role":"system","content":"a"},`+user+`]`), `message 2 is from "system", out of order`, "specforge")
	f(answered(`[`+user+`,{"role":"assistant","content":"a"}]`), `message 3 is from "assistant", out of order`, "specforge")
	f(answered(`[`+user+`,{"role":"tool","content":"a"}]`), `message 2 is from "tool", out of order`, "specforge")
}

// Others' rules take what was written for them.
func TestReadBack(t *testing.T) {
	for _, require := range []check.Require{check.Reasoning, check.Optional} {
		if why := check.SpecForge(scan(row(t, "specforge", answered(question))), require, true); why != "" {
			t.Error(why)
		}
	}
	const one = `[{"role":"user","content":"q"},{"role":"assistant","content":"","tool_calls":[{"id":"call_0","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_0","content":"r"}]`
	line := row(t, "sharegpt", answered(one))
	p, err := new(prompt.Reader).Read(scan(line), []byte(line))
	if err != nil || string(p.Asked.Messages) != one {
		t.Errorf("%s, %v", p.Asked.Messages, err)
	}
}
