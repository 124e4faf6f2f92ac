package reasoning_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
)

// around are ways to write about a marker, M, without meaning it.
var around = []string{
	"the `M` tag", `the "M" tag`, "the 'M' tag", "the “M” tag", "the «M» tag", "用「M」标签", "the (M) tag",
	"run `echo M > f` now", "run ``a ` M`` now", `{"text": "first M then", "n": 1}`, `{\"text\": \"first M then\"}`, `say "first \"M\" then"`,
	`re.split(r"M", s)`, "see\n> M\n> so\nit is", "see\n```\nfirst\nM\nthen\n```\nit is", "see\n```xml\n<a>M</a>\n```\nit is", "see\n  ````\n  M\n  ````\nit is", `6' 2" and "M" it is`,
}

// perhaps are ways that look so, but where a mark may be missing: another marker
// must follow that is meant.
var perhaps = []string{
	`he says "first M then"`, `f(a, "x M y")`, `so it is "x.Mx."`, `he says: "IMHe says: "I"`, "see\n```\nfirst\nM\n```\nthen\n```\nit is", "first M, then", "first M. Then", "| a | M | b |", "first (or M) then",
}

// meaning are texts right before and after a marker that do not quote it.
var meaning = [][2]string{
	{"done.\n", "\n\n"}, {"done.", ""}, {`so it is "x"`, `"x"`}, {"so it is 'x'", "'x'"}, {"so it is `x`", "`x`"},
	{`the 15" one`, `The 15" one`}, {`he says "no.` + "\n", `"No" it is`}, {"see\n```\na\n```\n", "\n```go\nb\n```\n"},
	{"a draft\n```go\nf()\n", "\n```go\ng()\n```\n"}, {"it's", "it's"}, {"(so)", "(so)"},
	{"so it is \"x.\"", "\"x.\""}, {"so it is 'x.'", "'x.'"}, {"a > b\n", "\n> c"}, {"> a", "b"},
}

// A closing marker that is quoted does not end a thought, whoever opened it.
func TestQuotedCloser(t *testing.T) {
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
	for _, w := range around {
		w = strings.ReplaceAll(w, "M", "</think>")
		// Another one follows that is not quoted.
		f("qwen3", "<think>"+w+"</think>b", "stop", w, "b", reasoning.Present, "closer-in-thought")
		f("deepseek_r1", w+"\n</think>\n\nb", "stop", w+"\n", "\n\nb", reasoning.Present, "closer-in-thought")
		f("qwen3", w+"\n</think>\n\nb", "stop", w+"\n", "\n\nb", reasoning.Present, "no-opener", "closer-in-thought")
		// None does: nobody knows where the thought ends.
		f("qwen3", "<think>"+w, "length", w, "", reasoning.Truncated, "no-closer", "closer-in-thought")
		f("qwen3", "<think>"+w, "stop", w, "", reasoning.Suspect, "no-closer", "closer-in-thought")
		f("deepseek_r1", w, "length", w, "", reasoning.Truncated, "no-closer", "closer-in-thought")
		f("deepseek_r1", w, "stop", "", w, reasoning.Missing, "marker-in-content")
		f("qwen3", w, "stop", "", w, reasoning.Missing, "marker-in-content")
		// In the answer it is text, as any marker is.
		f("deepseek_r1", "a</think>"+w, "stop", "a", w, reasoning.Present, "marker-in-content")
	}
	for _, w := range perhaps {
		w = strings.ReplaceAll(w, "M", "</think>")
		before, after, _ := strings.Cut(w, "</think>")
		f("qwen3", "<think>"+w+"\n</think>\n\nb", "stop", w+"\n", "\n\nb", reasoning.Present, "closer-in-thought")
		f("deepseek_r1", w+"\n</think>\n\nb", "stop", w+"\n", "\n\nb", reasoning.Present, "closer-in-thought")
		f("qwen3", "<think>"+w, "stop", before, after, reasoning.Present, "quoted-closer")
		f("qwen3", w, "stop", "", w, reasoning.Missing, "marker-in-content")
	}
	for _, w := range meaning {
		f("qwen3", "<think>"+w[0]+"</think>"+w[1]+"b", "stop", w[0], w[1]+"b", reasoning.Present)
		f("deepseek_r1", w[0]+"</think>"+w[1]+"b", "stop", w[0], w[1]+"b", reasoning.Present)
		f("qwen3", w[0]+"</think>"+w[1]+"b", "stop", w[0], w[1]+"b", reasoning.Present, "no-opener")
	}
	f("seed_oss", `<seed:think>the "</seed:think>" tag</seed:think>b`, "stop", `the "</seed:think>" tag`, "b", reasoning.Present, "closer-in-thought")
	f("kimi", "◁think▷the `◁/think▷` tag◁/think▷b", "stop", "the `◁/think▷` tag", "b", reasoning.Present, "closer-in-thought")
	f("glm47", "a `</think>` b</think>c<think>`</think>`</think>d", "stop", "a `</think>` b`</think>`", "cd", reasoning.Present, "closer-in-thought", "several-blocks")
}

