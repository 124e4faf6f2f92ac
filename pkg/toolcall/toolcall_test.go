package toolcall_test

import (
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/toolcall"
)

const tools = `[{"type":"function","function":{"name":"f","parameters":{"properties":{"s":{"type":"string"},"n":{"type":"integer"},"any":{}}}}},{"name":"get_1","input_schema":{}}]`

// show is a result in one line: pieces as text, [calls] and {raw}, then the calls, then the flags.
func show(text string, r *toolcall.Result) string {
	t := jsonscan.Quote(text)
	var b strings.Builder
	for _, p := range r.Pieces {
		s := t.Slice(p.Start, p.End).String()
		switch p.Kind {
		case toolcall.Call:
			s = "[" + strings.Repeat("c", p.Calls) + "]"
		case toolcall.Raw:
			s = "{" + s + "}"
		}
		b.WriteString(s)
	}
	for _, c := range r.Calls {
		b.WriteString(" | " + c.ID.String() + " " + c.Name.String() + " " + c.Arguments.String())
	}
	return strings.Join(append([]string{b.String()}, r.Flags...), " ")
}

func parse(t testing.TB, text, tools string) *toolcall.Result {
	t.Helper()
	var d jsonscan.Doc
	if tools != "" {
		if err := d.Scan([]byte(tools)); err != nil {
			t.Fatal(err)
		}
	}
	var p toolcall.Parser
	return p.Parse(jsonscan.Quote(text), d.Root())
}

