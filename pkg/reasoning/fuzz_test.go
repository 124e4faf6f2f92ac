package reasoning_test

import (
	"slices"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
)

// FuzzSplit holds for every family and any setting of the knobs: segments add
// up to the text in order, and a JSON string splits as the text it stands for.
func FuzzSplit(f *testing.F) {
	for _, text := range []string{
		"", "plain", "<think>a</think>b", "a</think>b", "<think>a", "\n<think>\n<think>a<tool_call>b", "a<think>b</think>c</think>d",
		"◁think▷é◁/think▷\U0001F600", "[THINK]a[/THINK]b[THINK]c", `<think>"\</think>/`, "<think>\u2028</think>\t\n",
	} {
		f.Add(text, uint32(0), byte(0))
		f.Add(text, uint32(0x01234567), byte(1))
	}
	f.Fuzz(func(t *testing.T, text string, knobs uint32, facts byte) {
		rules := reasoning.Rules{
			Start: reasoning.Start(knobs % 3), Prefix: reasoning.Prefix(knobs >> 2 % 3), Openers: reasoning.Openers(knobs >> 4 % 2),
			Closer: reasoning.Closer(knobs >> 5 % 2), Stray: reasoning.Stray(knobs >> 6 % 2), Blocks: reasoning.Blocks(knobs >> 7 % 3),
			Unclosed: reasoning.Unclosed(knobs >> 9 % 3), Tool: reasoning.Tool(knobs >> 11 % 3), Closers: reasoning.Closers(knobs >> 13 % 2),
		}
		known := reasoning.Facts{
			Thinking: reasoning.Tri(facts % 3), PromptOpen: reasoning.Tri(facts / 3 % 3),
			Finish: []string{"stop", "length"}[facts>>7],
		}
		var plain, escaped reasoning.Split
		quoted := jsonscan.Quote(text)
		text = quoted.String()
		for fam := range reasoning.Families() {
			rules.Split(fam, known, reasoning.Plain(text), &plain)
			at := 0
			for _, g := range plain.Segments {
				if g.Start != at || g.End <= at {
					t.Fatalf("%s %q: segments %v", fam.Name, text, plain.Segments)
				}
				at = g.End
			}
			if at != len(text) {
				t.Fatalf("%s %q: segments %v end before %d", fam.Name, text, plain.Segments, len(text))
			}
			rules.Split(fam, known, &quoted, &escaped)
			if plain.Status != escaped.Status || !slices.Equal(plain.Flags, escaped.Flags) || len(plain.Segments) != len(escaped.Segments) {
				t.Fatalf("%s %q: plain %+v, escaped %+v", fam.Name, text, plain, escaped)
			}
			for i, g := range escaped.Segments {
				p := plain.Segments[i]
				if g.Kind != p.Kind || quoted.Slice(g.Start, g.End).String() != text[p.Start:p.End] {
					t.Fatalf("%s %q: segment %d is %v plain, %v escaped", fam.Name, text, i, p, g)
				}
			}
		}
	})
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

func ptr[T any](v T) *T { return &v }