// An opening marker after text begins a thought when the two are meant as such.
func TestLateOpener(t *testing.T) {
	f := func(name, text, finish, thinking, answer string, status reasoning.Status, flags ...string) {
		t.Helper()
		facts := reasoning.Facts{Finish: finish}
		if name == "unknown" {
			fam, why := reasoning.Detect(facts, reasoning.Plain(text))
			if fam == nil {
				fam, why = family(t, "qwen3"), "think"
			}
			name = fam.Name
			if (why == reasoning.ByMarkers) != (thinking != "") {
				t.Errorf("Detect(%q) %s: %s", text, finish, why)
			}
		}
		rules := reasoning.Faithful()
		var s reasoning.Split
		rules.Split(family(t, name), facts, reasoning.Plain(text), &s)
		r, c := texts(text, &s)
		if r != thinking || c != answer || s.Status != status || !slices.Equal(s.Flags, flags) {
			t.Errorf("%s %q %s:\n got %q | %q %s %q\nwant %q | %q %s %q", name, text, finish, r, c, s.Status, s.Flags, thinking, answer, status, flags)
		}
	}
	both := func(text, finish, thinking, answer string, status reasoning.Status, flags ...string) {
		t.Helper()
		f("qwen3", text, finish, thinking, answer, status, flags...)
		f("unknown", text, finish, thinking, answer, status, flags...)
	}
	const stop, length, call = "stop", "length", `<tool_call>{"name":"f"}</tool_call>`
	both("Sure. <think>step</think>Answer", stop, "step", "Sure. Answer", reasoning.Present, "preamble")
	both("Sure.\n\n<think>\nstep\n</think>\n\nAnswer", stop, "\nstep\n", "Sure.\n\n\n\nAnswer", reasoning.Present, "preamble")
	both("Sure.\n<think> step </think> Answer", stop, " step ", "Sure.\n Answer", reasoning.Present, "preamble")
	both("Sure.<think>the `</think>` tag</think>Answer", stop, "the `</think>` tag", "Sure.Answer", reasoning.Present, "preamble", "closer-in-thought")
	both("See `<think>`.\n<think>a</think>b", stop, "a", "See `<think>`.\nb", reasoning.Present, "preamble")
	both("好的。<think>\n步骤\n</think>\n\n答案", stop, "\n步骤\n", "好的。\n\n答案", reasoning.Present, "preamble")
	both("First.\n<think>a</think>b\n<think>c</think>", stop, "a", "First.\nb\n<think>c</think>", reasoning.Present, "preamble", "marker-in-content")
	both("Sure.\n<think>\nstep", length, "\nstep", "Sure.\n", reasoning.Truncated, "preamble", "no-closer")
	f("qwen3", "Sure.\n<think>\nstep"+call, "tool_calls", "\nstep", "Sure.\n"+call, reasoning.Present, "preamble", "ended-by-tool")

	text := func(text, finish string) {
		t.Helper()
		both(text, finish, "", text, reasoning.Missing, "marker-in-content")
	}
	text("Sure. <think>step", length)
	text("Sure.\n<think>\nstep", stop)
	text("write <think> and </think> around it", stop)
	text("<b>x</b> and <think>, then </think>", stop)
	text("put it in <think>...</think> tags", stop)
	text("put it in <think></think> tags", stop)
	text("The format:\n<think>\n…\n</think>\nanswer", stop)
	text("Wrap it in <think>my thought</think> and answer.", stop)
	text("Your format is <think>[thought]</think>[answer]", stop)
	text("Your format:\n<think>\n{thought}\n</think>\n{answer}", stop)
	text("The pattern\n<think>[\\s\\S]*?</think>\nfinds it", stop)
	text("1. <think>: it opens\n2. </think>: it closes", stop)
	text("| <think> | opens |\n| </think> | closes |", stop)
	text(`the "<think>" tag and then </think>`, stop)
	text("see <think> in docs and </think>, too", stop)
	text("The format:\n\n    <think>step</think>answer\n", stop)
	f("mistral", "see [THINK] in docs and [/THINK] too", stop, "", "see [THINK] in docs and [/THINK] too", reasoning.Missing, "marker-in-content")
	for _, w := range around {
		text("so "+strings.ReplaceAll(w, "M", "<think>a</think>"), stop)
		text("so "+strings.ReplaceAll(w, "M", "<think>"), length)
	}
}

// What stands before a thought without being seen does not keep it from beginning
// the text.
func TestInvisible(t *testing.T) {
	rules := reasoning.Faithful()
	for _, c := range []string{"\ufeff", "\u00a0", "\u200b", "\u2060", "\u3000", "\n\ufeff \u200b\n"} {
		text := c + "<think>a</think>b"
		f, why := reasoning.Detect(reasoning.Facts{}, reasoning.Plain(text))
		if f == nil || why != reasoning.ByMarkers {
			t.Fatalf("%q: %v %s", c, f, why)
		}
		for _, f := range []*reasoning.Family{f, family(t, "deepseek_r1")} {
			var s reasoning.Split
			rules.Split(f, reasoning.Facts{Finish: "stop"}, reasoning.Plain(text), &s)
			if r, answer := texts(text, &s); r != "a" || answer != c+"b" || len(s.Flags) > 0 {
				t.Errorf("%s %q: got %q | %q %q", f.Name, c, r, answer, s.Flags)
			}
		}
	}
}
