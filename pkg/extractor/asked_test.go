package extractor_test

import (
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/provenance"
)

// asked is a line of a chat with this request, model, message and finish reason.
func asked(request, model, message, finish string) string {
	return `{"custom_id":"a","server_epoch":1,"request":{"body":` + request + `},"response":{"status_code":200,"body":{"model":"` + model +
		`","choices":[{"message":` + message + `,"finish_reason":"` + finish + `"}]}}}`
}

// What a request says of the thinking is told, by whatever field it says it.
func TestSwitches(t *testing.T) {
	f := func(request, model, want string) {
		t.Helper()
		s := line(t, extractor.Config{}, asked(request, model, `{"content":"4"}`, "stop")).Samples[0]
		if got := s.Status + " " + strings.Join(s.Extract.Flags, ","); got != want {
			t.Errorf("%s %s: got %s, want %s", model, request, got, want)
		}
	}
	const unknown, qwen = "missing auto:no-sign", "missing auto:model"
	f(`{"messages":[]}`, "local", unknown)
	f(`{"messages":[]}`, "Qwen3-8B", qwen)
	for _, off := range []string{
		`"chat_template_kwargs":{"enable_thinking":false}`, `"extra_body":{"chat_template_kwargs":{"thinking":false}}`, `"chat_template_args":{"enable_thinking":false}`,
		`"enable_thinking":false`, `"extra_body":{"enable_thinking":false}`, `"think":false`, `"thinking":{"type":"disabled"}`, `"reasoning":{"enabled":false}`,
		`"additionalModelRequestFields":{"thinking":{"type":"disabled"}}`, `"thinking_budget":0`, `"reasoning":{"max_tokens":0}`,
		`"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}`,
	} {
		f(`{`+off+`}`, "local", "absent auto:no-sign,off:request")
	}
	for _, on := range []string{
		`"chat_template_kwargs":{"thinking":true}`, `"thinking":{"type":"enabled","budget_tokens":1024}`, `"think":"high"`, `"prompt_mode":"reasoning"`, `"thinking_budget":512`,
	} {
		f(`{`+on+`}`, "local", unknown+",on:request")
	}
	for _, nothing := range []string{
		`"chat_template_kwargs":{"enable_thinking":null}`, `"thinking":{"type":"adaptive"}`, `"prompt_mode":null`, `"thinking_budget":-1`, `"reasoning_effort":null`, `"reasoning":{}`,
	} {
		f(`{`+nothing+`}`, "local", unknown)
	}
	f(`{"reasoning_effort":"none"}`, "local", "absent auto:no-sign,off:effort")
	f(`{"temperature":1,"r\u0065asoning_effort":"none"}`, "local", "absent auto:no-sign,off:effort")
	f(`{"reasoning":{"effort":"none"}}`, "local", "absent auto:no-sign,off:effort")
	f(`{"reasoning_effort":"high"}`, "openai/gpt-oss-20b", "missing auto:model,on:effort")
	f(`{"reasoning_effort":"none"}`, "mistralai/Magistral-Small-2509", "absent auto:model,off:effort")
	f(`{"chat_template_kwargs":{"reasoning_effort":"no_think"}}`, "tencent/Hy3", "absent auto:model,off:request")
	f(`{"reasoning_effort":"low","chat_template_kwargs":{"enable_thinking":false}}`, "Qwen3-8B", "absent auto:model,off:request")
	f(`{}`, "Qwen/Qwen3-30B-A3B-Instruct-2507", "absent auto:model,off:model")
	f(`{}`, "qwen-2.5-7b", "absent auto:no-sign,off:model")
	f(`{}`, "deepseek-ai/DeepSeek-V3.1", "absent auto:model,off:default")
	f(`{"chat_template_kwargs":{"thinking":true}}`, "deepseek-ai/DeepSeek-V3.1", "missing auto:model,on:request")

	// What users and systems write; not what a model answered, or a closing marker.
	const soft = "absent auto:model,off:soft"
	f(`{"messages":[{"role":"user","content":"2+2 /no_think"}]}`, "Qwen3-8B", soft)
	f(`{"messages":[{"role":"system","content":"\/no_think"},{"role":"user","content":"2+2"}]}`, "Qwen3-8B", soft)
	f(`{"messages":[{"role":"user","content":[{"type":"text","text":"2+2 /no_think"}]},{"role":"assistant","content":"<think>\n\n</think>4 /think"},{"role":"user","content":"3"}]}`, "Qwen3-8B", soft)
	f(`{"messages":[{"role":"user","content":"2+2 /no_think"},{"role":"user","content":"2+2 /think"}]}`, "Qwen3-8B", qwen)
	f(`{"messages":[{"role":"user","content":"2+2 /no_think </think>"}]}`, "Qwen3-8B", soft)
	f(`{"messages":[{"role":"user","content":"2+2 /nothink"}]}`, "zai-org/GLM-4.5", soft)
	f(`{"messages":[{"role":"user","content":"2+2 /no_think"}]}`, "local", unknown)

	// Thinking that was not to be sent.
	for _, hidden := range []string{`"reasoning":{"exclude":true}`, `"include_reasoning":false`, `"reasoning_format":"hidden"`} {
		f(`{`+hidden+`}`, "Qwen3-8B", qwen+",hidden:request")
	}
	f(`{"chat_template_kwargs":{"force_nonempty_content":true}}`, "Qwen3-8B", qwen+",filled:request")
}

