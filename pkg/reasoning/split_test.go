package reasoning_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
)

// texts joins a split's segments by kind.
func texts(text string, s *reasoning.Split) (thinking, answer string) {
	for _, g := range s.Segments {
		switch g.Kind {
		case reasoning.Thinking:
			thinking += text[g.Start:g.End]
		case reasoning.Answer:
			answer += text[g.Start:g.End]
		}
	}
	return thinking, answer
}

func family(t testing.TB, name string) *reasoning.Family {
	t.Helper()
	f, near := reasoning.Lookup(name)
	if f == nil {
		t.Fatalf("no family %q, near %q", name, near)
	}
	return f
}

// The matrix of texts that peers split differently, and our answer for a family
// whose model writes the opening marker and for one whose template does.
func TestFaithfulMatrix(t *testing.T) {
	rules := reasoning.Faithful()
	f := func(name, text, finish, thinking, answer string, status reasoning.Status, flags ...string) {
		t.Helper()
		var s reasoning.Split
		rules.Split(family(t, name), reasoning.Facts{Finish: finish}, reasoning.Plain(text), &s)
		r, c := texts(text, &s)
		if r != thinking || c != answer || s.Status != status || !slices.Equal(s.Flags, flags) {
			t.Errorf("%s %q %s:\n got %q | %q %s %q\nwant %q | %q %s %q", name, text, finish, r, c, s.Status, s.Flags, thinking, answer, status, flags)
		}
	}
	const (
		model, template = "qwen3", "deepseek_r1"
		stop, length    = "stop", "length"
	)
	both := func(text, finish, thinking, answer string, status reasoning.Status, flags ...string) {
		t.Helper()
		f(model, text, finish, thinking, answer, status, flags...)
		f(template, text, finish, thinking, answer, status, flags...)
	}

	// D1: cut, no marker: only a template's opener makes it a thought.
	f(model, "look at sizes", length, "", "look at sizes", reasoning.Missing)
	f(template, "look at sizes", length, "look at sizes", "", reasoning.Truncated, "no-closer")
	// D2
	both("<think>look at sizes", length, "look at sizes", "", reasoning.Truncated, "no-closer")
	both("<think>look at sizes", stop, "look at sizes", "", reasoning.Suspect, "no-closer")
	// D3
	f(model, "step one</think>Answer", stop, "step one", "Answer", reasoning.Present, "no-opener")
	f(template, "step one</think>Answer", stop, "step one", "Answer", reasoning.Present)
	// D4
	both("<think>\nstep\n</think>\n\nAnswer\n", stop, "\nstep\n", "\n\nAnswer\n", reasoning.Present)
	// D5: the prompt's thought goes up to the closer; else text before a thought is the user's.
	f(model, "Sure. <think>step</think>Answer", stop, "step", "Sure. Answer", reasoning.Present, "preamble")
	f(template, "Sure. <think>step</think>Answer", stop, "Sure. <think>step", "Answer", reasoning.Present, "marker-in-thought")
	f("mistral", "Sure. [THINK]step[/THINK]Answer", stop, "step", "Sure. Answer", reasoning.Present, "preamble")
	// D6
	both("<think>one</think>mid<think>two</think>end", stop, "one", "mid<think>two</think>end", reasoning.Present, "marker-in-content")
	both("<think>one</think>\n<think>two</think>end", stop, "onetwo", "\nend", reasoning.Present, "several-blocks")
	both("<think>\n\n</think>\n\n<think>\ntwo\n</think>\n\nend", stop, "\n\n\ntwo\n", "\n\n\n\nend", reasoning.Present, "several-blocks")
	both("<think>one</think><think>two", stop, "one", "<think>two", reasoning.Present, "marker-in-content")
	f("minimax_m2", "<think>one</think>mid<think>two</think>end", stop, "onetwo", "midend", reasoning.Present, "several-blocks")
	// D7
	f(template, "one</think>mid</think>end", stop, "one", "mid</think>end", reasoning.Present, "marker-in-content")
	// D8: text alone cannot tell a quoted closer; what follows is flagged.
	f(template, "about the </think> tag; it closes.</think>It closes.", stop, "about the ", " tag; it closes.</think>It closes.", reasoning.Present, "marker-in-content")
	// D9, D23
	both(`<think>easy</think>Write "<think>" first and "</think>" last.`, stop, "easy", `Write "<think>" first and "</think>" last.`, reasoning.Present, "marker-in-content")
	f(template, `easy</think>Write "<think>" first and "</think>" last.`, stop, "easy", `Write "<think>" first and "</think>" last.`, reasoning.Present, "marker-in-content")
	f("glm47", `<think>easy</think>Write "<think>" first and "</think>" last.`, stop, "easy", `Write "<think>" first and "</think>" last.`, reasoning.Present, "marker-in-content")
	f("glm47", "<think>a</think>See `<think>`.<think>b</think>c", stop, "ab", "See `<think>`.c", reasoning.Present, "marker-in-content", "several-blocks")
	f("mistral", `Put "[THINK]" first and "[/THINK]" last.`, stop, "", `Put "[THINK]" first and "[/THINK]" last.`, reasoning.Missing, "marker-in-content")
	// D10
	both(`The model prints "<think>" and then thinks.`, stop, "", `The model prints "<think>" and then thinks.`, reasoning.Missing, "marker-in-content")
	f(template, `Print "<think>" and then`, length, `Print "<think>" and then`, "", reasoning.Truncated, "no-closer", "marker-in-thought")
	// D11 to D13: a call ends a thought that nothing else ends.
	f(model, "<think>need weather<tool_call>{}</tool_call>", "tool_calls", "need weather", "<tool_call>{}</tool_call>", reasoning.Present, "ended-by-tool")
	f("qwen3-thinking", "need weather<tool_call>{}</tool_call>", "tool_calls", "need weather", "<tool_call>{}</tool_call>", reasoning.Present, "ended-by-tool")
	f(model, "need weather<tool_call>{}</tool_call>", "tool_calls", "", "need weather<tool_call>{}</tool_call>", reasoning.Missing)
	f("deepseek_r1", "<think>need weather<tool_call>{}</tool_call>", "tool_calls", "need weather", "<tool_call>{}</tool_call>", reasoning.Present, "ended-by-tool") // QwQ
	for _, call := range []string{`<tool_call>{"name":"f"}</tool_call>`, "<|tool_calls_section_begin|><|tool_call_begin|>f:0", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f"} {
		f("think", "<think>need"+call, "tool_calls", "need", call, reasoning.Present, "ended-by-tool")
	}
	f("qwen3-thinking", "I might emit <tool_call> later.\n</think>\n\nDone.", stop, "I might emit <tool_call> later.\n", "\n\nDone.", reasoning.Present)
	f("qwen3-thinking", "need weather<tool_call>{}</tool_call></think>Done.", stop, "need weather<tool_call>{}</tool_call>", "Done.", reasoning.Present)
	// D14, D22: white space is exact, and no thought.
	both("<think>\n\n</think>\n\nAnswer", stop, "\n\n", "\n\nAnswer", reasoning.Missing, "empty-block")
	both("<think>   </think>  Answer", stop, "   ", "  Answer", reasoning.Missing, "empty-block")
	// D15, D16
	both("<think><think>step</think>Answer", stop, "step", "Answer", reasoning.Present, "repeated-opener")
	both("<think>\n<think>\nstep</think>Answer", stop, "\n\nstep", "Answer", reasoning.Present, "repeated-opener")
	both("<think>a<think>b</think>c</think>d", stop, "a<think>b", "c</think>d", reasoning.Present, "marker-in-thought", "marker-in-content")
	both("<think>a</think>\n</think>b</think>c", stop, "a", "\nb</think>c", reasoning.Present, "repeated-closer", "marker-in-content")
	// D17
	both("Just an answer.", stop, "", "Just an answer.", reasoning.Missing)
	// D18
	f(template, "</think>Answer", stop, "", "Answer", reasoning.Missing, "empty-block")
	f(model, "</think>Answer", stop, "", "Answer", reasoning.Missing, "no-opener", "empty-block")
	// D19
	both("\n\n<think>step</think>Answer", stop, "step", "\n\nAnswer", reasoning.Present)

	f(model, `Run: echo '</think>' > tag.txt`, stop, "", `Run: echo '</think>' > tag.txt`, reasoning.Missing, "marker-in-content")
	f(model, "a `</think>` b</think>c", stop, "a `</think>` b", "c", reasoning.Present, "no-opener", "closer-in-thought")

	// Family by family.
	f("glm47", "r<tool_call>f<arg_key>k</arg_key></tool_call>", "tool_calls", "r", "<tool_call>f<arg_key>k</arg_key></tool_call>", reasoning.Present, "ended-by-tool") // F1
	f("glm47", "r</think>c<think>r2</think>c2", stop, "rr2", "cc2", reasoning.Present, "several-blocks")                                                               // F2
	f("glm45", "r</think>c<think>r2</think>c2", stop, "r", "c<think>r2</think>c2", reasoning.Present, "no-opener", "marker-in-content")                                // F2
	f("glm45", "<think>r", length, "r", "", reasoning.Truncated, "no-closer")                                                                                          // F3
	f("glm47", "r</think>c<think>cut", length, "rcut", "c", reasoning.Truncated, "several-blocks", "no-closer")
	f("glm47", "r</think>write <think> first", stop, "r", "write <think> first", reasoning.Present, "marker-in-content")
	f("kimi_k2", "check</think>answer", stop, "check", "answer", reasoning.Present, "no-opener")                                                                                       // F5
	f("kimi_k2", "<think>x <|tool_call_begin|> is a marker</think>done", stop, "x <|tool_call_begin|> is a marker", "done", reasoning.Present)                                         // F7
	f("kimi_k2", "<think>t<|tool_calls_section_begin|><|tool_call_begin|>", "tool_calls", "t", "<|tool_calls_section_begin|><|tool_call_begin|>", reasoning.Present, "ended-by-tool")  // sg15
	f("kimi_k2", "<think>t<|tool_call_section_begin|>x", "tool_calls", "t", "<|tool_call_section_begin|>x", reasoning.Present, "ended-by-tool")                                        // vk08
	f("glm45", "<think>t<tool_call>a<tool_call>b", "tool_calls", "t", "<tool_call>a<tool_call>b", reasoning.Present, "ended-by-tool")                                                  // sg17
	f("glm45", "<think><tool_call>call", "tool_calls", "", "<tool_call>call", reasoning.Missing, "ended-by-tool", "empty-block")                                                       // sg21
	f("nemotron_3", "<think>only thought</think>", stop, "only thought", "", reasoning.Present)                                                                                        // sg23
	f("kimi", "◁think▷thought◁/think▷answer", stop, "thought", "answer", reasoning.Present)                                                                                            // sg13
	f("mistral", "[THINK]cut", length, "cut", "", reasoning.Truncated, "no-closer")                                                                                                    // vm04
	f("mistral", "plain", stop, "", "plain", reasoning.Missing)                                                                                                                        // vm07
	f("seed_oss", "t</seed:think>a", stop, "t", "a", reasoning.Present, "no-opener")                                                                                                   // se02
	f("step3p5", "Intro<think>t</think>\na", stop, "t", "Intro\na", reasoning.Present, "preamble")                                                                                     // st04
	f("olmo3", "x <think>y</think> z</think>a", stop, "x <think>y", " z</think>a", reasoning.Present, "marker-in-thought", "marker-in-content")                                        // ol33
	f("minimax_m2", "\n</think>\n\na", stop, "\n", "\n\na", reasoning.Missing, "empty-block")                                                                                          // ll25
	f("deepseek_v3", "t</think>a<｜tool▁calls▁begin｜>f", "tool_calls", "t", "a<｜tool▁calls▁begin｜>f", reasoning.Present, "no-opener")                                                   // ll17
	f("deepseek_v3", "plain", stop, "", "plain", reasoning.Absent)                                                                                                                     // off by default
	both("", stop, "", "", reasoning.Missing)                                                                                                                                          // vb04
	both("<think></think>", stop, "", "", reasoning.Missing, "empty-block")                                                                                                            // vb05
	f(model, "Write <think> before the plan when you teach the format.", stop, "", "Write <think> before the plan when you teach the format.", reasoning.Missing, "marker-in-content") // lt-2
	f(template, "<think>Show one line.</think>Run: echo '</think>' > tag.txt", stop, "Show one line.", "Run: echo '</think>' > tag.txt", reasoning.Present, "marker-in-content")       // lt-1
}

