package toolcall_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/toolcall"
)

// FuzzParse: pieces add up to the text, calls stand in pieces of calls and are
// sound, and what was not read has a flag.
func FuzzParse(f *testing.F) {
	for _, c := range cases {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := jsonscan.Quote(s)
		r := parse(t, s, tools)
		at, calls, raw := 0, 0, false
		for i, p := range r.Pieces {
			if p.Start != at || p.End <= p.Start || p.Kind != toolcall.Call && p.Calls > 0 {
				t.Fatalf("piece %d: %+v after %d", i, p, at)
			}
			at, calls, raw = p.End, calls+p.Calls, raw || p.Kind == toolcall.Raw
		}
		if at != text.Len() || calls != len(r.Calls) {
			t.Fatalf("pieces end at %d of %d and hold %d of %d calls", at, text.Len(), calls, len(r.Calls))
		}
		for _, c := range r.Calls {
			if c.Name.Len() == 0 || !jsonscan.Valid(c.Name.AppendQuoted(nil)) || !jsonscan.Valid(c.Arguments.AppendQuoted(nil)) || !jsonscan.Valid(c.ID.AppendQuoted(nil)) {
				t.Fatalf("call %q %q %q", c.ID.Raw, c.Name.Raw, c.Arguments.Raw)
			}
		}
		flagged := false
		for _, name := range r.Flags {
			flagged = flagged || name != toolcall.FlagGuessed && name != toolcall.FlagUnmarked
		}
		if raw != flagged {
			t.Fatalf("raw pieces: %v, flags %q", raw, r.Flags)
		}
	})
}

// Markup over and over, none of it sound, takes linear time: eight times the text
// takes nowhere near sixty-four times as long.
func TestHostileMarkup(t *testing.T) {
	fastest := func(unit string, length int) time.Duration {
		text := jsonscan.Quote(strings.Repeat(unit, length/len(unit)))
		var p toolcall.Parser
		best := time.Hour
		for range 3 {
			begin := worked(t)
			p.Parse(text, jsonscan.Value{})
			best = min(best, worked(t)-begin)
		}
		return best
	}
	for _, unit := range []string{
		"<tool_call>", "<tool_call>{", `<tool_call>{"`, `<tool_call>{"a":[</tool_call>`, "<tool_call>f<arg_key>k</arg_key><arg_value>",
		"<tool_call><function=f><parameter=p>", "<|tool_call_begin|>", "<|tool_call_begin|>f<|tool_call_argument_begin|>{", "[TOOL_CALLS]", "[TOOL_CALLS][", "[TOOL_CALLS]f[ARGS]",
		"<|tool_calls_section_begin|>", "<｜tool▁call▁begin｜>", "<｜tool▁call▁begin｜>function<｜tool▁sep｜>", "\n<tool_call>x", "<minimax:tool_call><invoke name=\"",
		"<|channel|>", "<|start|>assistant to=f", "<|channel|> to=f<|message|>{",
		"<|tool_call>call:f{", `<|tool_call>call:f{s:<|"|>`, "<|tool_call_start|>[f(a=", "<|tools_prefix|>[", "<｜tool_call_begin｜>function<｜tool_sep｜>", "[f(a=1),", "commentary to=f{",
	} {
		short, long := fastest(unit, 25_000), fastest(unit, 200_000)
		if long > 24*short+100*time.Millisecond {
			t.Errorf("%q over and over: 25 kB take %v, 200 kB %v", unit, short, long)
		}
	}
}

// worked is the processor time of this process, which does not depend on what else
// the machine does.
func worked(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkParse(b *testing.B) {
	f := func(name, unit string) {
		b.Run(name, func(b *testing.B) {
			text := jsonscan.Quote(strings.Repeat(unit, 16_000/len(unit)))
			var p toolcall.Parser
			b.SetBytes(int64(text.Len()))
			b.ReportAllocs()
			for b.Loop() {
				p.Parse(text, jsonscan.Value{})
			}
		})
	}
	f("prose", "Wait, 3 is less than 5 and \"that\" once more.\n")
	f("markup", "<tr><td>[1]</td></tr>\n")
	f("calls", "<tool_call>\n{\"name\":\"f\",\"arguments\":{\"a\":1}}\n</tool_call>\n")
}
