package reasoning

// VLLM is what vLLM's reasoning parsers make of a whole text (a stream they may
// split otherwise), as of the middle of 2026: the state machines of its parser
// engine where their behaviour is known, else the parsers before them.
//
// The base parser always begins in the thought, drops everything up to the
// first opening marker, wherever it stands, ends the thought at the first
// closing one and looks for no calls. The engine begins in the thought when
// thinking is on; there a call ends the thought at once.
//
// Not reproduced: the opening marker that minimax_m2_append_think puts before the
// answer, and streaming.
//
// Source: vllm-project/vllm, registry at 0064cc9c, basic_parsers.py at 00e9cc9f,
// qwen3 at 00a4c6a1, and the tests of the parsers.
func VLLM() Rules {
	return Rules{
		Name:  "vllm/2026",
		Start: StartInThought, Quoted: QuotedMarks, Prefix: PrefixDropped, Openers: OpenersOne, Closers: ClosersOne, Blocks: BlocksFirst,
		Tool: ToolNever, ByFamily: vllmOf,
	}
}

func vllmOf(f *Family, r Rules) Rules {
	switch f.Name {
	case "qwen3", "qwen3_thinking":
		r = engine(r)
		r.Stray = StrayRemoved
	case "kimi_k2":
		r = engine(r)
		r.Stray, r.Off, r.Trim = StrayRemoved, OffWhole, TrimEnd
	case "glm47":
		r = engine(r)
		r.Prefix, r.Blocks, r.Trim = PrefixToAnswer, BlocksAll, TrimEnd
	case "glm45", "deepseek_v4", "mimo", "interns1":
		r = engine(r)
	case "nemotron_3":
		r = movesWhenOff(r)
		r.Tool = ToolAlways
	case "granite4":
		r = movesWhenOff(r)
		r.Trim = TrimClosed
	case "seed_oss":
		r.Tool = ToolAlways
	case "deepseek_v3", "holo2", "poolside_v1", "hy_v3":
		r.Off = OffWhole
	case "step3":
		r.Prefix, r.Openers = PrefixToThought, OpenersNone
	case "step3p5":
		r.Prefix, r.Trim = PrefixToAnswer, TrimEndLine|TrimClosedLine
	default:
		return vllmFormats(f, r)
	}
	return r
}

// vllmFormats are the knobs for families of other markers.
func vllmFormats(f *Family, r Rules) Rules {
	switch f.Name {
	case "ernie45":
		r.Trim = TrimFrame
	case "hunyuan_a13b":
		r.Frame, r.Trim = FrameWhole, TrimOpened|TrimEndLine|TrimFrame|TrimFrameLine
	case "granite":
		r.Frame = FrameWhole
	case "mistral":
		r.Start, r.Prefix, r.Stray = StartInAnswer, PrefixToAnswer, StrayRemoved
	case "gemma4":
		r.Start, r.Prefix = StartByEvidence, PrefixToAnswer
	case "cohere_command3", "cohere_command4":
		r.Cites, r.Trim = CitesRemoved, TrimOpened
	case "minimax_m3":
		r.Start, r.Silent, r.Prefix, r.Stray = StartSwitched, SilentOff, PrefixToThought, StrayLeading
	case "minimax_append_think":
		r.Start = StartNever
	case "solar_open2", "kimi_k3":
		r.Start = StartSwitched
	}
	return r
}

// engine are the knobs of the parser engine.
func engine(r Rules) Rules {
	r.Start, r.Tool = StartSwitched, ToolAlways
	return r
}

// movesWhenOff are the knobs of parsers that make a thought without an end the
// answer when thinking is off. What the caller set for such thoughts stays.
func movesWhenOff(r Rules) Rules {
	if r.Unclosed == UnclosedByEvidence {
		r.Unclosed = UnclosedSwitched
	}
	return r
}
