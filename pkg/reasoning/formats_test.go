package reasoning_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
)

// show is a split in one line: the segments, each after the letter of its kind.
func show(text string, s *reasoning.Split) string {
	var parts []string
	for _, g := range s.Segments {
		parts = append(parts, "tamc"[g.Kind:g.Kind+1]+":"+text[g.Start:g.End])
	}
	return strings.Join(parts, " · ")
}

// Formats that are more than two markers, under the faithful rules: t is
// thinking, a answer, m marker, c call.
func TestFormats(t *testing.T) {
	rules := reasoning.Faithful()
	f := func(name, text, finish, want string, status reasoning.Status, flags ...string) {
		t.Helper()
		var s reasoning.Split
		rules.Split(family(t, name), reasoning.Facts{Finish: finish}, reasoning.Plain(text), &s)
		if got := show(text, &s); got != want || s.Status != status || !slices.Equal(s.Flags, flags) {
			t.Errorf("%s %q:\n got %s (%s %q)\nwant %s (%s %q)", name, text, got, s.Status, s.Flags, want, status, flags)
		}
	}
	const stop, length, calls = "stop", "length", "tool_calls"
	const present, missing, absent, truncated, suspect = reasoning.Present, reasoning.Missing, reasoning.Absent, reasoning.Truncated, reasoning.Suspect

	// Harmony: the first header is partly in the prompt, the last end mark with the server.
	const thought, answer = "<|channel|>analysis<|message|>", "<|start|>assistant<|channel|>final<|message|>"
	f("gpt_oss", thought+"t<|end|>"+answer+"a<|return|>", stop, "m:"+thought+" · t:t · m:<|end|> · m:"+answer+" · a:a · m:<|return|>", present)
	f("gpt_oss", thought+"t<|end|>"+answer+"a", stop, "m:"+thought+" · t:t · m:<|end|> · m:"+answer+" · a:a", present)
	f("gpt_oss", "analysis<|message|>t<|end|>"+answer+"a", stop, "m:analysis<|message|> · t:t · m:<|end|> · m:"+answer+" · a:a", present)
	f("gpt_oss", thought+"t<|channel|>final<|message|>a", stop, "m:"+thought+" · t:t · m:<|channel|>final<|message|> · a:a", present)
	f("gpt_oss", thought+"cut", length, "m:"+thought+" · t:cut", truncated, "no-closer")
	f("gpt_oss", thought+"no end", stop, "m:"+thought+" · t:no end", suspect, "no-closer")
	f("gpt_oss", "<|channel|>analysis", length, "m:<|channel|>analysis", truncated, "broken-header", "no-closer")
	f("gpt_oss", "<|channel|>final<|message|>a", stop, "m:<|channel|>final<|message|> · a:a", missing)

	// Calls are kept whole: the recipient may stand in either part of the header.
	const callOf = "<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>"
	f("gpt_oss", thought+"t<|end|>"+callOf, calls, "m:"+thought+" · t:t · m:<|end|> · c:"+callOf, present)
	f("gpt_oss", " to=functions.f<|channel|>analysis<|message|>{}", calls, "c: to=functions.f<|channel|>analysis<|message|>{}", missing)
	f("gpt_oss", "<|channel|>commentary to=functions.f {}", length, "c:<|channel|>commentary to=functions.f {}", missing, "broken-header")
	f("gpt_oss", "<|channel|>commentary to=assistant<|channel|>analysis<|message|>t<|end|>", stop,
		"m:<|channel|>commentary to=assistant<|channel|>analysis<|message|> · t:t · m:<|end|>", present)
	f("gpt_oss", "<|channel|>commentary<|message|>Reading.<|end|>"+answer+"a", stop, "m:<|channel|>commentary<|message|> · a:Reading. · m:<|end|> · m:"+answer+" · a:a", missing)
	f("gpt_oss", thought+"t<|end|><|channel|>commentary<|message|>b<|end|>"+thought+"u<|end|>", stop,
		"m:"+thought+" · t:t · m:<|end|> · m:<|channel|>commentary<|message|> · a:b · m:<|end|> · m:"+thought+" · t:u · m:<|end|>", present, "several-blocks")

	// Tokens that a text writes about are text.
	f("gpt_oss", thought+"the token \"<|end|>\" ends<|end|>"+answer+"a", stop, "m:"+thought+" · t:the token \"<|end|>\" ends · m:<|end|> · m:"+answer+" · a:a", present)
	f("gpt_oss", "<|channel|>final<|message|>Use `"+thought+"` and `<|end|>`.<|return|>", stop, "m:<|channel|>final<|message|> · a:Use `"+thought+"` and `<|end|>`. · m:<|return|>", missing)
	f("gpt_oss", thought+"so \"Paris.\"<|end|>"+answer+"\"Paris.\"", stop, "m:"+thought+" · t:so \"Paris.\" · m:<|end|> · m:"+answer+" · a:\"Paris.\"", present)

	// What others are made to say is no call and no thought.
	const tool, user = "<|start|>browser.search to=assistant<|channel|>commentary<|message|>", "<|start|>user<|message|>"
	f("gpt_oss", thought+"t<|end|>"+tool+"{}<|end|>", stop, "m:"+thought+" · t:t · m:<|end|> · m:"+tool+" · a:{} · m:<|end|>", present, "other-role")
	f("gpt_oss", answer+"a<|end|>"+user+"q<|end|>", stop, "m:"+answer+" · a:a · m:<|end|> · m:"+user+" · a:q · m:<|end|>", missing, "other-role")
	f("gpt_oss", "<|start|>so it is", stop, "m:<|start|>so · a: it is", missing, "broken-header", "other-role")

	// What breaks the format is kept and told of.
	f("gpt_oss", "<|channel|>musing<|message|>m", stop, "m:<|channel|>musing<|message|> · a:m", missing, "unknown-channel")
	f("gpt_oss", "<|channel|>commentary Hello", stop, "m:<|channel|>commentary · a: Hello", missing, "broken-header")
	f("gpt_oss", "<|channel|>commentary <|constrain|>json", length, "m:<|channel|>commentary <|constrain|>json", missing, "broken-header")
	f("gpt_oss", "<|start|>assistant Hello", stop, "m:<|start|>assistant · a: Hello", missing, "broken-header")
	f("gpt_oss", "<|start|>assistant<|message|>Hello", stop, "m:<|start|>assistant<|message|> · a:Hello", missing)
	f("gpt_oss", "bare", stop, "a:bare", missing)
	f("gpt_oss", "bare"+answer+"a", stop, "a:bare · m:"+answer+" · a:a", missing, "broken-header")
	f("gpt_oss", thought+"say <|message|> twice<|end|>"+answer, stop, "m:"+thought+" · t:say <|message|> twice · m:<|end|> · m:"+answer, present)

	// Erased markers.
	f("gpt_oss", "analysisI reason.assistantfinalAnswer", stop, "m:analysis · t:I reason. · m:assistantfinal · a:Answer", present, "erased-markers")
	f("gpt_oss", "analysisNeed it.assistantcommentary to=functions.f json{}", calls, "m:analysis · t:Need it. · c:assistantcommentary to=functions.f json{}", present, "erased-markers")
	f("gpt_oss", "analysisI reas", length, "m:analysis · t:I reas", truncated, "erased-markers", "no-closer")
	f("gpt_oss", "analysis of it", length, "a:analysis of it", missing)
	f("gpt_oss", "analysisX", stop, "a:analysisX", missing)

	// Blocks with names.
	const open, shut = "<|open|>think<|sep|>", "<|close|>think<|sep|>"
	const response, done = "<|open|>response<|sep|>", "<|close|>response<|sep|>"
	f("kimi_k3", "t"+shut+response+"a"+done+"<|close|>message<|sep|>", stop, "t:t · m:"+shut+" · m:"+response+" · a:a · m:"+done+" · m:<|close|>message<|sep|>", present)
	f("kimi_k3", open+"t"+shut+response+"a", stop, "m:"+open+" · t:t · m:"+shut+" · m:"+response+" · a:a", present)
	f("kimi_k3", "t"+response+"a", stop, "t:t · m:"+response+" · a:a", present)
	f("kimi_k3", "t<|open|>tools<|sep|>x<|close|>tools<|sep|>", calls, "t:t · c:<|open|>tools<|sep|>x<|close|>tools<|sep|>", present)
	f("kimi_k3", "t<|close|>thi", length, "t:t · m:<|close|>thi", truncated, "no-closer")
	f("kimi_k3", "t<|close|>think<|se", length, "t:t · m:<|close|>think<|se", truncated, "no-closer")
	f("kimi_k3", "t <|x", length, "t:t <|x", truncated, "no-closer")
	f("kimi_k3", "plain", stop, "a:plain", missing)
	f("kimi_k3", response+"a"+done, stop, "m:"+response+" · a:a · m:"+done, missing)

	// Blocks with types.
	f("inkling", "<|content_thinking|>t<|end_message|><|message_model|><|content_text|>a<|end_message|><|content_model_end_sampling|>", stop,
		"m:<|content_thinking|> · t:t · m:<|end_message|> · m:<|message_model|> · m:<|content_text|> · a:a · m:<|end_message|> · m:<|content_model_end_sampling|>", present)
	f("inkling", "<|content_thinking|>t<|end_message|><|message_model|>f<|content_invoke_tool_json|>{}<|end_message|>", calls,
		"m:<|content_thinking|> · t:t · m:<|end_message|> · m:<|message_model|> · m:f · c:<|content_invoke_tool_json|>{}<|end_message|>", present)
	f("inkling", "<|content_thinking|>cut", length, "m:<|content_thinking|> · t:cut", truncated, "no-closer")

	// Answers in a frame.
	f("cohere_command3", "<|START_THINKING|>t<|END_THINKING|>\n<|START_RESPONSE|>a<|END_RESPONSE|>", stop,
		"m:<|START_THINKING|> · t:t · m:<|END_THINKING|> · a:\n · m:<|START_RESPONSE|> · a:a · m:<|END_RESPONSE|>", present)
	f("cohere_command4", "t<|START_TEXT|>a<|END_TEXT|>", stop, "t:t · m:<|START_TEXT|> · a:a · m:<|END_TEXT|>", present, "ended-by-answer")
	f("cohere_command4", "t<|START_ACTION|>[]<|END_ACTION|>", calls, "t:t · a:<|START_ACTION|>[]<|END_ACTION|>", present, "ended-by-tool")
	f("cohere_command3", "<|START_RESPONSE|>a<|END_RESPONSE|>", stop, "m:<|START_RESPONSE|> · a:a · m:<|END_RESPONSE|>", missing)
	f("granite3_3", "<think>t</think><response>a</response>", stop, "m:<think> · t:t · m:</think> · m:<response> · a:a · m:</response>", present)
	f("granite3_3", "<think>t</think>a <response> b</response>", stop, "m:<think> · t:t · m:</think> · a:a <response> b</response>", present)
	f("ernie45", "t</think>\n<response>\na </response> b\n</response>\n", stop, "t:t · m:</think> · a:\n · m:<response> · a:\na </response> b\n · m:</response> · a:\n", present)
	f("hunyuan_a13b", "<think>\nt\n</think>\n<answer>\na", length, "m:<think> · t:\nt\n · m:</think> · a:\n · m:<answer> · a:\na", present)
	f("hy_v3", "<think:opensource>t</think:opensource>a", stop, "m:<think:opensource> · t:t · m:</think:opensource> · a:a", present)
	f("sky_t1", "<|begin_of_thought|>\nt\n<|end_of_thought|>\n\n<|begin_of_solution|>\na\n<|end_of_solution|>", stop,
		"m:<|begin_of_thought|> · t:\nt\n · m:<|end_of_thought|> · a:\n\n · m:<|begin_of_solution|> · a:\na\n · m:<|end_of_solution|>", present)

	// Labels, phrases, spellings, calls inside a thought.
	f("gemma4", "<|channel>thought Well<channel|>a", stop, "m:<|channel> · m:thought · t: Well · m:<channel|> · a:a", present)
	f("gemma4", "<|channel>thought\nt<channel|>a", stop, "m:<|channel> · m:thought\n · t:t · m:<channel|> · a:a", present)
	f("gemma4", "<|channel>thousand ways<channel|>a", stop, "m:<|channel> · t:thousand ways · m:<channel|> · a:a", present)
	f("gemma4", "Before <|channel>thought\ncut", length, "a:Before  · m:<|channel> · m:thought\n · t:cut", truncated, "preamble", "no-closer")
	f("granite", "Here's my thought process: t Here is my response: a", stop, "m:Here's my thought process: · t: t  · m:Here is my response: · a: a", present)
	f("granite", "Say: Here is my response: yes", stop, "a:Say: Here is my response: yes", absent, "marker-in-content")
	f("apriel", "t\n[BEGIN FINAL RESPONSE]\na", stop, "t:t\n · m:[BEGIN FINAL RESPONSE] · a:\na", present)
	f("hyperclovax_seed_think", "t<|im_end|>\n<|im_start|>assistant\na", stop, "t:t · m:<|im_end|>\n<|im_start|>assistant\n · a:a", present)
	f("k2_horizon", "t</ifm|think_fast>a", stop, "t:t · m:</ifm|think_fast> · a:a", present)
	f("apertus", "<|inner_prefix|>t<|tools_prefix|>[]<|tools_suffix|>u<|inner_suffix|>a", stop,
		"m:<|inner_prefix|> · t:t · c:<|tools_prefix|>[]<|tools_suffix|> · t:u · m:<|inner_suffix|> · a:a", present)
	f("apertus", "<|inner_prefix|>t<|tools_prefix|>u<|inner_suffix|>a<|tools_suffix|>", stop,
		"m:<|inner_prefix|> · t:t<|tools_prefix|>u · m:<|inner_suffix|> · a:a<|tools_suffix|>", present)
	f("seed_oss", "<seed:think>t<seed:cot_budget_reflect>n</seed:cot_budget_reflect>u</seed:think>a", stop,
		"m:<seed:think> · t:t<seed:cot_budget_reflect>n</seed:cot_budget_reflect>u · m:</seed:think> · a:a", present)
	f("minimax_append_think", "<think>t</think>a", stop, "m:<think> · t:t · m:</think> · a:a", present)
	f("minimax_m3", "</mm:think>a", stop, "m:</mm:think> · a:a", missing, "no-opener", "empty-block")
	rules.Unclosed = reasoning.UnclosedAnswer
	f("gpt_oss", thought+"cut", length, "m:"+thought+" · a:cut", truncated, "no-closer")
	rules = reasoning.Faithful()
	f("longcat", "<longcat_think>t</longcat_think>a", stop, "m:<longcat_think> · t:t · m:</longcat_think> · a:a", present)
	f("solar_open2", "<|think:start|>t<|think:end|>a", stop, "m:<|think:start|> · t:t · m:<|think:end|> · a:a", present)
}

// A text that repeats a format's markers takes linear time under any rules.
func TestFormatsAreLinear(t *testing.T) {
	for f := range reasoning.Families() {
		parts := []string{
			f.Open + "a", "a" + f.Close, f.Open + "a" + f.Close + "b", f.Calls.Open + f.Open, "<|start|>assistant<|channel|>x",
			"<|channel|>analysis", "<|open|>tools<|sep|>", "<|message_model|>f<|content_invoke_tool_json|>", "assistantfinal",
		}
		for _, name := range []string{"faithful", "sglang", "vllm"} {
			rules, _ := reasoning.Preset(name)
			for _, part := range append(parts, f.AnswerOpen...) {
				text := "analysis" + strings.Repeat(part, 1<<14/len(part))
				var s reasoning.Split
				rules.Split(f, reasoning.Facts{Finish: "stop"}, reasoning.Plain(text), &s)
				if last := s.Segments[len(s.Segments)-1]; last.End != len(text) {
					t.Errorf("%s as %s, %q: ends at %d of %d", f.Name, name, part, last.End, len(text))
				}
			}
		}
	}
}
