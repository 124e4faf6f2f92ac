package reasoning_test

import (
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
)

// splitAs splits by the rules of a name: "thinking|answer".
func splitAs(t *testing.T, rules, name string, facts reasoning.Facts, text string) string {
	t.Helper()
	r, _ := reasoning.Preset(rules)
	if r == nil {
		t.Fatalf("no rules %q", rules)
	}
	var s reasoning.Split
	r.Split(family(t, name), facts, reasoning.Plain(text), &s)
	thought, answer := texts(text, &s)
	return thought + "|" + answer
}

// The matrix of texts that peers split differently: SGLang's qwen3 with thinking
// on and not, vLLM's base parser and its qwen3 with thinking on. "=" is what
// stands to the left.
func TestServersMatrix(t *testing.T) {
	on, not := reasoning.Facts{PromptOpen: reasoning.Yes, Finish: "stop"}, reasoning.Facts{PromptOpen: reasoning.No, Finish: "stop"}
	f := func(text string, wants ...string) {
		t.Helper()
		for i, c := range [...]struct {
			rules, family string
			facts         reasoning.Facts
		}{{"sglang", "qwen3", on}, {"sglang", "qwen3", not}, {"vllm", "deepseek_r1", on}, {"vllm", "qwen3", on}} {
			if wants[i] == "=" {
				wants[i] = wants[i-1]
			}
			if got := splitAs(t, c.rules, c.family, c.facts, text); got != wants[i] {
				t.Errorf("%s:%s open %v %q: got %q, want %q", c.rules, c.family, c.facts.PromptOpen == reasoning.Yes, text, got, wants[i])
			}
		}
	}
	f("look at sizes", "look at sizes|", "|look at sizes", "look at sizes|", "=")                                                         // D1
	f("<think>look at sizes", "look at sizes|", "=", "=", "=")                                                                            // D2
	f("step one</think>Answer", "step one|Answer", "|step one</think>Answer", "step one|Answer", "=")                                     // D3
	f("<think>\nstep\n</think>\n\nAnswer\n", "\nstep\n|\n\nAnswer\n", "=", "=", "=")                                                      // D4
	f("Sure. <think>step</think>Answer", "Sure. <think>step|Answer", "=", "step|Answer", "=")                                             // D5
	f("<think>one</think>mid<think>two</think>end", "one|mid<think>two</think>end", "=", "=", "one|mid<think>twoend")                     // D6; the engine's stray closer
	f("one</think>mid</think>end", "one|mid</think>end", "|one</think>mid</think>end", "one|mid</think>end", "one|midend")                // D7
	f("the </think> tag.</think>It.", "the | tag.</think>It.", "|the </think> tag.</think>It.", "the | tag.</think>It.", "the | tag.It.") // D8
	f(`<think>easy</think>Write "<think>" first.`, `easy|Write "<think>" first.`, "=", "=", "=")                                          // D9
	f(`easy</think>Write "<think>" and "</think>" last.`, `easy|Write "<think>" and "</think>" last.`, "=", `" and "|" last.`, "=")       // D23
	f(`It prints "<think>" and then thinks.`, `It prints "<think>" and then thinks.|`, "=", `" and then thinks.|`, "=")                   // D10
	const call = "<tool_call>{json}</tool_call>"
	f("<think>need"+call, "need|"+call, "=", "need"+call+"|", "need|"+call) // D11
	f("I might <tool_call> later.</think>Done.", "I might <tool_call> later.|Done.", "|I might <tool_call> later.</think>Done.",
		"I might <tool_call> later.|Done.", "I might |<tool_call> later.Done.") // D12
	f("need"+call+"</think>Done.", "need"+call+"|Done.", "|need"+call+"</think>Done.", "need"+call+"|Done.", "need|"+call+"Done.") // D13
	f("<think>\n\n</think>\n\nAnswer", "\n\n|\n\nAnswer", "=", "=", "=")                                                           // D14
	f("<think><think>step</think>Answer", "step|Answer", "=", "<think>step|Answer", "=")                                           // D15
	f("<think>a<think>b</think>c</think>d", "a<think>b|c</think>d", "=", "=", "a<think>b|cd")                                      // D16
	f("Just an answer.", "Just an answer.|", "|Just an answer.", "Just an answer.|", "=")                                          // D17
	f("</think>Answer", "|Answer", "|</think>Answer", "|Answer", "=")                                                              // D18
	f("\n\n<think>step</think>Answer", "\n\n<think>step|Answer", "=", "step|Answer", "=")                                          // D19
	f("<think>   </think>  Answer", "   |  Answer", "=", "=", "=")                                                                 // D22
}