// What the request and the model's name say about the thinking.
func TestFacts(t *testing.T) {
	rules := reasoning.Faithful()
	f := func(name string, facts reasoning.Facts, text, thinking string, status reasoning.Status, flags ...string) {
		t.Helper()
		var s reasoning.Split
		rules.Split(family(t, name), facts, reasoning.Plain(text), &s)
		if r, _ := texts(text, &s); r != thinking || s.Status != status || !slices.Equal(s.Flags, flags) {
			t.Errorf("%s %+v %q: got %q %s %q, want %q %s %q", name, facts, text, r, s.Status, s.Flags, thinking, status, flags)
		}
	}
	off := reasoning.Facts{Thinking: reasoning.No, Finish: "stop"}
	f("qwen3", off, "plain", "", reasoning.Absent)
	f("qwen3", off, "<think>\n\n</think>\n\nplain", "\n\n", reasoning.Absent, "empty-block")
	f("qwen3", off, "all the same</think>plain", "all the same", reasoning.Present, "no-opener", "thought-anyway")
	f("nemotron_3", off, "</think>\na", "", reasoning.Absent, "no-opener", "empty-block")
	f("nemotron_3", reasoning.Facts{Thinking: reasoning.No, Finish: "length"}, "cut answer", "", reasoning.Absent)
	f("qwen3", reasoning.Facts{Model: "Qwen/Qwen3-30B-A3B-Instruct-2507", Finish: "stop"}, "plain", "", reasoning.Absent)
	f("qwen3", reasoning.Facts{Model: "Qwen3.5-9B", Finish: "length"}, "cut", "cut", reasoning.Truncated, "no-closer")
	f("qwen3", reasoning.Facts{Model: "Qwen3.5-9B", Thinking: reasoning.No, Finish: "length"}, "cut", "", reasoning.Absent)
	f("kimi_k2", reasoning.Facts{Model: "moonshotai/Kimi-K2.5", Finish: "tool_calls"}, "check<|tool_calls_section_begin|>", "check", reasoning.Present, "ended-by-tool") // F4
	f("kimi_k2", reasoning.Facts{PromptOpen: reasoning.Yes, Finish: "MAX_TOKENS"}, "cut", "cut", reasoning.Truncated, "no-closer")
	f("deepseek_r1", reasoning.Facts{PromptOpen: reasoning.No, Finish: "length"}, "cut", "", reasoning.Missing)
	f("deepseek_v3", reasoning.Facts{Thinking: reasoning.Yes, Finish: "length"}, "cut", "cut", reasoning.Truncated, "no-closer")
	resumed := reasoning.Facts{PromptOpen: reasoning.Yes, Finish: "stop"}
	f("gpt_oss", resumed, "rest<|end|><|start|>assistant<|channel|>final<|message|>a", "rest", reasoning.Present)
	f("gpt_oss", resumed, "<|channel|>analysis<|message|>again<|end|>", "again", reasoning.Present)
	f("gpt_oss", resumed, "plain", "", reasoning.Missing)
	f("gpt_oss", reasoning.Facts{PromptOpen: reasoning.Yes, Finish: "length"}, "cut", "cut", reasoning.Truncated, "no-closer")
	f("inkling", resumed, "rest<|end_message|><|message_model|><|content_text|>a", "rest", reasoning.Present)
	f("kimi_k3", reasoning.Facts{Thinking: reasoning.No, Finish: "stop"}, "plain", "", reasoning.Absent)
}

