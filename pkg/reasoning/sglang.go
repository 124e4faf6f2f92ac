package reasoning

// SGLang is what SGLang's reasoning parsers of 2026 make of a whole text (a
// stream it may split otherwise). They begin in the thought when the request or
// the template has switched thinking on, or when an opening marker stands
// anywhere; strip the ones right at the beginning and keep all others as text;
// end the thought at the first closing marker, or at a call when there is none;
// touch no white space.
//
// Not reproduced: minimax-append-think's opening marker, which it puts before
// the answer, and streaming.
//
// Source: sgl-project/sglang, reasoning_parser.py at 002e9bfc and its test at 0483dafc.
func SGLang() Rules {
	return Rules{
		Name:  "sglang/2026",
		Start: StartForced, Quoted: QuotedMarks, Prefix: PrefixToThought, Openers: OpenersExact, Closers: ClosersOne, Blocks: BlocksFirst, Tool: ToolUnclosed,
		Channels: ChannelsKnown, ByFamily: sglangOf,
	}
}

func sglangOf(f *Family, r Rules) Rules {
	switch f.Name {
	case "deepseek_r1", "step3", "step3p5":
		r.Start, r.Tool = StartInThought, ToolNever
	case "qwen3_thinking", "cohere_command4", "kimi_k3", "granite4":
		r.Start = StartInThought
	case "minimax_m2":
		r.Start, r.Tools = StartInThought, hermes
	case "minimax_append_think":
		r.Start = StartNever
	case "deepseek_v3", "think":
		r.Tool = ToolNever
	case "deepseek_v4":
		r.Tools = []string{"<｜DSML｜"}
	case "kimi_k2":
		r.Tools = []string{"<|tool_calls_section_begin|>"}
	case "nemotron_3":
		r.Tools = hermes
	case "kimi", "gemma4", "mistral":
		r.Silent, r.Tool = SilentOff, ToolNever
	case "minimax_m3":
		r.Silent, r.Stray = SilentOff, StrayLeading
	}
	switch f.Name {
	case "granite4":
		r.Trim = TrimClosed
	case "telechat4":
		r.Empty = EmptyFilled
	}
	return r
}
