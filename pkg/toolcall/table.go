package toolcall

// format is how a family of models writes calls.
type format struct {
	open, close []string // spellings; without close it ends with what read takes
	before      string   // stands before open, but for the search

	// begins tells a call from a mere mention of its marker by what follows it, meant
	// when nil. lineStart: the marker begins its line.
	begins func(c cursor, lineStart bool) bool
	// read takes what stands between the markers and adds calls to the parser.
	read func(p *Parser, c *cursor) bool
}

// table is every known format with markers; see unmarkedFormats for the others. Wrappers around lists of calls are formats
// without calls, so that a list that was cut, or whose wrapper was left out, is
// read all the same. A further format is one line here, and a file when it needs
// a reader of its own.
var table = [...]format{
	// Kimi K2; vLLM knows the singular spelling.
	wrapper("<|tool_calls_section_begin|>", "<|tool_call_section_begin|>"),
	wrapperEnd("<|tool_calls_section_end|>", "<|tool_call_section_end|>"),
	{open: []string{kimiBegin}, close: []string{"<|tool_call_end|>"}, begins: kimiBegins, read: kimi},

	// Hermes, Qwen, Nemotron 3, GLM, and whoever copied them.
	{open: []string{"<tool_call>"}, close: []string{"</tool_call>"}, begins: tagBegins, read: tag},
	{open: []string{"<seed:tool_call>"}, close: []string{"</seed:tool_call>"}, begins: followedBy("<function="), read: functions.read},
	{open: []string{"<minimax:tool_call>"}, close: []string{"</minimax:tool_call>"}, begins: followedBy("<invoke"), read: invokes.read},

	// Lists in JSON: Nemotron Nano 2, Apriel, Cohere, Inkling, Llama 3, Granite.
	{open: []string{"<TOOLCALL>"}, close: []string{"</TOOLCALL>"}, begins: followedBy("[", "{"), read: readJSON},
	{open: []string{"<tool_calls>"}, close: []string{"</tool_calls>"}, begins: followedBy("[", "<tool_call>"), read: toolCalls}, // Hunyuan, too
	{open: []string{"<|START_ACTION|>"}, close: []string{"<|END_ACTION|>"}, read: readJSON},
	{open: []string{"<|content_invoke_tool_json|>"}, close: []string{"<|end_message|>"}, read: readJSON},
	{open: []string{"<|python_tag|>"}, begins: followedBy("{"), read: readJSON},
	{open: []string{"<function_call>"}, begins: followedBy("{"), read: readJSON}, // Granite 20B

	{open: []string{"[TOOL_CALLS]"}, read: mistral},

	// DeepSeek V3, R1-0528 and V3.1.
	wrapper("<｜tool▁calls▁begin｜>"),
	wrapperEnd("<｜tool▁calls▁end｜>"),
	{open: []string{"<｜tool▁call▁begin｜>"}, close: []string{"<｜tool▁call▁end｜>"}, read: deepseek},

	// gpt-oss.
	{open: []string{"<|start|>assistant", "<|channel|>"}, close: []string{"<|call|>", "<|end|>", "<|return|>"}, begins: harmonyBegins, read: harmony},

	// DeepSeek V3.2, V4 and V4.1.
	{open: []string{"<｜DSML｜function_calls>"}, close: []string{"</｜DSML｜function_calls>"}, read: dsml},
	{open: []string{"<｜DSML｜tool_calls>", "<｜DSML｜ calls>"}, close: []string{"</｜DSML｜tool_calls>", "</｜DSML｜ calls>"}, read: dsml},

	// Gemma 4, LFM2, Apertus.
	{open: []string{"<|tool_call>"}, close: []string{"<tool_call|>"}, begins: followedBy("call:"), read: gemma},
	{open: []string{"<|tool_call_start|>"}, close: []string{"<|tool_call_end|>"}, begins: followedBy("["), read: lfm},
	{open: []string{"<|tools_prefix|>"}, close: []string{"<|tools_suffix|>"}, read: apertus},

	// Step3.
	wrapper("<｜tool_calls_begin｜>"),
	wrapperEnd("<｜tool_calls_end｜>"),
	{open: []string{"<｜tool_call_begin｜>function<｜tool_sep｜>"}, close: []string{"<｜tool_call_end｜>"}, read: steps.read},

	// Kimi K3.
	{open: []string{"<|open|>tools<|sep|>"}, close: []string{"<|close|>tools<|sep|>"}, read: kimi3},

	{open: []string{minimax3Open}, close: []string{minimax3Close}, before: "]", read: minimax3},
}

// wrapper is a format of markers alone, which begin a list.
func wrapper(markers ...string) format {
	return format{open: markers, read: nothing, begins: func(c cursor, _ bool) bool {
		c.space()
		return c.end() || c.follows("<")
	}}
}

// wrapperEnd is one of those that end it.
func wrapperEnd(markers ...string) format {
	return format{open: markers, read: nothing, begins: func(_ cursor, lineStart bool) bool { return lineStart }}
}

func nothing(*Parser, *cursor) bool { return true }

// meant is begins for a marker that anything may follow right away: prose that
// mentions it goes on after a blank, or with punctuation.
func meant(c cursor, lineStart bool) bool {
	for _, prose := range [...]string{",", ".", ";", ":", ")", "?", "!"} {
		if c.follows(prose) {
			return false
		}
	}
	return !c.follows(" ") || followedBy("{", "[", "<")(c, lineStart)
}

// followedBy is begins for a marker that one of some texts follows.
func followedBy(texts ...string) func(c cursor, lineStart bool) bool {
	return func(c cursor, _ bool) bool {
		c.space()
		for _, t := range texts {
			if c.follows(t) {
				return true
			}
		}
		return false
	}
}
