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
	effort   = []string{"reasoning_effort"}

	hermes   = []string{"<tool_call>"}
	qwq      = append(deepseek, hermes...)
	deepseek = []string{"<｜tool▁calls▁begin｜>", "<｜DSML｜"}
)

// What </think> is in tokenizers: the added tokens of their repositories.
const (
	deepseekCloseID = 128799 // V3, R1, V4
	qwenCloseID     = 151668 // Qwen3, QwQ
)

var (
	qwenCloseIDs = []int64{qwenCloseID, 248069} // the latter since Qwen3.5
	glmCloseIDs  = []int64{151351}              // since GLM-4.5
)

// table is every known family, one entry each; an entry that needs explaining
// has a file of its own. Of the families whose Models match a name the
// first is taken, so a model distilled from another stands under its teacher.
var table = [...]*Family{
	{Name: "deepseek_r1", Aliases: []string{"qwen_qwq"}, Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Tools: qwq,
		CloseIDs: []int64{deepseekCloseID, 151649, qwenCloseID}, // those of the distilled Qwen2.5, and of QwQ
		Models:   []string{"deepseek-r1", "ds-r1", "r1-distill", "r1-1776", "r1-0528", "qwq"}},
	{Name: "qwen3_thinking", Aliases: []string{"qwen3_vl_thinking"}, Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Tools: hermes,
		Models: []string{"qwen3*thinking"}},
	{Name: "qwen3", Aliases: []string{"qwen3.5"}, Open: thinkOpen, Close: thinkClose, TemplateOpens: []string{"qwen3.5", "qwen3.6", "thinking"}, Tools: hermes, CloseIDs: qwenCloseIDs,
		Switches: on, SoftOff: "/no_think", Models: []string{"qwen3", "qwen-3"}, Never: []string{"instruct", "coder"}},
	kimiK2,
	kimiK3,
	{Name: "glm47", Aliases: []string{"glm_4.7"}, Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Tools: hermes, Switches: either, Blocks: true, CloseIDs: glmCloseIDs,
		Models: []string{"glm-4.7", "glm4.7", "glm-5", "glm5"}},
	{Name: "glm45", Aliases: []string{"glm46"}, Open: thinkOpen, Close: thinkClose, TemplateOpens: []string{"glm-4.7", "glm4.7", "glm-5", "glm5"}, Tools: hermes,
		Switches: either, SoftOff: "/nothink", CloseIDs: glmCloseIDs, Models: []string{"glm-4.5", "glm4.5", "glm-4.6", "glm4.6"}},
	{Name: "nemotron_3", Aliases: []string{"nemotron_v3", "nemotron_3_nano", "nano_v3"}, Open: thinkOpen, Close: thinkClose, Opener: ByTemplate,
		Tools: []string{"<tool_call>", "<TOOLCALL>"}, Switches: on, SoftOff: "/no_think",
		Models: []string{"nemotron-3", "nemotron*v2"}},
	gptOSS,

	{Name: "deepseek_v4", Aliases: []string{"deepseek_v41"}, Open: thinkOpen, Close: thinkClose, Opener: ByTemplate,
		Tools: deepseek, CloseIDs: []int64{deepseekCloseID}, OffByDefault: true, Switches: thinking, Models: []string{"deepseek-v4"}},
	{Name: "deepseek_v3", Aliases: []string{"deepseek_v31", "deepseek_v32", "deepseek3"}, Open: thinkOpen, Close: thinkClose, Opener: ByTemplate,
		Tools: deepseek, CloseIDs: []int64{deepseekCloseID}, OffByDefault: true, Switches: thinking, Models: []string{"deepseek-v3.1", "deepseek-v3.2"}},
	{Name: "kimi", Open: "◁think▷", Close: "◁/think▷", Models: []string{"kimi-vl", "kimi-k1"}},
	{Name: "minimax_m2", Aliases: []string{"minimax", "minimax_m1"}, Open: thinkOpen, Close: thinkClose, Opener: ByTemplate,
		Tools: []string{"<minimax:tool_call>"}, Blocks: true, KeepHistory: true, CloseIDs: []int64{200051}, Models: []string{"minimax-m1", "minimax-m2"}},
	minimaxAppendThink,
	{Name: "minimax_m3", Open: "<mm:think>", Close: "</mm:think>", Tools: []string{"]<]minimax[>["}, Switches: []string{"thinking_mode"},
		Models: []string{"minimax-m3"}},
	{Name: "seed_oss", Open: "<seed:think>", Close: "</seed:think>", Tools: []string{"<seed:tool_call>"},
		Models: []string{"seed-oss"}},
	{Name: "step3p5", Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Preamble: true, Tools: hermes,
		Models: []string{"step-3.5", "step3p5"}},
	{Name: "step3", Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Tools: []string{"<｜tool_calls_begin｜>"},
		Models: []string{"step3", "step-3"}},
	{Name: "olmo3", Aliases: []string{"olmo3_think"}, Open: thinkOpen, Close: thinkClose, Opener: ByTemplate,
		Models: []string{"olmo-3"}, Never: []string{"instruct"}},
	{Name: "mistral", Aliases: []string{"magistral", "ministral"}, Open: "[THINK]", Close: "[/THINK]", Preamble: true,
		Tools: []string{"[TOOL_CALLS]"}, Models: []string{"magistral", "ministral-3*reasoning"}},
	{Name: "interns1", Aliases: []string{"intern_s1"}, Open: thinkOpen, Close: thinkClose, Tools: hermes, Switches: on,
		Models: []string{"intern-s1", "intern-s2"}},
	{Name: "holo2", Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Switches: thinking, Models: []string{"holo2"}},
	{Name: "mimo", Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Tools: hermes, OffByDefault: true, Switches: on,
		Models: []string{"mimo-v2"}},
	{Name: "poolside_v1", Aliases: []string{"laguna"}, Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Tools: hermes, Switches: on,
		Models: []string{"laguna"}},
	{Name: "telechat4", Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Models: []string{"telechat4", "telechat-4"}},
	{Name: "exaone4", Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, OffByDefault: true, Switches: on, Models: []string{"exaone-4"}},

	granite32,
	{Name: "granite3_3", Open: thinkOpen, Close: thinkClose, AnswerOpen: []string{"<response>"}, AnswerClose: []string{"</response>"},
		Switches: thinking, OffByDefault: true, Models: []string{"granite-3.3"}},
	{Name: "granite4", Aliases: []string{"granite_thinking_parser"}, Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Switches: on,
		Models: []string{"granite-4.2"}},
	{Name: "ernie45", Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, AnswerOpen: []string{"<response>"}, AnswerClose: []string{"</response>"},
		Tools: hermes, Models: []string{"ernie-4.5*thinking"}},
	{Name: "hunyuan_a13b", Open: thinkOpen, Close: thinkClose, AnswerOpen: []string{"<answer>"}, AnswerClose: []string{"</answer>"},
		Tools: []string{"<tool_calls>"}, Switches: on, SoftOff: "/no_think", Models: []string{"hunyuan-a13b"}},
	{Name: "hy_v3", Aliases: []string{"hunyuan", "hy_v4"}, Open: thinkOpen, Close: thinkClose,
		AlsoOpen: []string{"<think:opensource>"}, AlsoClose: []string{"</think:opensource>"},
		Opener: ByTemplate, Tools: []string{"<tool_calls>"}, OffByDefault: true, Switches: effort, Models: []string{"hy3", "hy-3", "hy4", "hy-4"}},
	cohereCommand3,
	cohereCommand4,
	{Name: "gemma4", Open: "<|channel>", Close: "<channel|>", Label: "thought", Tools: []string{"<|tool_call>"},
		OffByDefault: true, Switches: on, Preamble: true, Blocks: true, Models: []string{"gemma-4", "gemma4"}},
	inkling,
	{Name: "apertus", Aliases: []string{"apertus2509"}, Open: "<|inner_prefix|>", Close: "<|inner_suffix|>", Blocks: true,
		Tools: []string{"<|tools_prefix|>"}, Calls: Pair{"<|tools_prefix|>", "<|tools_suffix|>"}, Switches: on, Models: []string{"apertus"}},
	{Name: "solar_open2", Open: "<|think:start|>", Close: "<|think:end|>", Switches: effort, Models: []string{"solar-open2", "solar-open-2"}},
	{Name: "longcat", Open: "<longcat_think>", Close: "</longcat_think>", Tools: []string{"<longcat_tool_call>"}, Switches: on,
		Models: []string{"longcat"}, Never: []string{"longcat-flash-chat"}},
	apriel,
	{Name: "sky_t1", Open: "<|begin_of_thought|>", Close: "<|end_of_thought|>",
		AnswerOpen: []string{"<|begin_of_solution|>"}, AnswerClose: []string{"<|end_of_solution|>"},
		Models: []string{"sky-t1", "bespoke-stratos", "openthinker"}},
	hyperclovax,
	{Name: "k2_horizon", Open: "<ifm|think>", Close: "</ifm|think>", AlsoOpen: []string{"<ifm|think_fast>"}, AlsoClose: []string{"</ifm|think_fast>"},
		Opener: ByTemplate, Models: []string{"k2-horizon", "k2-v3"}},

	think,
}

// think is any other model that writes the usual markers. The parsers that are
// its aliases are known by name only: their markers were not seen.
var think = &Family{
	Name: "think", Open: thinkOpen, Close: thinkClose, Switches: either,
	Tools:   []string{"<tool_call>", "<|tool_calls_section_begin|>", "<｜tool▁calls▁begin｜>", "<｜DSML｜", "<minimax:tool_call>", "<tool_calls>", "<TOOLCALL>"},
	Aliases: []string{"dots", "ling3", "muse", "muse_glimmer", "nanbeige", "plamo3", "iquest", "iquest_q1", "gigachat35", "pangu"},
}

// generic are the families that the text alone gives away, one for each pair of markers.
var generic = func() []*Family {
	families := []*Family{think}
	for _, f := range table {
		if f.Open != thinkOpen && f.Open != "" {
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
