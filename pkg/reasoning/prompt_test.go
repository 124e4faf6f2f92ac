package reasoning_test

import (
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
)

func TestOpened(t *testing.T) {
	f := func(name, prompt string, want reasoning.Tri) {
		t.Helper()
		if got := family(t, name).Opened(reasoning.Plain(prompt)); got != want {
			t.Errorf("%s %q: got %d, want %d", name, prompt, got, want)
		}
	}
	const yes, no = reasoning.Yes, reasoning.No
	f("qwen3", "2+2", no)
	f("qwen3", "2+2<think>\n", yes)
	f("qwen3", "<|im_start|>user\n2+2<|im_end|>\n<|im_start|>assistant\n<think>\n", yes)
	f("qwen3", "<|im_start|>user\n2+2<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n", no)
	f("qwen3", "<|im_start|>assistant\n<think>\na\n</think>\n4<|im_end|>\n<|im_start|>assistant\n<think>\nWell", yes)
	f("qwen3", "<|im_start|>assistant\n<think>\ncut<|im_end|>\n<|im_start|>user\ngo on<|im_end|>\n<|im_start|>assistant\n", no)
	f("qwen3", "<think>\nthe `</think>` tag", yes)
	f("qwen3", "Begin with `<think>` and go on.", no)
	f("qwen3", "Begin with <think> and go on.", no)
	f("qwen3", "Begin with <think>.", no)
	f("deepseek_v3", "<｜User｜>2+2<｜Assistant｜></think>", no)
	f("deepseek_v3", "<｜User｜>2+2<｜Assistant｜><think>", yes)
	f("kimi_k3", "<|open|>think<|sep|>", yes)
	if got := reasoning.Custom("", "##").Opened(reasoning.Plain("2+2")); got != reasoning.Unknown {
		t.Errorf("no opening marker: got %d", got)
	}
}

// The parser of the server decides where the model's name does not.
func TestDetectByParser(t *testing.T) {
	f := func(model, parser, text, want, why string) {
		t.Helper()
		got, reason := reasoning.Detect(reasoning.Facts{Model: model, Parser: family(t, parser)}, reasoning.Plain(text))
		if got.Name != want || reason != why {
			t.Errorf("Detect(%q, %s, %q) = %s, %s; want %s, %s", model, parser, text, got.Name, reason, want, why)
		}
	}
	f("local", "kimi_k2", "plain", "kimi_k2", reasoning.ByParser)
	f("local", "kimi_k2", "<think>a</think>b", "kimi_k2", reasoning.ByParser)
	f("local", "kimi_k2", "[THINK]a[/THINK]b", "mistral", reasoning.ByMarkers)
	f("Qwen/Qwen3-8B", "deepseek_r1", "plain", "qwen3", reasoning.ByName)
}

// A prompt of many markers takes linear time.
func TestOpenedIsLinear(t *testing.T) {
	for _, part := range []string{"<think>a</think>", "`<think>`", "<think> a ", "\"<think>"} {
		family(t, "qwen3").Opened(reasoning.Plain(strings.Repeat(part, 1<<20/len(part))))
	}
}