// Every value of every knob does what its name says.
func TestKnobs(t *testing.T) {
	f := func(change func(*reasoning.Rules), text, thinking, answer string) {
		t.Helper()
		rules := reasoning.Faithful()
		change(&rules)
		var s reasoning.Split
		rules.Split(family(t, "qwen3"), reasoning.Facts{Finish: "stop"}, reasoning.Plain(text), &s)
		if r, c := texts(text, &s); r != thinking || c != answer {
			t.Errorf("%q: got %q | %q, want %q | %q", text, r, c, thinking, answer)
		}
	}
	f(func(r *reasoning.Rules) { r.Start = reasoning.StartInThought }, "plain", "plain", "")
	f(func(r *reasoning.Rules) { r.Start = reasoning.StartInThought }, "a <think>b</think>c", "a <think>b", "c")
	f(func(r *reasoning.Rules) { r.Start = reasoning.StartInAnswer }, "a</think>b", "", "a</think>b")
	f(func(r *reasoning.Rules) { r.Prefix = reasoning.PrefixToAnswer }, "a <think>b</think>c", "b", "a c")
	f(func(r *reasoning.Rules) { r.Prefix = reasoning.PrefixToThought }, "a <think>b</think>c", "a <think>b", "c")
	f(func(r *reasoning.Rules) { r.Openers = reasoning.OpenersOne }, "<think><think>b</think>c", "<think>b", "c")
	f(func(r *reasoning.Rules) { r.Closer = reasoning.CloserLast }, "<think>a</think>b</think>c", "a</think>b", "c")
	f(func(r *reasoning.Rules) { r.Closers = reasoning.ClosersOne }, "<think>a</think></think>c", "a", "</think>c")
	f(func(r *reasoning.Rules) { r.Stray = reasoning.StrayRemoved }, "<think>a</think>b</think>c", "a", "bc")
	f(func(r *reasoning.Rules) { r.Blocks = reasoning.BlocksAll }, "<think>a</think>b<think>c</think>d", "ac", "bd")
	f(func(r *reasoning.Rules) { r.Unclosed = reasoning.UnclosedThought }, "plain", "plain", "")
	f(func(r *reasoning.Rules) { r.Unclosed = reasoning.UnclosedAnswer }, "<think>plain", "", "plain")
	f(func(r *reasoning.Rules) { r.Blocks = reasoning.BlocksAll }, "<think>a</think>b <think>c", "a", "b <think>c")
	f(func(r *reasoning.Rules) { r.Tool = reasoning.ToolNever }, "<think>a<tool_call>b", "a<tool_call>b", "")
	f(func(r *reasoning.Rules) { r.Tool = reasoning.ToolAlways }, "<think>a<tool_call>b</think>c", "a", "<tool_call>b</think>c")
	f(func(r *reasoning.Rules) { r.Start = reasoning.StartNever }, "<think>a</think>b", "", "<think>a</think>b")
	f(func(r *reasoning.Rules) { r.Start = reasoning.StartSwitched }, "plain", "plain", "")
	f(func(r *reasoning.Rules) { r.Start, r.Silent = reasoning.StartSwitched, reasoning.SilentOff }, "plain", "", "plain")
	f(func(r *reasoning.Rules) { r.Start, r.Silent = reasoning.StartForced, reasoning.SilentOff }, "a <think>b", "a <think>b", "")
	f(func(r *reasoning.Rules) { r.Off, r.Silent = reasoning.OffWhole, reasoning.SilentOff }, "<think>a</think>b", "", "<think>a</think>b")
	f(func(r *reasoning.Rules) { r.Frame = reasoning.FrameWhole }, "<think>a", "", "<think>a")
	f(func(r *reasoning.Rules) { r.Frame = reasoning.FrameWhole }, "<think>a</think>b", "a", "b")
	f(func(r *reasoning.Rules) { r.Start, r.Prefix = reasoning.StartInThought, reasoning.PrefixDropped }, "a <think>b</think>c", "b", "c")
	f(func(r *reasoning.Rules) { r.Start, r.Openers = reasoning.StartInThought, reasoning.OpenersExact }, "<think><think> <think>b</think>c", " <think>b", "c")
	f(func(r *reasoning.Rules) { r.Start, r.Openers = reasoning.StartInThought, reasoning.OpenersNone }, "<think>b</think>c", "<think>b", "c")
	f(func(r *reasoning.Rules) { r.Start, r.Stray = reasoning.StartInAnswer, reasoning.StrayLeading }, "</think>b</think>c", "", "b</think>c")
	f(func(r *reasoning.Rules) { r.Unclosed, r.Silent = reasoning.UnclosedSwitched, reasoning.SilentOff }, "<think>a", "", "a")
	f(func(r *reasoning.Rules) { r.Empty = reasoning.EmptyFilled }, "<think>a</think>", "", "a")
	f(func(r *reasoning.Rules) { r.Tools = []string{"[call]"} }, "<think>a<tool_call>b[call]c", "a<tool_call>b", "[call]c")
	f(func(r *reasoning.Rules) { r.Trim = reasoning.TrimOpened | reasoning.TrimEnd }, "<think>\n a \n</think>\nb", " a", "\nb")
	f(func(r *reasoning.Rules) { r.Trim = reasoning.TrimEndLine | reasoning.TrimClosedLine }, "<think>a\n\n</think>\n\nb", "a\n", "\nb")
	f(func(r *reasoning.Rules) { r.Trim = reasoning.TrimClosed }, "<think>a</think>\n\n b", "a", " b")
	f(func(r *reasoning.Rules) { *r = reasoning.Rules{Blocks: reasoning.BlocksFirst} }, "<think>a</think>b<think>c</think>d", "a", "b<think>c</think>d")
}

