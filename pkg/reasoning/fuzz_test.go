package reasoning_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
)

// texts of the fuzz tests: each family's markers among them.
func seeds() []string {
	seeds := []string{
		"", "plain", "<think>a</think>b", "a</think>b", "<think>a", "\n<think>\n<think>a<tool_call>b", "a<think>b</think>c</think>d",
		"◁think▷é◁/think▷\U0001F600", "[THINK]a[/THINK]b[THINK]c", `<think>"\</think>/`, "<think>\u2028</think>\t\n",
		"<think>\na\n</think>\n<answer>\nb\n</answer>\n", "<think>a \n</think>\n\n<response>b</response>c</response>",
		"<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}<|call|>",
		" to=functions.f<|channel|>analysis<|message|>{}", "<|channel|>odd<|message|>a<|channel|>commentary b<|start|>", "analysisa.assistantcommentary to=f{}assistantfinalb",
		"<|channel>thought\na<channel|>b<|channel><channel|>", "<|inner_prefix|>a<|tools_prefix|>[]<|tools_suffix|>b<|inner_suffix|>c",
		"a<|close|>think<|sep|><|open|>response<|sep|>b<|close|>response<|sep|><|open|>tools<|sep|>c<|close|>tools<|sep|><|close|>mess",
		"<|START_THINKING|> a <co>b</co: 0:[1]><|END_THINKING|><|START_RESPONSE|>c <co>d</co: 1:[0]><|END_RESPONSE|>",
		"<|content_thinking|>a<|end_message|><|message_model|>f<|content_invoke_tool_json|>{}<|end_message|><|content_model_end_sampling|>",
	}
	for _, w := range around {
		seeds = append(seeds, strings.ReplaceAll(w, "M", "</think>")+"</think>b", "a "+strings.ReplaceAll(w, "M", "<think>")+"<think>b</think>c")
	}
	for f := range reasoning.Families() {
		seeds = append(seeds, f.Open+"a\n"+f.Close+"\n b", "a "+f.Open+"b"+f.Close+f.Close+"c"+f.Open)
	}
	return seeds
}

// knobs is any setting of the rules.
func knobs(n uint64) reasoning.Rules {
	take := func(values uint64) uint64 {
		v := n % values
		n /= values
		return v
	}
	r := reasoning.Rules{
		Start: reasoning.Start(take(6)), Silent: reasoning.Silent(take(3)), Off: reasoning.Off(take(2)), Frame: reasoning.Frame(take(2)),
		Prefix: reasoning.Prefix(take(4)), Openers: reasoning.Openers(take(4)), Closer: reasoning.Closer(take(2)), Closers: reasoning.Closers(take(2)),
		Stray: reasoning.Stray(take(3)), Blocks: reasoning.Blocks(take(3)), Unclosed: reasoning.Unclosed(take(4)), Empty: reasoning.Empty(take(2)),
		Tool: reasoning.ToolMark(take(3)), Channels: reasoning.Channels(take(2)), Cites: reasoning.Cites(take(2)), Trim: reasoning.Trim(take(128)),
	}
	r.Quoted = reasoning.Quoted(take(2))
	if take(2) == 1 {
		r.Tools = []string{"<tool_call>", "a"}
	}
	return r
}

// FuzzSplit holds for every family, the rules that have a name and any setting of
// the knobs: segments add up to the text in order, and a JSON string splits as
// the text it stands for.
func FuzzSplit(f *testing.F) {
	for i, text := range seeds() {
		f.Add(text, uint64(0), byte(i))
		f.Add(text, uint64(i)*0x9e3779b97f4a7c15, byte(i*7))
	}
	f.Fuzz(func(t *testing.T, text string, setting uint64, facts byte) {
		known := reasoning.Facts{
			Thinking: reasoning.Tri(facts % 3), PromptOpen: reasoning.Tri(facts / 3 % 3),
			Finish: []string{"stop", "length"}[facts>>7],
		}
		for _, rules := range []reasoning.Rules{knobs(setting), reasoning.SGLang(), reasoning.VLLM(), reasoning.Faithful()} {
			for fam := range reasoning.Families() {
				checkSplit(t, &rules, fam, known, jsonscan.Quote(text))
			}
		}
	})
}

func checkSplit(t *testing.T, rules *reasoning.Rules, f *reasoning.Family, known reasoning.Facts, quoted jsonscan.Text) {
	t.Helper()
	var plain, escaped reasoning.Split
	text := quoted.String()
	rules.Split(f, known, reasoning.Plain(text), &plain)
	at := 0
	for _, g := range plain.Segments {
		if g.Start != at || g.End <= at {
			t.Fatalf("%s %q %+v: segments %v", f.Name, text, *rules, plain.Segments)
		}
		at = g.End
	}
	if at != len(text) {
		t.Fatalf("%s %q %+v: segments %v end before %d", f.Name, text, *rules, plain.Segments, len(text))
	}
	rules.Split(f, known, &quoted, &escaped)
	if plain.Status != escaped.Status || !slices.Equal(plain.Flags, escaped.Flags) || len(plain.Segments) != len(escaped.Segments) {
		t.Fatalf("%s %q: plain %+v, escaped %+v", f.Name, text, plain, escaped)
	}
	for i, g := range escaped.Segments {
		p := plain.Segments[i]
		if g.Kind != p.Kind || quoted.Slice(g.Start, g.End).String() != text[p.Start:p.End] {
			t.Fatalf("%s %q: segment %d is %v plain, %v escaped", f.Name, text, i, p, g)
		}
	}
}

func FuzzDetect(f *testing.F) {
	f.Add("Qwen3", "<think>a</think>b")
	f.Add("", "a[/THINK]`")
	f.Fuzz(func(t *testing.T, model, text string) {
		got, why := reasoning.Detect(reasoning.Facts{Model: model}, reasoning.Plain(text))
		if (got == nil) != (why == reasoning.NoSign) {
			t.Errorf("%v, %q", got, why)
		}
	})
}

func FuzzLookup(f *testing.F) {
	f.Add("qwen3")
	f.Add("no-such")
	f.Fuzz(func(t *testing.T, name string) {
		if got, near := reasoning.Lookup(name); got != nil && near != nil || len(near) > 3 {
			t.Errorf("%v %q", got, near)
		}
	})
}

func BenchmarkSplit(b *testing.B) {
	thought := string(make([]byte, 0))
	for len(thought) < 40_000 {
		thought += "Wait, let me check 3 < 5 and that a > b once more.\n"
	}
	text := "<think>\n" + thought + "</think>\n\n" + thought[:4_000]
	rules := reasoning.Faithful()
	qwen, _ := reasoning.Lookup("qwen3")
	for name, form := range map[string]reasoning.Text{"plain": reasoning.Plain(text), "json": ptr(jsonscan.Quote(text))} {
		b.Run(name, func(b *testing.B) {
			var s reasoning.Split
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				rules.Split(qwen, reasoning.Facts{Finish: "stop"}, form, &s)
			}
		})
	}
}

// BenchmarkDetect is the slowest case: an unknown model and no marker.
func BenchmarkDetect(b *testing.B) {
	text := reasoning.Text(reasoning.Plain(strings.Repeat("Wait, let me check 3 < 5 and that a > b once more.\n", 860)))
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		reasoning.Detect(reasoning.Facts{Model: "local"}, text)
	}
}

func ptr[T any](v T) *T { return &v }
