package reasoning

// kimiK2 is Kimi K2-Thinking, which writes its opening marker itself, and K2.5
// and later, whose template writes it. Calls often stand in the thought without
// a closing marker before them; besides the section marker the bare call marker
// and the singular spelling occur (vLLM's kimi_k2 parser takes all three). K2.5
// wants its earlier thoughts back (speculators#864); the template of
// K2-Thinking leaves them out by itself.
var kimiK2 = &Family{
	Name: "kimi_k2", Aliases: []string{"kimi_thinking", "kimi_k25"},
	Open: thinkOpen, Close: thinkClose,
	TemplateOpens: []string{"kimi-k2.5", "kimi-k2.6"},
	Tools:         []string{"<|tool_calls_section_begin|>", "<|tool_call_section_begin|>", "<|tool_call_begin|>"},
	Switches:      thinking,
	KeepHistory:   true,
	CloseIDs:      []int64{163607},
	Models:        []string{"kimi-k2"},
	Never:         []string{"kimi-k2-instruct"},
}
