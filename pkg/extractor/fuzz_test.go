package extractor_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// FuzzLine: whatever a line says, samples are valid JSON that reads back as a
// sample, no text is longer than what came, and segments add up to it.
func FuzzLine(f *testing.F) {
	for _, line := range []string{
		`{"id":"a","content":"<think>r</think>c","finish_reason":"stop"}`,
		`{"id":1,"response":{"choices":[{"message":{"content":"r\u003c/think>c","reasoning":null},"finish_reason":"length"}]}}`,
		`{"custom_id":"a","request":{"body":{"prompt":"<think>"}},"response":{"status_code":200,"body":{"choices":[{"text":"r</think>c"},{"text":""}]}}}`,
		`{"id":"a","response_text":"data: {\"choices\":[{\"delta\":{\"content\":\"<think>\"}}]}\n\ndata: [DONE]\n"}`,
		`{"messages":[{"role":"user","content":"/no_think"},{"role":"assistant","content":"[THINK]\ud800[/THINK]\ud83d\ude00"}]}`,
		`{"id":"a","reasoning":"r","content":"</think>\n</think>c","reasoning_status":"present","extract":{"flags":["x"]}}`,
		`{"id":"a","content":"<think>r</think>\n<tool_call>{\"name\":\"f\"}</tool_call> <tool_call>{\u0022"}`,
		`{"id":"a","content":"<|channel|>analysis<|message|>r<|end|><|start|>assistant<|channel|>commentary to=functions.f<|message|>{}<|call|>"}`,
		`{"id":"a","reasoning":"r<|tool_calls_section_begin|><|tool_call_begin|>f:0<|tool_call_argument_begin|>{}<|tool_call_end|> ","refusal":"no"}`,
	} {
		f.Add(line, byte(0))
		f.Add(line, byte(3))
		f.Add(line, byte(4))
		f.Add(line, byte(5))
		f.Add(line, byte(8))
	}
	for _, a := range answers {
		f.Add(kept(a.raw), byte(4))
		f.Add(a.raw, byte(5))
	}
	var extractors []*extractor.Extractor
	for _, c := range []extractor.Config{
		{}, {Family: "none"}, {Family: "minimax_m2", Again: true}, {Family: "qwen3", Unclosed: "content", Trim: true}, {Segments: true}, {Family: "kimi_k2", Segments: true},
		{Segments: true, Rules: "sglang"}, {Segments: true, Rules: "vllm"}, {Segments: true, Family: "gpt_oss"}, {Segments: true, SplitOnly: true},
	} {
		x, err := extractor.New(c)
		if err != nil {
			f.Fatal(err)
		}
		extractors = append(extractors, x)
	}
	f.Fuzz(func(t *testing.T, line string, which byte) {
		var d jsonscan.Doc
		if d.Scan([]byte(line)) != nil {
			return
		}
		n := int(which) % len(extractors)
		x := extractors[n]
		r, err := x.Line(d.Root())
		if r == nil || err != nil && len(r.Samples) > 0 {
			t.Fatalf("%v, %v", r, err)
		}
		if 4 <= n && n <= 8 {
			var p extractor.Prover
			if _, err := p.Prove(d.Root(), r, false); err != nil && !passedOver(r) {
				t.Fatalf("%v in %s", err, line)
			}
		}
		for i := range r.Samples {
			s := &r.Samples[i]
			out := s.AppendJSON(nil)
			var again jsonscan.Doc
			if err := again.Scan(out); err != nil {
				t.Fatalf("%v in %s", err, out)
			}
			if n := s.Reasoning.Len() + s.Content.Len(); n > 6*len(line) {
				t.Fatalf("%d bytes of text out of %d: %s", n, len(line), out)
			}
		}
	})
}

// FuzzChunking: an answer that came in pieces is split as the same answer in one.
func FuzzChunking(f *testing.F) {
	for _, text := range []string{
		"<think>r</think>c", "r</think>\n\nc", "a<think>b</think><tool_call>{\"name\":\"f\"}</tool_call>", "[THINK]\U0001F600[/THINK]", "\"<think>\" is a tag",
		"<|channel|>analysis<|message|>r<|end|><|start|>assistant<|channel|>final<|message|>c<|return|>", "◁think▷r◁/think▷c",
	} {
		f.Add(text, uint64(0x5555555555555555))
		f.Add(text, uint64(7))
	}
	f.Fuzz(func(t *testing.T, text string, cuts uint64) {
		var deltas []string
		piece := ""
		for i, r := range []rune(text) {
			piece += string(r)
			if cuts>>(i%64)&1 == 1 {
				deltas, piece = append(deltas, piece), ""
			}
		}
		events := []string{}
		for _, d := range append(deltas, piece) {
			events = append(events, `{"choices":[{"delta":{"content":`+string(jsonscan.AppendString(nil, d))+`}}]}`)
		}
		events = append(events, `{"choices":[{"delta":{},"finish_reason":"stop"}]}`)
		whole := `{"choices":[{"message":{"content":` + string(jsonscan.AppendString(nil, string([]rune(text)))) + `},"finish_reason":"stop"}]}`
		one, many := sampleOf(t, whole), sampleOf(t, sse(events...))
		if one != many && !strings.Contains(many, "cumulative-stream") {
			t.Errorf("%q\n in one %s\nin %d %s", text, one, len(deltas), many)
		}
	})
}

func sampleOf(t *testing.T, raw string) string {
	t.Helper()
	s := line(t, extractor.Config{Segments: true}, kept(raw)).Samples[0]
	for i := range s.ToolCalls {
		s.ToolCalls[i].ID = jsonscan.Text{}
	}
	return string(s.AppendJSON(nil))
}

func BenchmarkLine(b *testing.B) {
	thought := ""
	for len(thought) < 16_000 {
		thought += `Wait, 3 < 5 and \"that\" is > once more.\n`
	}
	text := []byte(`{"custom_id":"a","sample":0,"request":{"body":{"messages":[{"role":"user","content":"2+2"}]}},"response":{"status_code":200,"body":{"model":"Qwen/Qwen3-8B","choices":[{"index":0,"message":{"role":"assistant","content":"<think>\n` + thought + `</think>\n\n4"},"finish_reason":"stop"}]}},"error":null}`)
	x, _ := extractor.New(extractor.Config{})
	var d jsonscan.Doc
	var out []byte
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Scan(text); err != nil {
			b.Fatal(err)
		}
		r, err := x.Line(d.Root())
		if err != nil {
			b.Fatal(err)
		}
		out = r.Samples[0].AppendJSON(out[:0])
	}
}

// passedOver reports whether an event of a stream was flagged that no shape knows:
// what it holds is in no sample, and the proof says so.
func passedOver(r *extractor.Result) bool {
	return slices.ContainsFunc(r.Samples, func(s record.Sample) bool { return slices.Contains(s.Extract.Flags, response.FlagUnknownEvent) })
}
