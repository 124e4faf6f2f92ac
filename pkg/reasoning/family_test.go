package reasoning_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
)

func TestLookup(t *testing.T) {
	f := func(name, want string) {
		t.Helper()
		if got := family(t, name).Name; got != want {
			t.Errorf("Lookup(%q) = %s, want %s", name, got, want)
		}
	}
	f("deepseek-r1", "deepseek_r1")
	f("DeepSeek_R1", "deepseek_r1")
	f("qwen3-thinking", "qwen3_thinking")
	f("glm47", "glm47")
	f("nemotron_v3", "nemotron_3")
	f("minimax-append-think", "minimax_append_think")
	f("gpt-oss", "gpt_oss")
	f("openai_gptoss", "gpt_oss")
	f("granite_thinking_parser", "granite4")
	f("intern_s1", "interns1")

	near := func(name, want string) {
		t.Helper()
		f, near := reasoning.Lookup(name)
		if f != nil || !slices.Contains(near, want) {
			t.Errorf("Lookup(%q) = %v, %q; want %q near", name, f, near, want)
		}
	}
	near("deepsek_r1", "deepseek_r1")
	near("qwen", "qwen3")
	near("kimi_k4", "kimi_k2")
	near("cohere_cmd", "cohere_command3")
	near("cohere_cmd", "cohere_command4")
	near("deepseek_reasoner", "deepseek_r1")
	near("nemotron_ultra", "nemotron_3")
	near("hunyuan_large", "hunyuan")
	for _, name := range []string{"no_such", "x", "", "the_best"} {
		if f, near := reasoning.Lookup(name); f != nil || len(near) > 0 {
			t.Errorf("Lookup(%q) = %v, %q", name, f, near)
		}
	}
}

// Every name that --reasoning-parser of SGLang and of vLLM takes is known, and
// those names of Ollama, LMDeploy and smg that mean one family.
func TestParserNames(t *testing.T) {
	for _, name := range strings.Fields(`
		apertus2509 deepseek-r1 deepseek-v3 deepseek-v4 deepseek-v41 dots glm45 ling3 hunyuan gpt-oss k2_horizon kimi kimi_k2 kimi_k3
		mimo muse plamo3 poolside_v1 qwen3 qwen3-thinking minimax minimax-append-think minimax-m3 nanbeige step3 step3p5 mistral
		nemotron_3 granite_thinking_parser interns1 gemma4 inkling iquest_q1 cohere_command4 gigachat35 telechat4
		deepseek_r1 deepseek_v3 deepseek_v4 cohere_command3 ernie45 glm47 openai_gptoss granite holo2 hunyuan_a13b hy_v3 hy_v4 minimax_m1
		minimax_m2 minimax_m2_append_think minimax_m3 nemotron_v3 olmo3 seed_oss solar_open2 apertus exaone4 longcat intern_s1
		hyperclovax_seed_think pangu iquest muse_glimmer
		qwen3.5 qwen3-vl-thinking ministral harmony deepseek3 olmo3-think nemotron-3-nano glm46 glm-4.7 laguna poolside-v1
		deepseek-v31 deepseek-v32 qwen-qwq intern-s1 kimi_thinking kimi_k25 nano_v3`) {
		if f, near := reasoning.Lookup(name); f == nil {
			t.Errorf("no family %q, near %q", name, near)
		}
	}
}

// Names and aliases are unique and spelled as Lookup wants them, and every family can be split.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for f := range reasoning.Families() {
		for _, name := range append([]string{f.Name}, f.Aliases...) {
			if seen[name] {
				t.Errorf("%s stands twice", name)
			}
			seen[name] = true
			if found, _ := reasoning.Lookup(name); found != f {
				t.Errorf("Lookup(%q) does not find its family", name)
			}
		}
		text := f.Open + "so it is" + f.Close + "answer"
		var s reasoning.Split
		rules := reasoning.Faithful()
		rules.Split(f, reasoning.Facts{Finish: "stop"}, reasoning.Plain(text), &s)
		if r, c := texts(text, &s); r != "so it is" || c != "answer" || s.Status != reasoning.Present {
			t.Errorf("%s: %q | %q %s", f.Name, r, c, s.Status)
		}
	}
}

