package extractor_test

import (
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

func line(t testing.TB, c extractor.Config, text string) *extractor.Result {
	t.Helper()
	x, err := extractor.New(c)
	if err != nil {
		t.Fatal(err)
	}
	var d jsonscan.Doc
	if err := d.Scan([]byte(text)); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	r, err := x.Line(d.Root())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return r
}

// show is a sample in one line: reasoning|content status family source flags.
func show(s *record.Sample) string {
	return s.Reasoning.String() + "|" + s.Content.String() + " " + s.Status + " " + s.Extract.Family + " " + s.Extract.Source + " " + strings.Join(s.Extract.Flags, ",")
}

func TestLine(t *testing.T) {
	f := func(c extractor.Config, text string, want ...string) {
		t.Helper()
		r := line(t, c, text)
		if len(r.Samples) != len(want) {
			t.Fatalf("%s: %d samples", text, len(r.Samples))
		}
		for i := range r.Samples {
			if got := show(&r.Samples[i]); got != want[i] {
				t.Errorf("%s\n got %s\nwant %s", text, got, want[i])
			}
		}
	}
	auto, none := extractor.Config{}, extractor.Config{Family: "none"}
	family := func(name string) extractor.Config { return extractor.Config{Family: name} }
	chat := func(message string) string {
		return `{"id":"a","response":{"model":"m","choices":[{"index":0,"message":` + message + `,"finish_reason":"stop"}]}}`
	}

	// The server split.
	f(auto, chat(`{"content":"4","reasoning_content":"2+2"}`), "2+2|4 present none reasoning_content ")
	f(none, chat(`{"content":"4","reasoning":"2+2"}`), "2+2|4 present none reasoning ")
	f(family("qwen3"), chat(`{"content":"4","reasoning":"2+2"}`), "2+2|4 present qwen3 reasoning ")
	f(auto, chat(`{"content":"4","reasoning_content":" \n"}`), " \n|4 missing none reasoning_content empty-block")
	f(auto, chat(`{"content":"\n</think>\n</think>4","reasoning":"2+2"}`), "2+2|\n\n4 present none reasoning repeated-closer")
	f(none, chat(`{"content":"</think>4","reasoning":"2+2"}`), "2+2|</think>4 present none reasoning marker-in-content")
	f(auto, chat(`{"content":"Wait.</think>4","reasoning":"2+2"}`), "2+2|Wait.</think>4 present none reasoning marker-in-content")
	f(auto, chat(`{"content":"","reasoning":"2+2</think>4"}`), "2+2</think>4| present none reasoning closer-in-thought")
	f(auto, `{"id":"a","content":"","reasoning":"cut","finish_reason":"length"}`, "cut| truncated none reasoning ")
	f(auto, `{"id":"a","content":"an","reasoning":"t","finish_reason":"length"}`, "t|an present none reasoning ")
	for _, reason := range []string{"MAX_TOKENS", "model_context_window_exceeded", "max_completion_tokens", "incomplete"} {
		f(auto, `{"id":"a","content":"<think>cut","finish_reason":"`+reason+`"}`, "cut| truncated think content auto:markers,no-closer")
		f(auto, `{"id":"a","content":"","reasoning":"cut","finish_reason":"`+reason+`"}`, "cut| truncated none reasoning ")
	}
	f(auto, chat(`{"content":[{"type":"thinking","thinking":[{"type":"text","text":"a"}]},{"type":"text","text":"b"}]}`), "a|b present none content[].thinking ")

	// A plan for calls is thinking where there is none, and apart where there is.
	cohere := func(message string) string {
		return `{"id":"a","response":{"message":` + message + `,"finish_reason":"COMPLETE"}}`
	}
	f(auto, cohere(`{"tool_plan":"look"}`), "look| present none tool_plan ")
	f(auto, cohere(`{"tool_plan":"look","content":[{"type":"thinking","thinking":"2+2"},{"type":"text","text":"4"}]}`), "2+2|4 present none content[].thinking plan-left-out")
	// Thinking of two fields names both.
	f(auto, chat(`{"reasoning":"2+2","content":[{"type":"thinking","thinking":"=4"},{"type":"text","text":"4"}]}`), "2+2=4|4 present none reasoning+content[].thinking ")

	// The content is split.
	f(auto, chat(`{"content":"<think>2+2</think>4","reasoning_content":null}`), "2+2|4 present think content auto:markers")
	f(family("qwen3"), chat(`{"content":"\u003cthink\u003e2+2\u003c/think\u003e4","reasoning_content":""}`), "2+2|4 present qwen3 content ")
	f(none, chat(`{"content":"<think>2+2</think>4"}`), "|<think>2+2</think>4 missing none  marker-in-content")
	f(auto, chat(`{"content":"4"}`), "|4 missing none  auto:no-sign")
	f(auto, strings.Replace(chat(`{"content":"4"}`), `"m"`, `"Qwen/Qwen2.5-7B-Instruct"`, 1), "|4 absent none  auto:no-sign,off:model")
	f(auto, strings.Replace(chat(`{"content":"4"}`), `"m"`, `"Qwen/Qwen3-14B"`, 1), "|4 missing qwen3  auto:model")
	f(extractor.Config{Close: "##"}, chat(`{"content":"2+2##4"}`), "2+2|4 present custom content opened:template")
	f(extractor.Config{Family: "qwen3", Unclosed: "reasoning"}, chat(`{"content":"2+2"}`), "2+2| suspect qwen3 content opened:rules,no-closer")
	f(extractor.Config{Family: "qwen3", Trim: true}, chat(`{"content":"<think>\n2+2\n</think>\n\n4 "}`), "2+2|4 present qwen3 content ")
	f(family("minimax_m2"), chat(`{"content":"<think>a</think>b<think>c</think>d"}`), "ac|bd present minimax_m2 content several-blocks")
	f(auto, chat(`{"content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}`), "| missing none  auto:no-sign")
	f(auto, chat(`{"content":"<think>look","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}`), "look| present think content auto:markers,no-closer,ended-by-tool")
	f(auto, chat(`{"content":null,"refusal":"no"}`), "|no missing none  auto:no-sign,refusal")

	f(extractor.Config{TextField: "a.0"}, `{"id":"a","a":["<think>2+2</think>4"]}`, "2+2|4 present think a.0 auto:markers")

	// Every choice is a sample.
	f(auto, `{"id":"a","response":{"choices":[{"index":0,"message":{"content":"<think>a</think>b<think>"}},{"index":1,"message":{"content":"<think>c</think>d"}}]}}`,
		"a|b<think> present think content auto:markers,marker-in-content", "c|d present think content auto:markers")

	// What was asked.
	off := func(request, model, content string) string {
		return `{"custom_id":"a","request":{"body":` + request + `},"response":{"status_code":200,"body":{"model":"` + model + `","choices":[{"message":{"content":"` + content + `"},"finish_reason":"stop"}],"usage":{"completion_tokens_details":{"reasoning_tokens":0}}}}}`
	}
	f(auto, off(`{"messages":[],"chat_template_kwargs":{"enable_thinking":false}}`, "Qwen3-8B", "4"), "|4 absent qwen3  auto:model,off:request")
	f(auto, off(`{"messages":[],"chat_template_kwargs":{"enable_thinking":false}}`, "Kimi-K2-Thinking", "4"), "|4 missing kimi_k2  auto:model")
	f(auto, off(`{"messages":[],"chat_template_kwargs":{"thinking":false}}`, "Kimi-K2.5", "4"), "|4 absent kimi_k2  auto:model,off:request")
	f(auto, off(`{"messages":[],"reasoning_effort":"none"}`, "m", "4"), "|4 absent none  auto:no-sign,off:effort")
	f(auto, off(`{"messages":[],"chat_template_kwargs":{"thinking_mode":"disabled"}}`, "MiniMax-M3", "4"), "|4 absent minimax_m3  auto:model,off:request")
	f(auto, off(`{"messages":[],"chat_template_kwargs":{"thinking_mode":"adaptive"}}`, "MiniMax-M3", "4"), "|4 missing minimax_m3  auto:model")
	f(auto, off(`{"messages":[],"thinking":{"type":"disabled"}}`, "glm-4.6", "4"), "|4 absent glm45  auto:model,off:request")
	f(auto, off(`{"messages":[{"role":"user","content":"2+2 /no_think"}]}`, "Qwen3-8B", "<think>\\n\\n</think>4"), "\n\n|4 absent qwen3 content auto:model,off:soft,empty-block")
	f(auto, off(`{"messages":[{"role":"user","content":"2+2 /no_think"},{"role":"user","content":"2+2 /think"}]}`, "Qwen3-8B", "4"), "|4 missing qwen3  auto:model")
	f(auto, strings.Replace(off(`{"reasoning_effort":"none"}`, "m", "4"), `"reasoning_tokens":0`, `"reasoning_tokens":9`, 1), "|4 missing none  auto:no-sign,off:effort,tokens-without-thought")
	f(family("qwen3"), off(`{"messages":[{"role":"assistant","content":"<think>\\n"}],"continue_final_message":true}`, "m", "t</think>4"), "t|4 present qwen3 content opened:prompt")
	text := func(prompt, finish string) string {
		return `{"custom_id":"a","request":{"body":{"prompt":"` + prompt + `"}},"response":{"status_code":200,"body":{"choices":[{"text":"cut","finish_reason":"` + finish + `"}]}}}`
	}
	f(family("qwen3"), text(`2+2<think>\n`, "length"), "cut| truncated qwen3 text opened:prompt,no-closer")
	f(family("deepseek_r1"), text(`2+2`, "length"), "|cut missing deepseek_r1  ")
	f(family("deepseek_r1"), text(`2+2<think>\n\n</think>\n`, "length"), "|cut absent deepseek_r1  off:prompt")

	// Agent runs: each text was generated by itself.
	f(auto, `{"id":"a","response":{"object":"response","model":"NVIDIA-Nemotron-3-Nano","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a</think>b"}]},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c","output":"x"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"c</think>d"}]}]}}`,
		"ac|bd present nemotron_3 content[].text auto:model,opened:template,several-turns")

	f(auto, `{"id":"a","response":{"object":"response","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"<think>a</think>b"}]},{"type":"function_call","call_id":"c","name":"f","arguments":"{}"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"<think>c</think>d"}]}]}}`,
		"ac|bd present think content[].text auto:markers")

	// Not the sampled thought.
	responses := func(model string) string {
		return `{"object":"response","model":"` + model + `","status":"completed","output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"adds"}]},{"type":"message","content":[{"type":"output_text","text":"4"}]}]}`
	}
	run := `{"object":"response","model":"qwen3-8b","output":[{"type":"reasoning","content":[{"type":"reasoning_text","text":"adds"}]},{"type":"message","content":[{"type":"output_text","text":"4"}]},{"type":"message","content":[{"type":"output_text","text":"<think>mul"}]}]}`
	f(auto, run, "addsmul|4 suspect qwen3 output[].content[].text auto:model,no-closer,no-id")
	f(auto, responses("o4-mini"), "adds|4 summary none output[].summary[].text no-id")
	f(auto, responses("Qwen/Qwen3-30B-A3B"), "adds|4 present none output[].summary[].text thought-in-summary,no-id")
	f(auto, chat(`{"content":"4","reasoning":"sums up","reasoning_details":[{"type":"reasoning.summary","summary":"sums up"}]}`), "sums up|4 summary none reasoning ")
	f(auto, chat(`{"content":[{"type":"redacted_thinking","data":"x"},{"type":"text","text":"b"}]}`), "|b encrypted none content[].data ")
}

// callsOf are the calls of a sample and its segments, each in one line.
func callsOf(s *record.Sample) (calls, segments string) {
	for _, c := range s.ToolCalls {
		calls += c.ID.String() + " " + c.Name.String() + c.Arguments.String() + ";"
	}
	for _, g := range s.Segments {
		segments += g.Kind + ":" + g.Text.String() + ";"
	}
	return calls, segments
}

// Whatever the family, an answer that the server split comes out as it is.
func TestEveryFamilyTakesWhatIsSplit(t *testing.T) {
	for f := range reasoning.Families() {
		s := line(t, extractor.Config{Family: f.Name}, `{"id":"a","reasoning":"r","content":"c"}`).Samples[0]
		if got, want := show(&s), "r|c present "+f.Name+" reasoning "; got != want {
			t.Errorf("%s: %s", f.Name, got)
		}
	}
}

func TestCalls(t *testing.T) {
	f := func(family, message, want, calls, segments string) {
		t.Helper()
		text := `{"id":"a","request":{"body":{"messages":[],"tools":[{"name":"f","parameters":{"properties":{"n":{"type":"string"}}}}]}},"response":{"choices":[{"index":0,"message":` + message + `,"finish_reason":"stop"}]}}`
		s := &line(t, extractor.Config{Family: family, Segments: true}, text).Samples[0]
		gotCalls, gotSegments := callsOf(s)
		if show(s) != want || gotCalls != calls || gotSegments != segments {
			t.Errorf("%s\n got %s, %s, %s\nwant %s, %s, %s", text, show(s), gotCalls, gotSegments, want, calls, segments)
		}
	}
	const call, draft = `<tool_call>{\"name\":\"f\"}</tool_call>`, `<tool_call>{\"name\":\"d\"}</tool_call>`
	f("qwen3", `{"content":"<think>r `+draft+` r</think>\n\n`+call+`"}`, "r <tool_call>{\"name\":\"d\"}</tool_call> r|\n\n present qwen3 content call-in-thought",
		" f{};", "marker:<think>;reasoning:r <tool_call>{\"name\":\"d\"}</tool_call> r;marker:</think>;content:\n\n;tool_call:<tool_call>{\"name\":\"f\"}</tool_call>;")
	f("qwen3", `{"content":"<think>r`+call+`"}`, "r| present qwen3 content ended-by-tool", " f{};", "marker:<think>;reasoning:r;tool_call:<tool_call>{\"name\":\"f\"}</tool_call>;")
	f("qwen3", `{"content":"<tool_call>f<arg_key>n</arg_key><arg_value>1</arg_value></tool_call>"}`, `| missing qwen3  `, ` f{"n":"1"};`, "tool_call:<tool_call>f<arg_key>n</arg_key><arg_value>1</arg_value></tool_call>;")
	f("none", `{"content":"`+call+`"}`, "|<tool_call>{\"name\":\"f\"}</tool_call> missing none  ", "", "content:<tool_call>{\"name\":\"f\"}</tool_call>;")

	// Nothing that looks like a call is an answer.
	f("", `{"reasoning":"r","content":"a<tool_call>{\"name\"</tool_call>b"}`, "r|ab present none reasoning malformed-call", "", "reasoning:r;content:a;tool_call:<tool_call>{\"name\"</tool_call>;content:b;")
	f("", `{"reasoning":"r","content":"a<|tools_prefix|>[]<|tools_suffix|>"}`, "r|a present none reasoning malformed-call", "", "reasoning:r;content:a;tool_call:<|tools_prefix|>[]<|tools_suffix|>;")

	// The server read the call, and left its markup, or another one.
	f("", `{"reasoning":"r","content":"`+call+`","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]}`, "r| present none reasoning unparsed-call", "1 f{};", "reasoning:r;tool_call:<tool_call>{\"name\":\"f\"}</tool_call>;")

	// The server filed the call with the thought. A draft is none.
	f("", `{"reasoning":"r`+draft+`r`+call+`\n","content":null}`, "r<tool_call>{\"name\":\"d\"}</tool_call>r|\n present none reasoning ended-by-tool,call-in-thought", " f{};", "reasoning:r<tool_call>{\"name\":\"d\"}</tool_call>r;tool_call:<tool_call>{\"name\":\"f\"}</tool_call>;content:\n;")
	f("", `{"reasoning":"r`+draft+`r","content":""}`, "r<tool_call>{\"name\":\"d\"}</tool_call>r| present none reasoning call-in-thought", "", "reasoning:r<tool_call>{\"name\":\"d\"}</tool_call>r;")
	f("", `{"reasoning":"r`+draft+`","content":"c"}`, "r<tool_call>{\"name\":\"d\"}</tool_call>|c present none reasoning call-in-thought", "", "reasoning:r<tool_call>{\"name\":\"d\"}</tool_call>;content:c;")
	f("none", `{"reasoning":"r`+draft+`","content":""}`, "r<tool_call>{\"name\":\"d\"}</tool_call>| present none reasoning ", "", "reasoning:r<tool_call>{\"name\":\"d\"}</tool_call>;")
}

func TestSegments(t *testing.T) {
	f := func(c extractor.Config, message, want string) {
		t.Helper()
		c.Segments = true
		s := &line(t, c, `{"id":"a","response":{"choices":[{"index":0,"message":`+message+`}]}}`).Samples[0]
		if _, got := callsOf(s); got != want {
			t.Errorf("%s\n got %s\nwant %s", message, got, want)
		}
	}
	auto := extractor.Config{}
	f(auto, `{"content":""}`, "")
	f(auto, `{"content":" <think>a</think></think>b"}`, "content: ;marker:<think>;reasoning:a;marker:</think>;marker:</think>;content:b;")
	f(auto, `{"reasoning":"a","content":"\n</think>b","refusal":"no"}`, "reasoning:a;content:\n;marker:</think>;content:b;refusal:no;")
	f(auto, `{"reasoning_details":[{"type":"reasoning.text","text":"a"},{"type":"reasoning.summary","summary":"s"},{"type":"reasoning.encrypted","data":"e"}],"content":"b"}`, "reasoning:a;summary:s;encrypted:e;content:b;")
	f(extractor.Config{Trim: true}, `{"content":"<think> a </think> b "}`, "marker:<think>;reasoning: a ;marker:</think>;content: b ;")
	f(extractor.Config{SplitOnly: true}, `{"content":"<think>a</think><tool_call>{\"name\":\"f\"}</tool_call>","refusal":"no"}`, "marker:<think>;reasoning:a;marker:</think>;content:<tool_call>{\"name\":\"f\"}</tool_call>;")

	f(extractor.Config{SplitOnly: true}, `{"content":"<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>commentary to=f<|message|>{}<|call|>"}`, "marker:<|channel|>analysis<|message|>;reasoning:a;marker:<|end|>;content:<|start|>assistant<|channel|>commentary to=f<|message|>{}<|call|>;")

	s := line(t, auto, `{"id":"a","content":"<think>a</think>b"}`).Samples[0]
	if s.Segments != nil {
		t.Errorf("segments that nobody asked for: %v", s.Segments)
	}
}

func TestFieldsAreCarried(t *testing.T) {
	r := line(t, extractor.Config{}, `{"custom_id":7,"sample":2,"turn":1,"meta":{"k": 1E400},"request":{"body":{"messages":[{"role":"user","content":"\u00e9"}]}},"response":{"status_code":200,"body":{"model":"m","choices":[{"index":3,"message":{"content":"a\u00e9","reasoning":"r","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}}}`)
	got := string(r.Samples[0].AppendJSON(nil))
	want := `{"id":7,"sample":2,"turn":1,"choice":3,"messages":[{"role":"user","content":"\u00e9"}],"reasoning":"r","content":"a\u00e9","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}],"finish_reason":"tool_calls","model":"m","usage":{"prompt_tokens":1,"completion_tokens":2,"reasoning_tokens":-1,"total_tokens":3},"reasoning_status":"present","extract":{"family":"none","rules":"faithful/1","source":"reasoning","flags":[]},"meta":{"k": 1E400}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if r.Key.ID.String() != "7" || r.Key.Sample != 2 || r.Key.Turn != 1 {
		t.Errorf("key %+v", r.Key)
	}
}

func TestSamplesPassThrough(t *testing.T) {
	sample := line(t, extractor.Config{}, `{"id":"a","content":"<think>r</think>c"}`).Samples[0]
	text := string(sample.AppendJSON(nil))
	r := line(t, extractor.Config{}, text)
	if !r.Through || len(r.Samples) != 1 || show(&r.Samples[0]) != show(&sample) || r.Key.ID.String() != "a" {
		t.Errorf("%+v", r)
	}
	unsplit := strings.NewReplacer(`"reasoning":"r","content":"c"`, `"reasoning":"","content":"<think>r</think>c"`).Replace(text)
	r = line(t, extractor.Config{Again: true, Family: "qwen3"}, unsplit)
	if r.Through || show(&r.Samples[0]) != "r|c present qwen3 content " {
		t.Errorf("again: %s", show(&r.Samples[0]))
	}
}

func TestNoSamples(t *testing.T) {
	f := func(text string) {
		t.Helper()
		if r := line(t, extractor.Config{}, text); len(r.Samples) != 0 || r.Key.ID.String() != "a" {
			t.Errorf("%s: %+v", text, r)
		}
	}
	f(`{"id":"a","error":{"code":"connect","message":"refused"}}`)
	f(`{"custom_id":"a","retried":true,"response":{"status_code":200,"body":{"choices":[{"message":{"content":"x"}}]}},"error":null}`)
	f(`{"custom_id":"a","response":{"status_code":500,"body":{}},"error":null}`)
}

func TestBadLines(t *testing.T) {
	x, _ := extractor.New(extractor.Config{})
	f := func(text, id string) {
		t.Helper()
		var d jsonscan.Doc
		if err := d.Scan([]byte(text)); err != nil {
			t.Fatal(err)
		}
		r, err := x.Line(d.Root())
		if err == nil || r == nil || len(r.Samples) != 0 || r.Key.ID.String() != id {
			t.Errorf("%s: %+v, %v", text, r, err)
		}
	}
	f(`{"id":"a","content":"x","content":"y"}`, "a")
	f(`{"id":"a","foo":1}`, "a")
	f(`{"id":"a","reasoning":"r","reasoning":"s","content":"c","reasoning_status":"present","extract":{}}`, "a")
	f(`{"custom_id":"a","request":{"body":{"chat_template_kwargs":{"enable_thinking":true,"enable_thinking":false}}},"response":{"status_code":200,"body":{"model":"Qwen3-8B","choices":[{"message":{"content":"c"}}]}}}`, "a")
	f(`{"custom_id":"a","request":{"body":{"tools":[],"tools":[]}},"response":{"status_code":200,"body":{"choices":[{"message":{"content":"c"}}]}}}`, "a")
	f(`[1]`, "")
}

func TestNew(t *testing.T) {
	f := func(c extractor.Config, want string) {
		t.Helper()
		if _, err := extractor.New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", c, err, want)
		}
	}
	f(extractor.Config{Family: "qwen33"}, `unknown family "qwen33", did you mean qwen3`)
	f(extractor.Config{Family: "zzzzzzzz"}, `unknown family "zzzzzzzz"`)
	f(extractor.Config{Open: "<a>"}, "without a closing")
	f(extractor.Config{Open: "<a>", Close: "<a>"}, "are the same")
	f(extractor.Config{Close: "</a>", Family: "qwen3"}, "exclude each other")
	f(extractor.Config{Rules: "tgi"}, `unknown rules "tgi", known are: faithful, sglang, vllm`)
	f(extractor.Config{Unclosed: "x"}, "none of auto, reasoning, content")
	for _, c := range []extractor.Config{{}, {Family: "auto", Rules: "faithful", Unclosed: "auto"}, {Family: "none"}, {Family: "GLM45"}, {Family: "auto", Close: "x"}} {
		if _, err := extractor.New(c); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

func TestBody(t *testing.T) {
	x, _ := extractor.New(extractor.Config{})
	r, err := x.Body(record.StringID("in"), []byte("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"<think>a</th\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ink>b\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"))
	if err != nil || len(r.Samples) != 1 || show(&r.Samples[0]) != "a|b present think content auto:markers" || r.Samples[0].ID.String() != "in" {
		t.Errorf("%+v %v", r, err)
	}
}

func TestLineDoesNotAllocate(t *testing.T) {
	x, _ := extractor.New(extractor.Config{})
	var d jsonscan.Doc
	text := []byte(`{"custom_id":"a","sample":0,"request":{"body":{"messages":[{"role":"user","content":"2+2"}],"chat_template_kwargs":{"enable_thinking":true}}},"response":{"status_code":200,"body":{"model":"Qwen/Qwen3-8B","choices":[{"index":0,"message":{"role":"assistant","content":"<think>\n2+2\n</think>\n\n4"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}},"error":null}`)
	var out []byte
	one := func() {
		if err := d.Scan(text); err != nil {
			t.Fatal(err)
		}
		r, err := x.Line(d.Root())
		if err != nil || r.Samples[0].Status != "present" {
			t.Fatal(r, err)
		}
		out = r.Samples[0].AppendJSON(out[:0])
	}
	if n := testing.AllocsPerRun(100, one); n > 0 {
		t.Errorf("%v allocations per line", n)
	}
}