// Whoever opened a thought that no marker opens is told.
func TestWhoOpened(t *testing.T) {
	f := func(c extractor.Config, request, model, content, finish, want string) {
		t.Helper()
		s := line(t, c, asked(request, model, `{"content":"`+content+`"}`, finish)).Samples[0]
		if got := show(&s); got != want {
			t.Errorf("%s %s %q:\n got %s\nwant %s", model, request, content, got, want)
		}
	}
	auto := extractor.Config{}
	f(auto, `{}`, "deepseek-r1", "t</think>a", "stop", "t|a present deepseek_r1 content auto:model,opened:template")
	f(auto, `{}`, "deepseek-r1", "<think>t</think>a", "stop", "t|a present deepseek_r1 content auto:model")
	f(auto, `{}`, "deepseek-r1", "cut", "length", "cut| truncated deepseek_r1 content auto:model,opened:template,no-closer")
	f(auto, `{}`, "Qwen3-8B", "t</think>a", "stop", "t|a present qwen3 content auto:model,no-opener")
	f(auto, `{}`, "Qwen3-8B", "cut", "length", "|cut missing qwen3  auto:model")
	f(auto, `{}`, "deepseek-r1", "plain", "stop", "|plain missing deepseek_r1  auto:model")
	f(extractor.Config{Rules: "sglang"}, `{}`, "Qwen3-8B", "t</think>a", "stop", "t|a present qwen3 content auto:model,opened:rules")
	for _, key := range []string{`"prefix":true`, `"partial":true`} {
		f(auto, `{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"<think>\nWell",`+key+`}]}`, "Qwen3-8B", ", 4.", "length",
			", 4.| truncated qwen3 content auto:model,opened:prompt,no-closer")
	}
	f(auto, `{"chat_template_kwargs":{"enable_thinking":false}}`, "nvidia/Nemotron-3-Nano", "cut", "length", "|cut absent nemotron_3  auto:model,off:request")
	f(auto, `{"messages":[{"role":"system","content":"/no_think"}]}`, "nvidia/Nemotron-3-Nano", "cut", "length", "|cut absent nemotron_3  auto:model,off:soft")
	f(auto, `{"messages":[{"role":"user","content":"/no_think"}]}`, "Qwen3-8B", "<think>t</think>a", "stop", "t|a present qwen3 content auto:model,off:soft,thought-anyway")
}