func TestNoFamily(t *testing.T) {
	rules := reasoning.Faithful()
	var s reasoning.Split
	rules.Split(nil, reasoning.Facts{}, reasoning.Plain("<think>a</think>b"), &s)
	if _, c := texts("<think>a</think>b", &s); c != "<think>a</think>b" || s.Status != reasoning.Missing {
		t.Errorf("got %q %s", c, s.Status)
	}
	rules.Split(nil, reasoning.Facts{Thinking: reasoning.No}, reasoning.Plain("b"), &s)
	if s.Status != reasoning.Absent {
		t.Errorf("thinking off: got %s", s.Status)
	}
}

func TestCustom(t *testing.T) {
	rules := reasoning.Faithful()
	f := func(open, close, text, thinking, answer string) {
		t.Helper()
		var s reasoning.Split
		rules.Split(reasoning.Custom(open, close), reasoning.Facts{Finish: "stop"}, reasoning.Plain(text), &s)
		if r, c := texts(text, &s); r != thinking || c != answer {
			t.Errorf("%q %q: got %q | %q, want %q | %q", open, close, r, c, thinking, answer)
		}
	}
	f("<r>", "</r>", "<r>a</r>b", "a", "b")
	f("", "FINAL:", "aFINAL:b", "a", "b")
	f("", "FINAL:", "plain", "", "plain")
}

