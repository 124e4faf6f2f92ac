package check_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// sample reads a line of keys that differ from those of a good sample.
func sample(t testing.TB, line string) *record.Sample {
	t.Helper()
	var d jsonscan.Doc
	if err := d.Scan([]byte(line)); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	var s record.Sample
	s.Read(d.Root())
	v := d.Root()
	if !v.Get("id").Exists() {
		s.ID = record.StringID("a")
	}
	fill := func(key, good string, text *jsonscan.Text) {
		if !v.Get(key).Exists() {
			*text = jsonscan.Quote(good)
		}
	}
	fill("reasoning", "Let me see.", &s.Reasoning)
	fill("content", "So it is.", &s.Content)
	fill("finish_reason", "stop", &s.FinishReason)
	if s.Status == "" {
		s.Status = "present"
	}
	return &s
}

// found is what a policy finds: "rule" for a failure, "rule?" for a warning.
func found(p check.Policy, s *record.Sample) string {
	var names []string
	for _, f := range check.NewChecker(p).Check(s) {
		name := f.Rule
		if f.Level == check.Warn {
			name += "?"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

func TestCheck(t *testing.T) {
	f := func(line, want string) {
		t.Helper()
		if got := found(check.DefaultPolicy(), sample(t, line)); got != want {
			t.Errorf("%.200s: found %q, want %q", line, got, want)
		}
	}
	f(`{}`, "")
	f(`{"id":""}`, "missing-id")
	f(`{"id":0}`, "")

	// Thinking and answer.
	f(`{"reasoning":""}`, "empty-reasoning")
	f(`{"reasoning":" \n\t\r\u0020\u000a"}`, "empty-reasoning")
	f(`{"reasoning":"Hm.","content":"12"}`, "")
	f(`{"reasoning_status":"summary"}`, "empty-reasoning")
	f(`{"reasoning_status":"encrypted","reasoning":""}`, "empty-reasoning")
	f(`{"content":"\n"}`, "empty-content")
	f(`{"content":"","tool_calls":[{"name":"f","arguments":"{}"}]}`, "")
	f(`{"reasoning":"","content":""}`, "empty-reasoning empty-content")
	f(`{"reasoning":"...","content":"—"}`, "too-short?")
	f(`{"reasoning":"\u2014 \n"}`, "too-short?")
	f(`{"reasoning":"\u2026","content":"。"}`, "too-short?")
	f(`{"reasoning":"…","content":"`+strings.Repeat("。", 300)+`"}`, "repetition too-short?")
	for _, word := range []string{"é", `\u00e9`, "答", "٣", `\ud835\udfd8`, "½", "a", "7"} {
		f(`{"content":"— \n`+word+`"}`, "")
	}
	for _, blank := range []string{
		`\u00a0`, `\u200b`, `\u200B `, `\ufeff`, `\u3000`, `\u2028`, `\u0085`, `\u00ad`, `\u2060`, `\u200d`, `\u200e`,
		`\u180e`, `\u2800`, `\u3164`, `\u115f`, `\ufe0f`, `\udb40\udc20`, `\u202e`, `\u2063`,
	} {
		f(`{"reasoning":"`+blank+`"}`, "empty-reasoning")
		f(`{"content":"`+blank+`"}`, "empty-content")
		decoded := sample(t, `{"content":"`+blank+`"}`).Content.String()
		f(`{"content":"`+decoded+` "}`, "empty-content")
		f(`{"content":"`+decoded+`So"}`, "")
	}
	f(`{"content":"\u0000"}`, "bad-text empty-content")
	f(`{"content":"\"\n\\"}`, "too-short?")

	// How it ended: the cause is told, not what it empties.
	f(`{"finish_reason":"length"}`, "truncated")
	f(`{"finish_reason":"length","content":""}`, "truncated")
	f(`{"finish_reason":"MAX_TOKENS","reasoning":"","content":""}`, "truncated")
	f(`{"finish_reason":"length","reasoning":""}`, "truncated empty-reasoning")
	f(`{"reasoning_status":"truncated","content":""}`, "truncated")
	f(`{"reasoning_status":"truncated","reasoning":""}`, "truncated")
	f(`{"finish_reason":"content_filter","reasoning":"","content":""}`, "content-filter")
	f(`{"finish_reason":"refusal","content":""}`, "refusal")
	f(`{"finish_reason":"abort","content":""}`, "unfinished")
	f(`{"finish_reason":""}`, "unfinished?")
	f(`{"finish_reason":"","content":""}`, "unfinished? empty-content")
	f(`{"finish_reason":"lengthy"}`, "")
	f(`{"finish_reason":"ERROR_TOXIC"}`, "content-filter")
	f(`{"finish_reason":"pause_turn"}`, "unfinished")
	f(`{"reasoning_status":"suspect","content":""}`, "suspect-split")

	// Markers.
	for _, m := range []string{
		"<think>", "</think>", `\u003cthink\u003E`, `<\/think>`, "◁think▷", `\u25c1/think\u25B7`,
		"<|channel|>", "<|tool_calls_section_begin|>", "[THINK]", `\u005bTHINK]`, "<seed:think>", "<tool_call>",
		"<|im_end|>", "<|endoftext|>", "<｜end▁of▁sentence｜>", `<\uff5cAssistant\uff5c>`, "</arg_value>", "<|channel>", "[TOOL_CALLS]",
	} {
		f(`{"content":"So `+m+` it is."}`, "leaked-marker")
		f(`{"reasoning":"`+m+` Hm"}`, "leaked-marker")
		f(`{"content":"So it is.`+m+`\n"}`, "leaked-marker")
		f(`{"content":"The marker \"`+m+`\" is text."}`, "")
		f(`{"content":"The marker ('`+m+`') is text."}`, "")
		f("{\"content\":\"See `a "+m+" b` there.\"}", "")
		f("{\"content\":\"See:\\n```\\nx "+m+" y\\n```\\nDone.\"}", "")
		f("{\"content\":\"See:\\n```\\nx\\n```\\nDone "+m+" it is.\"}", "leaked-marker")
		f(`{"content":"Call f({\"text\": \"a `+m+` b\"}) here."}`, "")
		f(`{"content":"The log:\n> `+m+` Hm.\nIt is text."}`, "")
		f(`{"content":"In JSON: {\"a\": \"x\\n`+m+`\\ny\"} as a line."}`, "")
		f(`{"content":"He says \"begin with `+m+` and then think\" to me."}`, "leaked-marker?")
		f(`{"content":"Write `+m+`, then the thought."}`, "leaked-marker?")
		f(`{"content":"Write `+m+`, then `+m+` Hm."}`, "leaked-marker")
		f(`{"reasoning":"Write `+m+`, then.","content":"So `+m+` it is."}`, "leaked-marker")
		f(`{"content":"It is 5\" and `+m+` 6\" long."}`, "leaked-marker")
		f("{\"content\":\"See `a`\\n"+m+" and `b`.\"}", "leaked-marker")
		f(`{"content":"{\"text\": \"x `+m+` y\"}"}`, "")
		f(`{"content":"He wrote:\n> x\n> `+m+` y\nSo?"}`, "")
		f(`{"content":"\"So\" `+m+` it is, \"he\" said."}`, "leaked-marker")
	}
	// Tokens that end a text were sent with it; elsewhere some are HTML or prose.
	for _, m := range []string{"<turn|>", "<seed:eos>", "[e~[", "[|endofturn|]"} {
		f(`{"content":"So it is.`+m+`"}`, "leaked-marker")
		f(`{"content":"So `+m+` it is."}`, "leaked-marker")
	}
	for _, m := range []string{"</s>", `<\/s>`, `\u003c/s>`, "<eos>", "[EOS]"} {
		f(`{"content":"So it is.`+m+`"}`, "leaked-marker")
		f(`{"reasoning":"So it is. `+m+`\n\n"}`, "leaked-marker")
		f(`{"content":"So `+m+` it is."}`, "")
		f("{\"content\":\"The token `"+m+"`\"}", "")
	}
	f(`{"content":"<p>Not <s>six, but seven</s>"}`, "")
	f(`{"content":"a <b> [c] <|x|> f <| g |> h <|| <|a b c|> <think [/INS] 1 < 2"}`, "")
	f(`{"content":"x <|BEGIN_CODE|> y"}`, "leaked-marker")
	f(`{"messages":[{"role":"user","content":"use <|BEGIN_CODE|>"}],"content":"x <|BEGIN_CODE|> y"}`, "")
	f(`{"messages":[{"role":"user","content":"use <think>"}],"content":"x <think> y"}`, "leaked-marker")

	// What is left of markers: the name of a channel.
	f(`{"reasoning":"thought\nLet me see."}`, "leaked-marker")
	f(`{"reasoning":"analysis\nLet me see."}`, "leaked-marker")
	f(`{"reasoning":"thought alone"}`, "")

	// One text twice.
	thought := strings.Repeat("Let me see what seven is. ", 4)
	f(`{"reasoning":"`+thought+`","content":" `+thought+`\n"}`, "copied-text?")
	f(`{"reasoning":"`+thought+`","content":"`+thought+`\n\nIt is odd."}`, "copied-text?")
	f(`{"reasoning":"Hm. `+thought+`","content":"`+thought+`"}`, "copied-text?")
	f(`{"reasoning":"`+thought+`","content":"Let me see what six is. `+thought+`"}`, "")
	f(`{"reasoning":"So it is.","content":"So it is."}`, "")

	// Tool calls.
	call := func(name, arguments, want string) {
		t.Helper()
		f(`{"content":"","tool_calls":[{"name":`+name+`,"arguments":`+arguments+`}]}`, want)
	}
	call(`"f"`, `"{\"a\":{\"b\":[1]}}"`, "")
	call(`"f"`, `{"a":1}`, "")
	call(`" "`, `"{}"`, "bad-tool-call")
	call(`"f"`, `""`, "bad-tool-call")
	call(`"f"`, `"[1]"`, "bad-tool-call")
	call(`"f"`, `"\"{}\""`, "bad-tool-call")
	call(`"f"`, `"{} {}"`, "bad-tool-call")
	call(`"f"`, `"{'a':1}"`, "bad-tool-call")
	call(`"f"`, `"{\"a\":\"cut"`, "bad-tool-call")
	call(`"f"`, `"{\"a\":1,\"a\":2}"`, "bad-tool-call")
	call(`"f"`, `"{\"x\":[{\"a\":1,\"\\u0061\":2}]}"`, "bad-tool-call")
	f(`{"finish_reason":"length","content":"","tool_calls":[{"name":"f","arguments":"{\"a\":\"cut"}]}`, "truncated")
	f(`{"finish_reason":"length","content":"","tool_calls":[{"name":"f","arguments":"{'a':1}"}]}`, "truncated bad-tool-call")
	f(`{"finish_reason":"stop","content":"a","extract":{"flags":["malformed-call"]}}`, "bad-tool-call")
	f(`{"finish_reason":"stop","content":"a","extract":{"flags":["unparsed-call"]}}`, "bad-tool-call")
	f(`{"finish_reason":"length","content":"a","extract":{"flags":["malformed-call"]}}`, "truncated")

	// Characters.
	for _, c := range []string{`\u0000`, `\b`, `\f`, `\u001b[31m`, `\u001B`, "\x7f", `\u007f`, "\uFFFD", `\uFFFD`, `\ufffd`, `\ud800`, `\udc00`, `\ud800\ud800\udc00`, `\ud83dx`} {
		f(`{"content":"ab`+c+`cd"}`, "bad-text")
		f(`{"reasoning":"ab\n`+c+`"}`, "bad-text")
		f(`{"tool_calls":[{"name":"f","arguments":"{\"a\":\"`+c+`\"}"}]}`, badArguments(c))
	}
	for _, c := range []string{`\n\t\r`, `\\b \\frac \\u0000 \\\\f`, `\ud83d\ude00`, `\uD83D\uDE00`, "😀", `\u00e9\"\/`, "ï¿½", "￼"} {
		f(`{"content":"ab`+c+`cd"}`, "")
	}

	// Token counts.
	usage := func(u, want string) {
		t.Helper()
		f(`{"usage":`+u+`}`, want)
	}
	usage(`{"prompt_tokens":5,"completion_tokens":7,"total_tokens":12}`, "")
	usage(`{"prompt_tokens":5,"completion_tokens":7,"total_tokens":13}`, "token-mismatch?")
	usage(`{"prompt_tokens":5,"completion_tokens":7,"reasoning_tokens":9,"total_tokens":21}`, "")
	usage(`{"completion_tokens":900}`, "token-mismatch?")
	usage(`{"completion_tokens":-1,"total_tokens":12}`, "")
	f(`{"usage":{"completion_tokens":1},"content":"`+strings.Repeat("ten bytes ", 30)+`"}`, "repetition token-mismatch?")
	f(`{"usage":{"completion_tokens":900,"reasoning_tokens":850},"reasoning":""}`, "empty-reasoning")

	// Token ids.
	ids := func(ids, usage, want string) {
		t.Helper()
		f(`{"prompt_token_ids":[1,2],"answer_token_index":1,"token_ids":`+ids+`,"usage":`+usage+`}`, want)
	}
	ids(`[1,2,3,4]`, `{"completion_tokens":4,"prompt_tokens":2}`, "")
	ids(`[1, 2, 3]`, `{"completion_tokens":4}`, "")
	ids(`[1,2,3,4]`, `{}`, "")
	ids(`[1,2,3,4]`, `{"completion_tokens":2}`, "token-mismatch?")
	ids(`[1,2,3,4]`, `{"completion_tokens":6}`, "token-mismatch?")
	ids(`[1,2,3,4]`, `{"completion_tokens":12}`, "") // of several choices
	ids(`[1,2,3,4]`, `{"completion_tokens":4,"prompt_tokens":3}`, "token-mismatch?")
	ids(`[1,-2]`, `{}`, "token-mismatch?")
	ids(`[1,2.5]`, `{}`, "token-mismatch?")
	ids(`["1"]`, `{}`, "token-mismatch?")
	ids(`[]`, `{}`, "token-mismatch?")
	ids(`[`+strings.Repeat("7,", 200)+`7]`, `{}`, "token-mismatch?")
	f(`{"token_ids":[1,2],"answer_token_index":9}`, "token-mismatch?")
}

// badArguments: a raw control byte makes arguments no JSON as well.
func badArguments(c string) string {
	if strings.HasPrefix(c, `\u00`) && c != `\u007f` || c == `\b` || c == `\f` {
		return "bad-text bad-tool-call"
	}
	if strings.HasPrefix(c, `\ud`) {
		return "bad-text bad-tool-call"
	}
	return "bad-text"
}

// Facts that a sample has no field for stand in its flags.
func TestCheckFlags(t *testing.T) {
	f := func(line, want string) {
		t.Helper()
		if got := found(check.DefaultPolicy(), sample(t, line)); got != want {
			t.Errorf("found %q, want %q", got, want)
		}
	}
	f(`{"finish_reason":"","extract":{"flags":["null-finish"]}}`, "unfinished")
	f(`{"finish_reason":"","content":"","extract":{"flags":["null-finish"]}}`, "unfinished")
	f(`{"extract":{"flags":["no-id","simulated"]}}`, "simulated")
	f(`{"extract":{"flags":["malformed-tool-calls"]}}`, "bad-tool-call")
	f(`{"extract":{"flags":["duplicate-key-in-arguments"]}}`, "bad-tool-call")
	f(`{"extract":{"flags":["event-after-end"]}}`, "bad-json")
	f(`{"extract":{"flags":["text-after-finish"]}}`, "text-after-finish?")
	f(`{"extract":{"flags":["repeated-closer"]}}`, "leaked-marker?")
	f(`{"extract":{"flags":["erased-markers"]}}`, "erased-marker?")

	// Thinking that the request switched off is not missed; all else is told.
	off := `"reasoning":"","extract":{"flags":["off:request"]},"reasoning_status":`
	for _, flag := range []string{"off:effort", "off:soft", "off:prompt"} {
		f(`{"reasoning":"","extract":{"flags":["`+flag+`"]},"reasoning_status":"absent"}`, "")
	}
	for _, flag := range []string{"off:model", "off:default"} {
		f(`{"reasoning":"","extract":{"flags":["`+flag+`"]},"reasoning_status":"absent"}`, "empty-reasoning")
	}
	f(`{`+off+`"absent"}`, "")
	f(`{`+off+`"absent","content":""}`, "empty-content")
	f(`{`+off+`"missing","usage":{"reasoning_tokens":9}}`, "empty-reasoning")
	f(`{"reasoning":"","reasoning_status":"absent"}`, "empty-reasoning")
	f(`{"reasoning":"","content":"","extract":{"flags":["refusal"]}}`, "refusal")
}

func TestPolicy(t *testing.T) {
	f := func(require string, levels map[string]check.Level, line, want string) {
		t.Helper()
		p := check.DefaultPolicy()
		var err error
		if p.Require, err = check.ParseRequire(require); err != nil {
			t.Fatal(err)
		}
		for rule, level := range levels {
			if err := p.Set(rule, level); err != nil {
				t.Fatal(err)
			}
		}
		if got := found(p, sample(t, line)); got != want {
			t.Errorf("found %q, want %q", got, want)
		}
	}
	type levels = map[string]check.Level
	f("optional", nil, `{"reasoning":""}`, "")
	f("no-reasoning", nil, `{}`, "unexpected-reasoning")
	f("no-reasoning", nil, `{"reasoning":"\n"}`, "")
	f("optional", nil, `{"reasoning_status":"summary"}`, "")

	// Erased markers: told where empty reasoning alone is none of our business.
	f("optional", nil, `{"reasoning":"","usage":{"reasoning_tokens":850}}`, "erased-marker?")
	f("no-reasoning", nil, `{"reasoning":"","content":"Okay, so the user asks for seven."}`, "erased-marker?")
	f("optional", nil, `{"reasoning":"","content":" \nHmm, seven."}`, "erased-marker?")
	f("optional", nil, `{"reasoning":"","content":"嗯，七。"}`, "erased-marker?")
	f("optional", nil, `{"reasoning":"Hm.","content":"Okay, so the user asks for seven."}`, "")
	f("optional", nil, `{"reasoning":"","content":"Okay, seven it is."}`, "")
	f("optional", nil, `{"reasoning_status":"encrypted","reasoning":"","usage":{"reasoning_tokens":850}}`, "")
	f("optional", levels{"erased-marker": check.Fail}, `{"reasoning":"","content":"Hmm, seven."}`, "erased-marker")
	f("reasoning", nil, `{"reasoning":"","content":"Okay, so the user asks for seven."}`, "empty-reasoning")

	// Naming a rule makes its soft findings weigh as much as the others.
	f("reasoning", levels{"unfinished": check.Fail}, `{"finish_reason":""}`, "unfinished")
	f("reasoning", levels{"unfinished": check.Off}, `{"finish_reason":""}`, "")
	f("reasoning", levels{"unfinished": check.Warn}, `{"finish_reason":"abort"}`, "unfinished?")

	// A cause that does not fail explains nothing.
	f("reasoning", levels{"truncated": check.Warn}, `{"finish_reason":"length","content":""}`, "truncated? empty-content")
	f("reasoning", levels{"truncated": check.Off}, `{"finish_reason":"length","content":""}`, "empty-content")
	f("reasoning", levels{"truncated": check.Off}, `{"finish_reason":"length"}`, "")
}

func TestUnknownRule(t *testing.T) {
	f := func(name, want string) {
		t.Helper()
		p := check.DefaultPolicy()
		if err := p.Set(name, check.Fail); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	f("truncted", `unknown rule "truncted" (near: truncated)`)
	f("empty", `unknown rule "empty" (near: empty-reasoning, empty-content)`)
	f("xyzzyxyzzy", `unknown rule "xyzzyxyzzy"`)
	f("", `unknown rule ""`)
}

// The contract names most rules and their levels. A rule that it does not name
// fails nothing by itself.
func TestRules(t *testing.T) {
	want := map[string]check.Level{}
	for _, name := range strings.Fields("empty-reasoning unexpected-reasoning empty-content leaked-marker bad-tool-call bad-text bad-json " +
		"truncated unfinished content-filter refusal repetition suspect-split " +
		"missing-id duplicate-id missing-response unknown-id duplicate-answer simulated") {
		want[name] = check.Fail
	}
	for _, name := range strings.Fields("mixed-models mixed-epochs token-mismatch too-short " +
		"erased-marker copied-sample text-after-finish copied-text") {
		want[name] = check.Warn
	}
	want["not-specforge"] = check.Off
	for r := range check.Rules() {
		if level, ok := want[r.Name]; !ok || level != r.Level || r.Meaning == "" || r.Example == "" {
			t.Errorf("rule %+v: want level %v, a meaning and an example", r, level)
		}
		delete(want, r.Name)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}

// A good sample costs no allocation.
func TestCheckAllocates(t *testing.T) {
	s := sample(t, goodLine(17_000))
	c, d := check.NewChecker(check.DefaultPolicy()), check.NewDigester()
	account := check.NewAccount(check.DefaultPolicy())
	allocs := testing.AllocsPerRun(100, func() {
		if f := c.Check(s); len(f) > 0 {
			t.Fatalf("found %v", f)
		}
		digest := d.Of(s, 1)
		account.Add(&digest)
	})
	if allocs > 1 { // the finding of the second answer has no text of its own
		t.Errorf("%v allocations", allocs)
	}
}

// goodLine is a sample of about n bytes of prose, LaTeX and code.
func goodLine(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, `Step %d: we take the %d-th term, $\\frac{%d}{%d}$, and \"add\" it.\nfor i := %d; i < n; i++ { s[i] = '<' }\n`, i, i*7, i+1, i*i+3, i)
	}
	return `{"id":"a","reasoning":"` + b.String() + `","content":"So it is.","tool_calls":[],"finish_reason":"stop","model":"m","usage":{},"reasoning_status":"present"}`
}

func BenchmarkCheck(b *testing.B) {
	line := goodLine(17_000)
	s := sample(b, line)
	c := check.NewChecker(check.DefaultPolicy())
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		c.Check(s)
	}
}

func BenchmarkDigest(b *testing.B) {
	line := goodLine(17_000)
	s := sample(b, line)
	d := check.NewDigester()
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		d.Of(s, 0)
	}
}

func ExampleChecker() {
	var doc jsonscan.Doc
	doc.Scan([]byte(`{"id":"q7","reasoning":"Listing primes: 2, 3, 5,","content":"","finish_reason":"length","reasoning_status":"truncated"}`))
	var s record.Sample
	s.Read(doc.Root())
	c := check.NewChecker(check.DefaultPolicy())
	for _, f := range c.Check(&s) {
		fmt.Println(f.Level, f.Rule+":", f.Detail)
	}
	// Output: fail truncated: finish reason "length" inside the thought
}