func TestDetect(t *testing.T) {
	f := func(model, text, want, why string) {
		t.Helper()
		got, reason := reasoning.Detect(reasoning.Facts{Model: model}, reasoning.Plain(text))
		name := ""
		if got != nil {
			name = got.Name
		}
		if name != want || reason != why {
			t.Errorf("Detect(%q, %q) = %q, %q; want %q, %q", model, text, name, reason, want, why)
		}
	}
	f("Qwen/Qwen3-14B", "plain", "qwen3", reasoning.ByName)
	f("Qwen/Qwen3-30B-A3B-Thinking-2507", "plain", "qwen3_thinking", reasoning.ByName)
	f("deepseek-ai/DeepSeek-R1-Distill-Qwen3-8B", "plain", "deepseek_r1", reasoning.ByName)
	f("deepseek-ai/DeepSeek-V3.1", "plain", "deepseek_v3", reasoning.ByName)
	f("microsoft/MAI-DS-R1-FP8", "a\n</think>b", "deepseek_r1", reasoning.ByName)
	f("moonshotai/Kimi-K2-Thinking", "plain", "kimi_k2", reasoning.ByName)
	f("moonshotai/Kimi-VL-A3B-Thinking", "◁think▷a◁/think▷b", "kimi", reasoning.ByName)
	f("zai-org/GLM-4.7", "plain", "glm47", reasoning.ByName)
	f("zai-org/GLM-4.5-Air", "plain", "glm45", reasoning.ByName)
	f("nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B", "plain", "nemotron_3", reasoning.ByName)
	f("stepfun/Step-3.5-Flash", "plain", "step3p5", reasoning.ByName)
	f("openai/gpt-oss-120b", "plain", "gpt_oss", reasoning.ByName)
	f("moonshotai/Kimi-K3", "plain", "kimi_k3", reasoning.ByName)
	f("deepseek-ai/DeepSeek-V4", "plain", "deepseek_v4", reasoning.ByName)
	f("ibm-granite/granite-3.3-8b-instruct", "plain", "granite3_3", reasoning.ByName)
	f("ByteDance-Seed/Seed-OSS-36B-Instruct", "plain", "seed_oss", reasoning.ByName)
	f("google/gemma-4-31b-it", "plain", "gemma4", reasoning.ByName)
	f("CohereLabs/command-a-reasoning-08-2025", "plain", "cohere_command3", reasoning.ByName)
	f("NovaSky-AI/Sky-T1-32B-Preview", "plain", "sky_t1", reasoning.ByName)
	f("baidu/ERNIE-4.5-21B-A3B-Thinking", "plain", "ernie45", reasoning.ByName)
	f("tencent/Hunyuan-A13B-Instruct", "plain", "hunyuan_a13b", reasoning.ByName)
	f("meituan-longcat/LongCat-Flash-Thinking", "plain", "longcat", reasoning.ByName)
	f("local", "<|channel|>analysis<|message|>a", "gpt_oss", reasoning.ByMarkers)
	f("local", "<|channel|>final<|message|>a", "gpt_oss", reasoning.ByMarkers)
	f("local", "<|channel>thought\na<channel|>b", "gemma4", reasoning.ByMarkers)
	f("local", "<|START_RESPONSE|>a", "cohere_command3", reasoning.ByMarkers)
	f("local", "<|content_text|>a", "inkling", reasoning.ByMarkers)
	f("local", "Here's my thought process: a", "granite", reasoning.ByMarkers)
	f("local", "yes. Here is my response: a", "", reasoning.NoSign)
	f("local", "a<|im_end|>\n<|im_start|>assistant\nb", "", reasoning.NoSign)
	f("local", "a<|end|>b", "", reasoning.NoSign)
	f("local", "<think>a</think>b", "think", reasoning.ByMarkers)
	f("local", "a\n</think>\nb", "think", reasoning.ByMarkers)
	f("local", "[THINK]a[/THINK]b", "mistral", reasoning.ByMarkers)
	f("local", "pre [THINK]a[/THINK]b", "mistral", reasoning.ByMarkers)
	f("local", "◁think▷a", "kimi", reasoning.ByMarkers)
	f("Qwen3-renamed", "◁think▷a◁/think▷b", "kimi", reasoning.ByMarkers)
	f("local", "write `</think>` last", "", reasoning.NoSign)
	f("local", `write <think> and </think> around it`, "", reasoning.NoSign)
	f("", "plain", "", reasoning.NoSign)
}

func TestNeverThinks(t *testing.T) {
	f := func(model string, want bool) {
		t.Helper()
		if got := reasoning.NeverThinks(model); got != want {
			t.Errorf("NeverThinks(%q) = %v", model, got)
		}
	}
	f("qwen/qwen-2.5-7b-instruct", true)
	f("Qwen/Qwen3-30B-A3B-Instruct-2507", true)
	f("Qwen/Qwen3-14B", false)
	f("deepseek-r1-distill-llama-3-8b-instruct", false)
	f("", false)
	f("local", false)
}