// A model that loops must not take quadratic time.
func TestLoopIsLinear(t *testing.T) {
	rules := reasoning.Faithful()
	var s reasoning.Split
	for _, part := range []string{"<think>a<tool_call>", "<think>a</think>b", "<think>", "</think>", "<tool_call>", "<think> a ",
		"`</think>` ", "\"</think>", "`</think> ``", "```\n</think>\n```\n", "\n```x\n</think>`", "`<think>`</think>", " \"<think>a</think>", "    <think>a</think>\n"} {
		text := strings.Repeat(part, 1<<18/len(part))
		for _, name := range []string{"glm47", "qwen3", "step3p5"} {
			rules.Split(family(t, name), reasoning.Facts{Finish: "stop"}, reasoning.Plain(text), &s)
			if last := s.Segments[len(s.Segments)-1]; last.End != len(text) {
				t.Errorf("%q: ends at %d of %d", part, last.End, len(text))
			}
		}
	}
}

func TestSplitDoesNotAllocate(t *testing.T) {
	rules := reasoning.Faithful()
	var text reasoning.Text = reasoning.Plain("<think>" + strings.Repeat("a thought ", 100) + "</think>the <think> answer")
	qwen := family(t, "qwen3")
	var s reasoning.Split
	if n := testing.AllocsPerRun(100, func() { rules.Split(qwen, reasoning.Facts{Finish: "stop"}, text, &s) }); n > 0 {
		t.Errorf("%v allocations per split", n)
	}
}