// Provenance tells the family and whether the server split.
func TestProvenance(t *testing.T) {
	servers := func(parsers ...string) *provenance.Archive {
		a := new(provenance.Archive)
		for n, parser := range parsers {
			a.Epochs = append(a.Epochs, provenance.Epoch{Number: n + 1, Server: provenance.Server{KnownParsers: parser != "?", ReasoningParser: strings.Trim(parser, "?")}})
		}
		return a
	}
	x, err := extractor.New(extractor.Config{})
	if err != nil {
		t.Fatal(err)
	}
	f := func(a *provenance.Archive, line, want string) {
		t.Helper()
		var d jsonscan.Doc
		if err := d.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		x.Provenance(a)
		r, err := x.Line(d.Root())
		if err != nil {
			t.Fatal(err)
		}
		if got := show(&r.Samples[0]); got != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
	}
	chat := func(model, content, finish string) string {
		return asked(`{}`, model, `{"content":"`+content+`"}`, finish)
	}
	kimi, none := servers("kimi_k2"), servers("")
	f(nil, chat("local", "plain", "stop"), "|plain missing none  auto:no-sign")
	f(kimi, chat("local", "plain", "stop"), "|plain missing kimi_k2  auto:manifest,split:manifest")
	f(kimi, chat("local", "t</think>a", "stop"), "t|a present kimi_k2 content auto:manifest,split:manifest,no-opener")
	f(none, chat("local", "<think>t</think>a", "stop"), "t|a present think content auto:markers,raw:manifest")
	f(servers("?"), chat("local", "plain", "stop"), "|plain missing none  auto:no-sign")
	f(servers("no_such"), chat("local", "plain", "stop"), "|plain missing none  auto:no-sign,split:manifest")

	// A content that was cut is a thought only where the server leaves it whole.
	f(none, chat("deepseek-r1", "cut", "length"), "cut| truncated deepseek_r1 content auto:model,raw:manifest,opened:template,no-closer")
	f(servers("deepseek-r1"), chat("deepseek-r1", "cut", "length"), "|cut missing deepseek_r1  auto:model,split:manifest")
	f(servers("minimax-append-think"), chat("local", "<think>t</think>a", "stop"), "t|a present minimax_append_think content auto:manifest,raw:manifest")
	f(servers("deepseek-r1"), asked(`{"separate_reasoning":false}`, "deepseek-r1", `{"content":"cut"}`, "length"),
		"cut| truncated deepseek_r1 content auto:model,raw:manifest,opened:template,no-closer")
	f(servers("deepseek-r1"), `{"custom_id":"a","server_epoch":1,"request":{"body":{}},"response":{"status_code":200,"body":{"model":"deepseek-r1","choices":[{"text":"cut","finish_reason":"length"}]}}}`,
		"cut| truncated deepseek_r1 text auto:model,raw:manifest,opened:template,no-closer")
	f(kimi, asked(`{}`, "local", `{"content":"a","reasoning_content":"t"}`, "stop"), "t|a present none reasoning_content ")

	f(servers("seed_oss"), asked(`{}`, "local", `{"content":"</seed:think>a","reasoning_content":"t"}`, "stop"), "t|a present none reasoning_content repeated-closer")
	f(nil, asked(`{}`, "local", `{"content":"</seed:think>a","reasoning_content":"t"}`, "stop"), "t|</seed:think>a present none reasoning_content ")

	// Each line is of its own epoch; one that does not say is of the only one.
	two := servers("qwen3", "")
	f(two, chat("local", "plain", "stop"), "|plain missing qwen3  auto:manifest,split:manifest")
	f(two, strings.Replace(chat("local", "plain", "stop"), `"server_epoch":1`, `"server_epoch":2`, 1), "|plain missing none  auto:no-sign,raw:manifest")
	f(two, strings.Replace(chat("local", "plain", "stop"), `"server_epoch":1,`, "", 1), "|plain missing none  auto:no-sign")
	f(kimi, strings.Replace(chat("local", "plain", "stop"), `"server_epoch":1,`, "", 1), "|plain missing kimi_k2  auto:manifest,split:manifest")
	f(kimi, strings.Replace(chat("local", "plain", "stop"), `"server_epoch":1`, `"server_epoch":7`, 1), "|plain missing none  auto:no-sign")
}

// Tokens of thinking without any thinking tell of markers that were erased.
func TestTokensWithoutThought(t *testing.T) {
	f := func(message, more, tokens, want string) {
		t.Helper()
		r := line(t, extractor.Config{}, `{"id":"a","response":{"model":"m","choices":[{"message":`+message+`,"finish_reason":"stop"}`+more+`],"usage":{"completion_tokens_details":{"reasoning_tokens":`+tokens+`}}}}`)
		if got := show(&r.Samples[0]); got != want {
			t.Errorf("%s %s: got %s, want %s", message, tokens, got, want)
		}
	}
	const without = ",tokens-without-thought"
	f(`{"content":"4"}`, "", "0", "|4 missing none  auto:no-sign")
	f(`{"content":"4"}`, "", "9", "|4 missing none  auto:no-sign"+without)
	f(`{"content":"4","reasoning_content":" "}`, "", "9", " |4 missing none reasoning_content empty-block"+without)
	f(`{"content":"<think>\n\n</think>4"}`, "", "1", "\n\n|4 missing think content auto:markers,empty-block")
	f(`{"content":"<think>\n\n</think>4"}`, "", "90", "\n\n|4 missing think content auto:markers,empty-block"+without)
	f(`{"content":"<think>t</think>4"}`, "", "9", "t|4 present think content auto:markers")
	f(`{"content":"4"}`, `,{"message":{"content":"4","reasoning":"t"}}`, "9", "|4 missing none  auto:no-sign")
	f(`{"content":"4"}`, `,{"message":{"content":"5"}}`, "9", "|4 missing none  auto:no-sign"+without)
}

// Where nothing is known of the thought, nothing is known of where the answer begins.
func TestTokensWithoutThoughtHaveNoAnswer(t *testing.T) {
	f := func(counted string, want int) {
		t.Helper()
		r := line(t, extractor.Config{}, `{"custom_id":"a","request":{"body":{"think":false}},"response":{"status_code":200,"body":{"prompt_token_ids":[1],"choices":[{"message":{"content":"4"},"token_ids":[7,8],"finish_reason":"stop"}],"usage":{"completion_tokens_details":{"reasoning_tokens":`+counted+`}}}}}`)
		if s := r.Samples[0]; s.AnswerTokenIndex != want || string(s.TokenIDs) != "[7,8]" {
			t.Errorf("%s tokens of thinking: answer at %d of %s, %s", counted, s.AnswerTokenIndex, s.TokenIDs, s.Status)
		}
	}
	f("0", 0)
	f("9", -1)
}