// cases are texts and what is in them; fuzzing starts from them, too.
var cases = []struct{ name, text, want string }{
	{"nothing", "", ""},
	{"text", "a < b [c] <td>", "a < b [c] <td>"},

	{"kimi", `<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"s": "a"}<|tool_call_end|><|tool_calls_section_end|>`, `[c] | functions.f:0 f {"s": "a"}`},
	{"kimi, two with space", "So.\n<|tool_calls_section_begin|> <|tool_call_begin|> f:0 <|tool_call_argument_begin|> {} <|tool_call_end|>\n<|tool_call_begin|>functions.g.h:12<|tool_call_argument_begin|>{\n}<|tool_call_end|> <|tool_calls_section_end|>", "So.\n[cc] | f:0 f {} | functions.g.h:12 g.h {\n}"},
	{"kimi, bare and singular", `<|tool_call_section_begin|><|tool_call_begin|>f<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_call_section_end|>`, `[c] | f f {}`},
	{"kimi, sanitised", `<|tool_call_begin|>functions_get_weather_1<|tool_call_argument_begin|>{}<|tool_call_end|>`, `[c] | functions_get_weather_1 get_weather {}`},
	{"kimi, sanitised without prefix", `<|tool_call_begin|>f_3<|tool_call_argument_begin|>{}<|tool_call_end|>`, `[c] | f_3 f {}`},
	{"kimi, a name that ends in a number", `<|tool_call_begin|>get_1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_call_begin|>has_2<|tool_call_argument_begin|>{}<|tool_call_end|>`, `[cc] | get_1 get_1 {} | has_2 has_2 {}`},
	{"kimi, delimiter in a string", `<|tool_call_begin|>f:0<|tool_call_argument_begin|>{"s":"<|tool_call_end|> \\\" {"}<|tool_call_end|>after`, `[c]after | f:0 f {"s":"<|tool_call_end|> \\\" {"}`},
	{"kimi, no arguments", `<|tool_call_begin|>f:0<|tool_call_argument_begin|><|tool_call_end|>`, `[c] | f:0 f {}`},
	{"kimi, cut", `<|tool_calls_section_begin|><|tool_call_begin|>f:0<|tool_call_argument_begin|>{"s":"a`, `[]{<|tool_call_begin|>f:0<|tool_call_argument_begin|>{"s":"a} malformed-call`},
	{"kimi, one of two is broken", `<|tool_call_begin|>f:0<|tool_call_argument_begin|>{s}<|tool_call_end|><|tool_call_begin|>f:1<|tool_call_argument_begin|>{}<|tool_call_end|>`, `{<|tool_call_begin|>f:0<|tool_call_argument_begin|>{s}<|tool_call_end|>}[c] | f:1 f {} malformed-call`},
	{"kimi, no name", `<|tool_call_begin|>functions.:0<|tool_call_argument_begin|>{}<|tool_call_end|>`, `{<|tool_call_begin|>functions.:0<|tool_call_argument_begin|>{}<|tool_call_end|>} malformed-call`},
	{"kimi, no argument marker", `<|tool_call_begin|>f:0<|tool_call_end|><|tool_call_begin|>f:1<|tool_call_argument_begin|>{}<|tool_call_end|>`, `{<|tool_call_begin|>f:0<|tool_call_end|>}[c] | f:1 f {} malformed-call`},

	{"hermes", "Sure.\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"n\": 1}}\n</tool_call>\n<tool_call>\n{\"name\": \"g\"}\n</tool_call>\nDone.", "Sure.\n[cc]\nDone. |  f {\"n\": 1} |  g {}"},
	{"hermes, arguments in a string", `<tool_call>{"id":"x","name":"f","arguments":"{\"n\":1}"}</tool_call>`, `[c] | x f {"n":1}`},
	{"hermes, delimiter in a string", `<tool_call>{"name":"f","arguments":{"s":"</tool_call> <tool_call>"}}</tool_call>`, `[c] |  f {"s":"</tool_call> <tool_call>"}`},
	{"hermes, the OpenAI form", `<tool_call>{"type":"function","function":{"name":"f","arguments":"{}"}}</tool_call>`, `[c] |  f {}`},
	{"hermes, ended by the end", `<tool_call>{"name":"f","arguments":{}}`, `[c] |  f {}`},
	{"hermes, no name", `a<tool_call>{"arguments":{}}</tool_call>b`, `a{<tool_call>{"arguments":{}}</tool_call>}b malformed-call`},
	{"hermes, no JSON", "a\n<tool_call>\nweather, please\n</tool_call>b", "a\n{<tool_call>\nweather, please\n</tool_call>}b malformed-call"},
	{"hermes, not closed before the next", `<tool_call>{"name":<tool_call>{"name":"f"}</tool_call>`, `{<tool_call>{"name":}[c] |  f {} malformed-call`},
	{"hermes, something after it", `<tool_call>{"name":"f"} so</tool_call>`, `{<tool_call>{"name":"f"} so</tool_call>} malformed-call`},
	{"hermes, cut", `<tool_call>{"name":"f","argu`, `{<tool_call>{"name":"f","argu} malformed-call`},
	{"a mention", "The <tool_call> tag and </tool_call> wrap JSON.", "The <tool_call> tag and </tool_call> wrap JSON."},
	{"quoted", "`<tool_call>{\"name\":\"f\"}</tool_call>` is Hermes.", "`<tool_call>{\"name\":\"f\"}</tool_call>` is Hermes."},
	{"fenced", "```\n<tool_call>{\"name\":\"f\"}</tool_call>\n```\n<tool_call>{\"name\":\"g\",\"arguments\":{\"s\":\"```\"}}</tool_call><tool_call>{\"name\":\"h\"}</tool_call>", "```\n<tool_call>{\"name\":\"f\"}</tool_call>\n```\n[cc] |  g {\"s\":\"```\"} |  h {}"},

	{"granite", `<function_call> {"name": "f", "arguments": {"n": 1}} <function_call> {"name": "g", "arguments": {}}`, `[cc] |  f {"n": 1} |  g {}`},
	{"granite, a mention", "The <function_call> tag.", "The <function_call> tag."},

	{"functions", "<tool_call>\n<function=f>\n<parameter=s>\n5\n</parameter>\n<parameter=n>\n5\n</parameter>\n<parameter=any>\n{\"a\": [1]}\n</parameter>\n</function>\n</tool_call>", `[c] |  f {"s":"5","n":5,"any":{"a": [1]}} guessed-types`},
	{"functions, text", "<tool_call><function=g><parameter=k>\n\n a \"b\"\n</parameter> \n\n</parameter></function></tool_call>", `[c] |  g {"k":"\n a \"b\"\n</parameter> \n"}`},
	{"functions, none", "<tool_call>\n<function=g>\n</function>\n</tool_call>", `[c] |  g {}`},
	{"functions, a name that is none", "<tool_call>\n<function=f(s: \".\")\n</parameter>\n</function>", "{<tool_call>\n<function=f(s: \".\")\n</parameter>\n</function>} malformed-call"},
	{"functions, cut", "<tool_call>\n<function=g>\n<parameter=k>\nx", "{<tool_call>\n<function=g>\n<parameter=k>\nx} malformed-call"},
	{"seed", "<seed:tool_call>\n<function=f>\n<parameter=n>1</parameter>\n</function>\n</seed:tool_call>", `[c] |  f {"n":1}`},
	{"minimax", "<minimax:tool_call>\n<invoke name=\"f\">\n<parameter name=\"s\">1</parameter>\n</invoke>\n<invoke name=\"g\">\n</invoke>\n</minimax:tool_call>", `[cc] |  f {"s":"1"} |  g {}`},

	{"glm", "<tool_call>f\n<arg_key>s</arg_key>\n<arg_value>5</arg_value>\n<arg_key>n</arg_key>\n<arg_value>5</arg_value>\n</tool_call>", `[c] |  f {"s":"5","n":5}`},
	{"glm 4.7", "<tool_call>now</tool_call><tool_call>f<arg_key>s</arg_key><arg_value></arg_value></arg_value></tool_call>", `[cc] |  now {} |  f {"s":"</arg_value>"}`},
	{"glm, a key without a value", "<tool_call>f<arg_key>s</arg_key></tool_call>", `{<tool_call>f<arg_key>s</arg_key></tool_call>} malformed-call`},

	{"lists in JSON", `<TOOLCALL>[{"name":"f","arguments":{"n":1}},{"name":"g","arguments":{}}]</TOOLCALL>`, `[cc] |  f {"n":1} |  g {}`},
	{"cohere", `<|START_ACTION|>[{"tool_call_id":"0","tool_name":"f","parameters":{}}]<|END_ACTION|>`, `[c] | 0 f {}`},
	{"llama", `<|python_tag|>{"name":"f","parameters":{}}`, `[c] |  f {}`},
	{"mistral", `[TOOL_CALLS] [{"name":"f","arguments":{},"id":"123456789"}]`, `[c] | 123456789 f {}`},
	{"mistral 3", `[TOOL_CALLS]f[CALL_ID]9[ARGS]{"n":1}[TOOL_CALLS]g[ARGS]{}`, `[cc] | 9 f {"n":1} |  g {}`},
	{"mistral, no arguments", `[TOOL_CALLS]f`, `{[TOOL_CALLS]f} malformed-call`},
	{"deepseek", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{\"n\": 1}<｜tool▁call▁end｜><｜tool▁calls▁end｜>", `[c] |  f {"n": 1}`},
	{"deepseek v3", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n```json\n{\"n\": 1}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>g\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>", `[cc] |  f {"n": 1} |  g {}`},

	{"deepseek v3.2", "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"s\" string=\"true\">5</｜DSML｜parameter>\n<｜DSML｜parameter name=\"k\" string=\"false\">[5]</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name=\"g\">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>", `[cc] |  f {"s":"5","k":[5]} |  g {}`},
	{"deepseek v3.2, cut", "a<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"s\" string=\"tr", "a{<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"s\" string=\"tr} malformed-call"},

	{"harmony", `<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"n":1}<|call|>`, `[c] |  f {"n":1}`},
	{"harmony, recipient first", `<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{}<|end|><|channel|>analysis to=g<|message|>{}`, `[cc] |  f {} |  g {}`},
	{"harmony, no call", `<|channel|>final<|message|>a to=b<|end|>`, `<|channel|>final<|message|>a to=b<|end|>`},
	{"harmony, no JSON", `<|channel|>analysis to=python code<|message|>print(1)<|call|>`, `{<|channel|>analysis to=python code<|message|>print(1)<|call|>} malformed-call`},

	{"harmony, after the prompt", ` to=functions.f<|channel|>commentary json<|message|>{"n":1}<|call|>`, `[c] |  f {"n":1}`},
	{"harmony, markers erased", `assistantcommentary to=functions.f json{"s":"{"}`, `[c] |  f {"s":"{"}`},
	{"harmony, two, erased", `commentary to=f {}assistantcommentary to=functions.get_1json{}`, `[cc] |  f {} |  get_1 {}`},
	{"harmony, erased, something else", `commentary to=the editor {"n":1}`, `commentary to=the editor {"n":1}`},

	{"gemma", `a<|tool_call>call:f{s:<|"|>x "y": {<|"|>,n:-3.5,b:true,a:[1,{k : null}]}<tool_call|>b`, `a[c]b |  f {"s":"x \"y\": {","n":-3.5,"b":true,"a":[1,{"k" : null}]}`},
	{"gemma, none, two", `<|tool_call>call:f{}<tool_call|><|tool_call>call:g.h{}<tool_call|>`, `[cc] |  f {} |  g.h {}`},
	{"gemma, another form", `<|tool_call>call:f(s: "x"){}<tool_call|>`, `{<|tool_call>call:f(s: "x"){}<tool_call|>} malformed-call`},
	{"gemma, cut", `<|tool_call>call:f{s:<|"|>x`, `{<|tool_call>call:f{s:<|"|>x} malformed-call`},
	{"lfm", `<|tool_call_start|>[f(n=1, s="x"), g()]<|tool_call_end|>Done.`, `[cc]Done. |  f {"n":1,"s":"x"} |  g {}`},
	{"lfm, cut", `<|tool_call_start|>[f(n=1`, `{<|tool_call_start|>[f(n=1} malformed-call`},
	{"apertus", `<|tools_prefix|>[{"f": {"n": 1}}, {"g": {}}]<|tools_suffix|>`, `[cc] |  f {"n": 1} |  g {}`},
	{"apertus, cut", `a<|tools_prefix|>[{"f":{`, `a{<|tools_prefix|>[{"f":{} malformed-call`},
	{"step3", `<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="f"><steptml:parameter name="s">5</steptml:parameter><steptml:parameter name="n">5</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>`, `[c] |  f {"s":"5","n":5}`},

	{"xlam", "\n{\"tool_calls\": [{\"name\": \"f\", \"arguments\": {\"n\": 1}}, {\"name\": \"g\", \"arguments\": {}}]}", `[cc] |  f {"n": 1} |  g {}`},
	{"xlam, none", `{"tool_calls": []}`, `{"tool_calls": []}`},
	{"bare JSON", `{"name": "f", "parameters": {"n": 1}}`, `[c] |  f {"n": 1}`},
	{"bare JSON, a list", `[{"name":"f","arguments":{}},{"name":"get_1","arguments":{}}]`, `[cc] |  f {} |  get_1 {}`},
	{"bare JSON, no tool", `{"name": "Ann", "parameters": {"n": 1}}`, `{"name": "Ann", "parameters": {"n": 1}}`},
	{"bare JSON, more keys", `{"name": "f", "parameters": {}, "age": 3}`, `{"name": "f", "parameters": {}, "age": 3}`},
	{"pythonic", "\n\n[f(s='it\\'s', n=-1.5e3, any={'k': [True, None, (1, 2,)], \"l\": \"\\u00e9\\q\",}), get_1()]", `[cc] |  f {"s":"it's","n":-1.5e3,"any":{"k":[true,null,[1,2]],"l":"é\\q"}} |  get_1 {}`},
	{"pythonic, a dict", "[f({'n': 1}), get_1({})]", `[cc] |  f {"n":1} |  get_1 {}`},
	{"pythonic, no tool", "[h(a=1)]", "[h(a=1)]"},
	{"pythonic, broken", "[f(s='x), f(s='y')]", "{[f(s='x), f(s='y')]} malformed-call"},
	{"pythonic, a list of something else", "[f(x) for x in y]", "[f(x) for x in y]"},
	{"glm-4", "f\n{\"n\": 1}", `[c] |  f {"n": 1}`},
	{"glm-4, no tool", "Result\n{\"n\": 1}", "Result\n{\"n\": 1}"},

	{"hunyuan", "<tool_calls>\n<tool_call>f<tool_sep>\n<arg_key>s</arg_key>\n<arg_value>5</arg_value>\n</tool_call>\n<tool_call>g<tool_sep></tool_call></tool_calls>", `[cc] |  f {"s":"5"} |  g {}`},
	{"hunyuan, cut", "a<tool_calls><tool_call>f<tool_sep><arg_key>", "a{<tool_calls><tool_call>f<tool_sep><arg_key>} malformed-call"},
	{"kimi k3", `a<|open|>tools<|sep|><|open|>call tool="f" index="1"<|sep|><|open|>argument key="s" type="string"<|sep|>5<|close|>argument<|sep|><|open|>argument key="n" type="number"<|sep|>5<|close|>argument<|sep|><|close|>call<|sep|><|open|>call tool="g"<|sep|><|open|>json type="object"<|sep|>{"k": 1}<|close|>json<|sep|><|close|>call<|sep|><|close|>tools<|sep|>b`, `a[cc]b | 1 f {"s":"5","n":5} |  g {"k": 1}`},
	{"kimi k3, cut", `a<|open|>tools<|sep|><|open|>call tool="f`, `a{<|open|>tools<|sep|><|open|>call tool="f} malformed-call`},
	{"minimax m3", "a]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"f\">]<]minimax[>[<s>5]<]minimax[>[</s>]<]minimax[>[<n>5]<]minimax[>[</n>\n]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>b", `a[c]b |  f {"s":"5","n":5}`},
	{"minimax m3, cut", "a]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke", "a{]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke} malformed-call"},
}

func TestParse(t *testing.T) {
	for _, c := range cases {
		if got := show(c.text, parse(t, c.text, tools)); got != c.want {
			t.Errorf("%s: %s\n got %s\nwant %s", c.name, c.text, got, c.want)
		}
	}
}

// Of a text that is known to be markup nothing is text.
// What a sentence mentions is text, whatever the marker.
func TestMentions(t *testing.T) {
	f := func(text string) {
		t.Helper()
		if got := show(text, parse(t, text, tools)); got != text {
			t.Errorf("%s\n got %s", text, got)
		}
	}
	for _, marker := range []string{
		"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", "<|tool_call_begin|>", "<tool_call>", "<seed:tool_call>", "<minimax:tool_call>",
		"<TOOLCALL>", "<tool_calls>", "<|START_ACTION|>", "<|content_invoke_tool_json|>", "<|python_tag|>", "<function_call>", "[TOOL_CALLS]",
		"<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>", "<｜tool▁call▁begin｜>", "<｜DSML｜function_calls>", "<|tool_call>", "<|tool_call_start|>",
		"<|tools_prefix|>", "<｜tool_calls_begin｜>", "<｜tool_call_begin｜>function<｜tool_sep｜>", "<|open|>tools<|sep|>",
	} {
		f("The marker " + marker + " begins or ends it.\n\nSo it is.")
		f("It is " + marker + ", or " + marker + ". So it is.")
	}
	f("Write <tool_call> and </tool_call> around JSON.")
	f("[TOOL_CALLS] is Mistral's.")
}

func TestParseMarkup(t *testing.T) {
	var p toolcall.Parser
	f := func(text, want string) {
		t.Helper()
		if got := show(text, p.ParseMarkup(jsonscan.Quote(text), jsonscan.Value{})); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
	f("", "")
	f("<|call|>", "{<|call|>} malformed-call")
	f(`<|channel|>commentary to=f<|message|>{}<|call|>`, `[c] |  f {}`)
}

// Without tools, types are guessed, and a flag says so where it matters.
func TestTypesWithoutTools(t *testing.T) {
	text := "<tool_call>f<arg_key>s</arg_key><arg_value>5</arg_value><arg_key>t</arg_key><arg_value>\"q\"</arg_value></tool_call>"
	if got, want := show(text, parse(t, text, "")), `[c] |  f {"s":5,"t":"\"q\""} guessed-types`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Without tools, what has the form of a call is one, and a flag says so.
func TestUnmarkedWithoutTools(t *testing.T) {
	f := func(text, want string) {
		t.Helper()
		if got := show(text, parse(t, text, "")); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
	f(`[h(a=1)]`, `[c] |  h {"a":1} unmarked-call`)
	f("h\n{}", `[c] |  h {} unmarked-call`)
	f(`{"name":"h","arguments":{}}`, `[c] |  h {} unmarked-call`)
	f(`{"tool_calls":[{"name":"h","arguments":{}}]}`, `[c] |  h {}`)
	f("json\n{}", "json\n{}")
	f("[h(a="+strings.Repeat("[", 100_000)+")]", "{[h(a="+strings.Repeat("[", 100_000)+")]} malformed-call")
}

// Markup is found in any spelling that JSON has for it, and arguments keep theirs.
func TestEscapes(t *testing.T) {
	raw := `\u003c|tool_call_begin|\u003ef:0<|tool_call_argument_begin|>{\u0022k\u0022:\"\u00e9\\u003c\"}<|tool_call_end|>`
	var d jsonscan.Doc
	if err := d.Scan([]byte(`"` + raw + `"`)); err != nil {
		t.Fatal(err)
	}
	var p toolcall.Parser
	r := p.Parse(d.Root().Text(), jsonscan.Value{})
	if len(r.Calls) != 1 || string(r.Calls[0].Arguments.Raw) != `{\u0022k\u0022:\"\u00e9\\u003c\"}` {
		t.Errorf("%+v", r)
	}
}

func TestParseDoesNotAllocateWithoutMarkup(t *testing.T) {
	text := jsonscan.Quote(strings.Repeat("a < b, [c]\n", 100))
	var p toolcall.Parser
	if n := testing.AllocsPerRun(100, func() { p.Parse(text, jsonscan.Value{}) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