// A thought that merely mentions a call's marker goes on; a call ends it.
func TestMentionedCallMarker(t *testing.T) {
	f := func(family, text, thinking, answer string) {
		t.Helper()
		fam, _ := reasoning.Lookup(family)
		rules := reasoning.Faithful()
		var split reasoning.Split
		rules.Split(fam, reasoning.Facts{Finish: "length"}, reasoning.Plain(text), &split)
		var got [2]string
		for _, s := range split.Segments {
			switch s.Kind {
			case reasoning.Thinking:
				got[0] += text[s.Start:s.End]
			case reasoning.Answer:
				got[1] += text[s.Start:s.End]
			}
		}
		if got != [2]string{thinking, answer} {
			t.Errorf("%s: %q: got %q", family, text, got)
		}
	}
	f("qwen3", "<think>maybe <tool_call> but wait", "maybe <tool_call> but wait", "")
	f("qwen3", "<think>the `<tool_call>` tag", "the `<tool_call>` tag", "")
	f("qwen3", "<think>go\n<tool_call>\n{\"name\":\"f\"", "go\n", "<tool_call>\n{\"name\":\"f\"")
	f("qwen3", "<think>the <tool_call> tag, now <tool_call><function=f>", "the <tool_call> tag, now ", "<tool_call><function=f>")
	f("glm45", "<think>go<tool_call>get_time\n<arg_key>", "go", "<tool_call>get_time\n<arg_key>")
	f("kimi_k2", "<think>emit <|tool_calls_section_begin|> or not", "emit <|tool_calls_section_begin|> or not", "")
	f("kimi_k2", "<think>x<|tool_calls_section_begin|><|tool_call_begin|>f:0", "x", "<|tool_calls_section_begin|><|tool_call_begin|>f:0")
}