// What servers do otherwise for a family.
func TestServersFamilies(t *testing.T) {
	unknown := reasoning.Facts{Finish: "stop"}
	on, off := reasoning.Facts{Thinking: reasoning.Yes, Finish: "stop"}, reasoning.Facts{Thinking: reasoning.No, Finish: "stop"}
	f := func(rules, name string, facts reasoning.Facts, text, want string) {
		t.Helper()
		if got := splitAs(t, rules, name, facts, text); got != want {
			t.Errorf("%s:%s %+v %q: got %q, want %q", rules, name, facts, text, got, want)
		}
	}
	both := func(name string, facts reasoning.Facts, text, want string) {
		t.Helper()
		f("sglang", name, facts, text, want)
		f("vllm", name, facts, text, want)
	}

	const glm = "<tool_call>f<arg_key>k</arg_key></tool_call>"
	both("glm45", on, "r"+glm, "r|"+glm) // F1
	f("vllm", "glm47", on, "r"+glm, "r|"+glm)
	f("vllm", "glm47", on, "r\n</think>c<think>r2</think>c2", "rr2|cc2") // F2
	f("sglang", "glm47", on, "r</think>c<think>r2</think>c2", "r|c<think>r2</think>c2")
	both("glm45", on, "<think>r", "r|") // F3

	const section = "<|tool_calls_section_begin|>…"
	both("kimi_k2", unknown, "check"+section, "check|"+section)                                                   // F4
	both("kimi_k2", unknown, "check</think>answer", "check|answer")                                               // F5
	f("sglang", "kimi_k2", unknown, "<think>x <|tool_call_begin|> y</think>done", "x <|tool_call_begin|> y|done") // F7
	f("vllm", "kimi_k2", unknown, "<think>x <|tool_call_begin|> y</think>done", "x|<|tool_call_begin|> ydone")
	f("sglang", "kimi_k2", off, "a</think>b", "|a</think>b")
	f("vllm", "kimi_k2", unknown, "<think>\n\n</think>a", "|a")

	f("sglang", "mistral", on, "r[/THINK]c", "r|c") // F8
	f("vllm", "mistral", on, "r[/THINK]c", "|rc")
	f("sglang", "mistral", unknown, "pre[THINK]r[/THINK]c", "pre[THINK]r|c") // F9
	f("vllm", "mistral", unknown, "pre[THINK]r[/THINK]c", "r|prec")
	both("mistral", unknown, "plain", "|plain") // F10

	f("sglang", "gemma4", on, "r<channel|>c", "r|c") // F11
	f("vllm", "gemma4", unknown, "r<channel|>c", "r|c")
	const late = "Before\n<|channel>thought\nr<channel|>\nX"
	f("sglang", "gemma4", unknown, late, "Before\n<|channel>thought\nr|\nX") // F12
	f("vllm", "gemma4", unknown, late, "r|Before\n\nX")

	both("minimax_m2_append_think", unknown, "<think>r</think>c", "|<think>r</think>c")  // F13
	f("sglang", "step3p5", unknown, "\nIntro<think>r</think>\nA", "\nIntro<think>r|\nA") // F14
	f("vllm", "step3p5", unknown, "\nIntro<think>r</think>\nA", "r|\nIntroA")
	f("vllm", "step3p5", unknown, "\n t\n\n</think>\n\na", "\n t\n|\na")
	f("vllm", "seed_oss", unknown, "r</seed:think>c", "r|c") // F15
	f("vllm", "seed_oss", unknown, "<seed:think>r<seed:cot_budget_reflect>n</seed:cot_budget_reflect><seed:tool_call>x", "r<seed:cot_budget_reflect>n</seed:cot_budget_reflect>|<seed:tool_call>x")

	f("sglang", "cohere_command4", unknown, "r<|START_TEXT|>c<|END_TEXT|>", "r|c")                                   // F16
	f("sglang", "cohere_command4", unknown, "<|START_THINKING|>r<|END_THINKING|><|START_TEXT|>c<|END_TEXT|>", "r|c") // F17
	f("sglang", "cohere_command4", unknown, "<|START_TEXT|>c<|END_TEXT|>", "|c")
	f("vllm", "cohere_command3", unknown, "<|START_THINKING|> r<|END_THINKING|><|START_RESPONSE|>c<|END_RESPONSE|>", "r|c")

	f("vllm", "cohere_command3", unknown, "<|START_THINKING|>r <co>s</co: 0:[1,2]><|END_THINKING|><|START_RESPONSE|><code>c</code> </co: 1", "r s|<code>c</code> </co: 1")

	f("sglang", "gpt_oss", unknown, "<|channel|>musing<|message|>m<|end|><|start|>assistant<|channel|>final<|message|>c", "|c") // F18
	f("vllm", "gpt_oss", unknown, "<|channel|>commentary<|message|>hold on<|start|>assistant<|channel|>final<|message|>c", "|hold onc")
	f("sglang", "gpt_oss", unknown, "<|channel|>commentary<|message|>hold on<|start|>assistant<|channel|>final<|message|>c", "|c")
	both("gpt_oss", unknown, "bare text", "|bare text")
	both("gpt_oss", unknown, "analysisI reason.assistantfinalAnswer", "I reason.|Answer")

	both("deepseek_v3", off, "r</think>c", "|r</think>c") // F19
	both("deepseek_v3", unknown, "r</think>c", "|r</think>c")
	both("deepseek_v3", on, "r</think>c", "r|c")
	f("vllm", "qwen3", off, "<think>\n\n</think>\n\nc", "\n\n|\n\nc") // F20
	f("sglang", "nemotron_3", off, "<think></think>c", "|c")          // F21
	f("vllm", "nemotron_3", off, "<think>cut", "|cut")
	f("vllm", "granite", on, "<think>r</think><response>c</response>", "|<think>r</think><response>c</response>") // F22
	f("vllm", "ernie45", on, "r</think>\n\n<response>\nc\n</response>\n", "r|\nc\n")
	f("sglang", "telechat4", on, "<think>r</think>", "|r")
	f("vllm", "step3", unknown, "<think>r</think>c", "<think>r|c")
	f("vllm", "hunyuan_a13b", unknown, "<think>\nr\n</think>\nc", "|<think>\nr\n</think>\nc")
	both("kimi_k3", unknown, "a.<|close|>response<|sep|>", "a.|") // F25

	// Who begins in the thought, and when.
	for _, name := range []string{"deepseek_r1", "step3", "step3p5", "qwen3_thinking", "minimax_m2", "granite4", "cohere_command4", "kimi_k3"} {
		f("sglang", name, off, "plain", "plain|")
	}
	for _, name := range []string{"qwen3", "glm45", "nemotron_3", "interns1", "kimi_k2", "poolside_v1"} {
		f("sglang", name, unknown, "plain", "plain|")
		f("sglang", name, off, "plain", "|plain")
	}
	for _, name := range []string{"kimi", "gemma4", "mistral", "minimax_m3", "hunyuan", "mimo", "deepseek_v4"} {
		f("sglang", name, unknown, "plain", "|plain")
		f("sglang", name, on, "plain", "plain|")
	}
	f("sglang", "qwen3", reasoning.Facts{Thinking: reasoning.Yes, PromptOpen: reasoning.No}, "plain", "plain|")
	for _, name := range []string{"qwen3", "glm45", "glm47", "mimo", "interns1", "deepseek_v4", "kimi_k3", "solar_open2", "poolside_v1", "nemotron_3", "hy_v3"} {
		f("vllm", name, on, "plain", "plain|")
		f("vllm", name, off, "plain", "|plain")
	}

	// Whose calls end a thought.
	for name, want := range map[string]string{
		"deepseek_r1": "r<tool_call>x|", "think": "r<tool_call>x|", "step3p5": "r<tool_call>x|", "mistral": "r<tool_call>x|", "qwen3": "r|<tool_call>x",
		"minimax_m2": "r|<tool_call>x", "nemotron_3": "r|<tool_call>x", "mimo": "r|<tool_call>x", "poolside_v1": "r|<tool_call>x",
	} {
		f("sglang", name, on, "r<tool_call>x", want)
	}
	f("sglang", "minimax_m2", on, "r<minimax:tool_call>x", "r<minimax:tool_call>x|")
	f("sglang", "nemotron_3", on, "r<TOOLCALL>x", "r<TOOLCALL>x|")
	for _, name := range []string{"deepseek_v3", "deepseek_v4"} {
		f("sglang", name, on, "r<｜tool▁calls▁begin｜>x", "r<｜tool▁calls▁begin｜>x|")
	}
	f("sglang", "deepseek_v4", on, "r<｜DSML｜x", "r|<｜DSML｜x")
	f("vllm", "mimo", on, "r<tool_call>x", "r|<tool_call>x")
	f("vllm", "deepseek_r1", on, "r<｜tool▁calls▁begin｜>x", "r<｜tool▁calls▁begin｜>x|")

	// Text before the opening marker.
	f("vllm", "glm47", on, "Intro <think>r</think>c", "r|Intro c")
	f("vllm", "minimax_m3", on, "a <mm:think>r</mm:think>c", "a <mm:think>r|c")
	f("vllm", "granite", on, "Here's my thought process: r Here's my response: c", " r | c")
}

// Rules drop text only as markers, and say so.
func TestDropped(t *testing.T) {
	rules := reasoning.VLLM()
	text := "Sure. <think>r</think>c"
	var s reasoning.Split
	rules.Split(family(t, "deepseek_r1"), reasoning.Facts{Finish: "stop"}, reasoning.Plain(text), &s)
	if g := s.Segments[0]; g.Kind != reasoning.Marker || text[:g.End] != "Sure. <think>" || strings.Join(s.Flags, " ") != "text-dropped" {
		t.Errorf("%v %q", g, s.Flags)
	}
}

func TestPreset(t *testing.T) {
	for name, want := range map[string]string{
		"": "faithful/1", "faithful": "faithful/1", "sglang": "sglang/2026", "vllm": "vllm/2026", "sglang/2026": "sglang/2026",
	} {
		if r, _ := reasoning.Preset(name); r == nil || r.Name != want {
			t.Errorf("Preset(%q) = %v, want %s", name, r, want)
		}
	}
	if r, known := reasoning.Preset("vllm/2024"); r != nil || strings.Join(known, " ") != "faithful sglang vllm" {
		t.Errorf("got %v %q", r, known)
	}
}
