package reasoning

// The markers that most families share.
const (
	thinkOpen  = "<think>"
	thinkClose = "</think>"
)

var (
	on       = []string{"enable_thinking"}
	thinking = []string{"thinking"}
	either   = []string{"enable_thinking", "thinking"}

	hermes   = []string{"<tool_call>"}
	deepseek = []string{"<｜tool▁calls▁begin｜>", "<｜DSML｜"}
)

// table is every known family, one entry each; an entry that needs explaining
// has a file of its own. Of the families whose Models match a name the
// first is taken, so a model distilled from another stands under its teacher.
var table = [...]*Family{
	{Name: "deepseek_r1", Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Tools: deepseek,
		Models: []string{"deepseek-r1", "ds-r1", "r1-distill", "r1-1776", "r1-0528", "qwq"}},
	{Name: "qwen3_thinking", Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Tools: hermes,
		Models: []string{"qwen3*thinking"}},
	{Name: "qwen3", Open: thinkOpen, Close: thinkClose, TemplateOpens: []string{"qwen3.5", "qwen3.6", "thinking"}, Tools: hermes,
		Switches: on, SoftOff: "/no_think", Models: []string{"qwen3", "qwen-3"}, Never: []string{"instruct", "coder"}},
	kimiK2,
	{Name: "glm47", Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Tools: hermes, Switches: either, Blocks: true,
		Models: []string{"glm-4.7", "glm4.7", "glm-5", "glm5"}},
	{Name: "glm45", Open: thinkOpen, Close: thinkClose, TemplateOpens: []string{"glm-4.7", "glm4.7", "glm-5", "glm5"}, Tools: hermes,
		Switches: either, SoftOff: "/nothink", Models: []string{"glm-4.5", "glm4.5", "glm-4.6", "glm4.6"}},
	{Name: "nemotron_3", Aliases: []string{"nemotron_v3", "nano_v3"}, Open: thinkOpen, Close: thinkClose, Opener: ByTemplate,
		Tools: []string{"<tool_call>", "<TOOLCALL>"}, Switches: on, SoftOff: "/no_think",
		Models: []string{"nemotron-3", "nemotron*v2"}},

	{Name: "deepseek_v3", Aliases: []string{"deepseek_v31", "deepseek_v32", "deepseek_v4", "deepseek_v41"},
		Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Tools: deepseek, OffByDefault: true, Switches: thinking,
		Models: []string{"deepseek-v3.1", "deepseek-v3.2", "deepseek-v4"}},
	{Name: "kimi", Open: "◁think▷", Close: "◁/think▷", Models: []string{"kimi-vl", "kimi-k1"}},
	{Name: "minimax_m2", Aliases: []string{"minimax", "minimax_append_think", "minimax_m2_append_think"},
		Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Tools: []string{"<minimax:tool_call>"}, Blocks: true,
		Models: []string{"minimax-m1", "minimax-m2"}},
	{Name: "minimax_m3", Open: "<mm:think>", Close: "</mm:think>", Models: []string{"minimax-m3"}},
	{Name: "seed_oss", Open: "<seed:think>", Close: "</seed:think>", Tools: []string{"<seed:tool_call>"},
		Models: []string{"seed-oss"}},
	{Name: "step3p5", Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Preamble: true,
		Models: []string{"step-3.5", "step3p5"}},
	{Name: "step3", Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Models: []string{"step3", "step-3"}},
	{Name: "olmo3", Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Models: []string{"olmo-3"}, Never: []string{"instruct"}},
	{Name: "mistral", Aliases: []string{"magistral"}, Open: "[THINK]", Close: "[/THINK]", Preamble: true,
		Tools: []string{"[TOOL_CALLS]"}, Models: []string{"magistral", "ministral-3*reasoning"}},
	{Name: "interns1", Aliases: []string{"intern_s1"}, Open: thinkOpen, Close: thinkClose, Tools: hermes, Switches: on,
		Models: []string{"intern-s1"}},
	{Name: "holo2", Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Switches: thinking, Models: []string{"holo2"}},

	think,
}

// think is any other model that writes the usual markers.
var think = &Family{Name: "think", Open: thinkOpen, Close: thinkClose}

// generic are the families that the text alone gives away, one for each pair of markers.
var generic = func() []*Family {
	families := []*Family{think}
	for _, f := range table {
		if f.Open != thinkOpen {
			families = append(families, f)
		}
	}
	return families
}()

// neverThink are parts of the names of models that write no thoughts, of
// families that are not in the table.
var neverThink = []string{
	"qwen2", "qwen-2", "llama-2", "llama-3*instruct", "gemma-2", "gemma-3", "mistral-7b", "mixtral",
	"gpt-3.5", "gpt-4", "deepseek-v2", "phi-3",
}
