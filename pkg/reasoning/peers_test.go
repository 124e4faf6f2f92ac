package reasoning_test

import (
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
)

// Cases that the unit tests of other parsers assert, and our answer: theirs, or
// our own where they differ among themselves or lose text ("theirs:" says how).
// The names are those of the studies: sg SGLang, vb vq vk vg vm vLLM, ll
// llama.cpp, ol Ollama, sm smg.
func TestPeersCases(t *testing.T) {
	rules := reasoning.Faithful()
	f := func(id, name string, facts reasoning.Facts, text, thinking, answer string) {
		t.Helper()
		var s reasoning.Split
		rules.Split(family(t, name), facts, reasoning.Plain(text), &s)
		if r, c := texts(text, &s); r != thinking || c != answer {
			t.Errorf("%s %q: got %q | %q, want %q | %q", id, text, r, c, thinking, answer)
		}
	}
	stop, length, calls := reasoning.Facts{Finish: "stop"}, reasoning.Facts{Finish: "length"}, reasoning.Facts{Finish: "tool_calls"}
	off := reasoning.Facts{Finish: "stop", Thinking: reasoning.No}
	opened := func(finish string) reasoning.Facts {
		return reasoning.Facts{Finish: finish, PromptOpen: reasoning.Yes}
	}

	f("sg01", "qwen3", stop, "only an answer", "", "only an answer")
	f("sg02", "qwen3", length, "<think>half a thought", "half a thought", "")
	f("sg03", "qwen3", stop, "<think>thought</think>answer", "thought", "answer")
	f("sg04", "deepseek_r1", length, "no tags at all", "no tags at all", "")
	f("sg04", "deepseek_r1", stop, "no tags at all", "", "no tags at all") // theirs: all thinking, however it ended
	f("sg05", "deepseek-r1", stop, "thought</think>answer", "thought", "answer")
	f("sg06", "deepseek-r1", stop, "<think>thought</think>answer", "thought", "answer")
	f("sg07", "deepseek-r1", length, "thought and answer, never closed", "thought and answer, never closed", "")
	f("sg08", "qwen3", off, "direct answer", "", "direct answer")
	f("sg09", "qwen3", opened("stop"), "thought</think>answer", "thought", "answer")
	f("sg10", "qwen3", stop, "<think></think>answer", "", "answer")
	f("sg11", "qwen3", stop, "<think>\nthought\n</think>\n\nanswer\n", "\nthought\n", "\n\nanswer\n")
	f("sg12", "qwen3", stop, "<think><think>thought</think>answer", "thought", "answer")
	f("sg16", "glm45", calls, "<think>thought<tool_call>call text", "thought", "<tool_call>call text")
	f("sg18", "glm45", length, "<think>cut off", "cut off", "")
	f("sg19", "glm45", opened("tool_calls"), "thought<tool_call>call", "thought", "<tool_call>call")
	f("sg25", "nemotron_3", length, "<think>cut off", "cut off", "") // theirs, forced to have content: "cut off" as content
	f("sg26", "nemotron_3", stop, "<think>t</think>a", "t", "a")
	f("sg31", "qwen3", stop, "</answer", "", "</answer")
	f("sg33", "qwen3", stop, "</other>", "", "</other>")
	f("sg39", "minimax-append-think", stop, "<think>text</think>answer", "text", "answer")

	f("vb01", "deepseek_r1", stop, "<think>t</think>a", "t", "a")
	f("vb05", "deepseek_r1", stop, "<think></think>", "", "")
	f("vb06", "deepseek_r1", stop, "one</think>two</think>three", "one", "two</think>three")
	f("vb07", "deepseek_r1", stop, "<think>a<think>b</think>c", "a<think>b", "c")

	f("vq01", "qwen3", stop, "t</think>a", "t", "a")
	f("vq02", "qwen3", stop, "t</think>", "t", "")
	f("vq04", "qwen3_thinking", length, "neither tag", "neither tag", "")
	f("vq05", "qwen3", length, "<think>cut", "cut", "")
	const xml = "<tool_call>\n<function=sh>\n<parameter=cmd>\nls\n</parameter>\n</function>\n</tool_call>"
	f("vq06", "qwen3", opened("tool_calls"), "read the file.\n\n"+xml, "read the file.\n\n", xml)
	f("vq07", "qwen3", off, "plain", "", "plain")
	f("vq08", "qwen3", off, "read it.\n\n"+xml, "", "read it.\n\n"+xml)
	f("vq11", "qwen3", length, "<think>cut", "cut", "")                                      // theirs in 2025: both tags or nothing
	f("vq13", "qwen3", stop, "t</think>First.</think>Second.", "t", "First.</think>Second.") // theirs: the extra closer is absorbed
	f("vq14", "qwen3", stop, "\n\n</think>answer", "\n\n", "answer")

	f("vk01", "kimi_k2", stop, "<think>t</think>a", "t", "a")
	f("vk02", "kimi_k2", stop, "<think></think>a", "", "a")
	f("vk03", "kimi_k2", opened("length"), "no tags", "no tags", "")
	f("vk04", "kimi_k2", opened("tool_calls"), "t<|tool_calls_section_begin|>data", "t", "<|tool_calls_section_begin|>data")
	f("vk05", "kimi_k2", off, "anything", "", "anything")
	f("vk07", "kimi_k2", opened("tool_calls"), "t<|tool_call_begin|>functions.f:0", "t", "<|tool_call_begin|>functions.f:0")

	f("vg01", "glm45", stop, "<think>t</think>a", "t", "a")
	f("vg02", "glm45", length, "<think>cut", "cut", "") // theirs in 2025: content
	f("vg03", "glm45", stop, "plain", "", "plain")
	f("vg04", "glm47", stop, "t1</think>a1<think>t2</think>a2", "t1t2", "a1a2")

	f("vm01", "mistral", stop, "t[/THINK]a", "t", "a")
	f("vm03", "mistral", stop, "[/THINK]a", "", "a")
	f("vm05", "mistral", stop, "\n[THINK]t[/THINK]\na", "t", "\n\na") // theirs: the first newline is dropped
	f("vm08", "mistral", stop, "x[/THINK]y", "x", "y")                // theirs, later: joined as content
	f("vm09", "mistral", stop, "pre[THINK]t[/THINK]a", "t", "prea")

	f("st01", "step3p5", stop, "\n<think>t</think>\na", "t", "\n\na") // theirs: one newline dropped
	f("st07", "step3p5", stop, "</think>a", "", "a")

	f("ll16", "deepseek_r1", stop, "</think>a", "", "a")
	f("ll19", "glm47", calls, "t</think><tool_call>f</tool_call>", "t", "<tool_call>f</tool_call>")
	const call = "<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"a\": 1}"
	f("ll22", "kimi_k2", calls, "<think>t<|tool_calls_section_begin|>"+call, "t", "<|tool_calls_section_begin|>"+call)
	f("ll23", "kimi_k2", calls, "<think>t"+call+call, "t", call+call)
	f("ll24", "kimi_k2", length, "<|tool_calls_section_begin|>"+call, "", "<|tool_calls_section_begin|>"+call)

	f("ol20", "think", stop, "<think> t </think> a", " t ", " a") // theirs: trimmed in part
	f("ol21", "think", stop, "<think>a</think><think>b</think>c", "a", "<think>b</think>c")
	f("ol22", "think", stop, "  abc <think>def</think> ghi", "", "  abc <think>def</think> ghi")
	f("ol23", "think", stop, "<think>abc</thing>defghi</think>jkl", "abc</thing>defghi", "jkl")
	f("ol28", "qwen3-thinking", calls, `t<tool_call>{"name":"f"}</tool_call>`, "t", `<tool_call>{"name":"f"}</tool_call>`)
	f("ol30", "nemotron_3", off, "</think>\na", "", "\na") // theirs: the spurious closer stays
	f("ol31", "nemotron_3", stop, "<think></think>\na", "", "\na")
	f("ol32", "olmo3", stop, "  t  </think>  a  ", "  t  ", "  a  ")
	f("ol38", "mistral", stop, "a[THINK]t[/THINK]b", "t", "ab")
	f("ol42", "glm47", stop, "</think>a", "", "a")
	f("sm01", "think", stop, "<think>t</think> a", "t", " a")
}
