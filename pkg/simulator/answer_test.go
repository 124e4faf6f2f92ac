package simulator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

func newServer(t testing.TB, keys string) *Server {
	t.Helper()
	c, err := Parse("latency=0&" + keys)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func call1(s *Server, method, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
	return w
}

// post expects an answer.
func post(t testing.TB, s *Server, path, body string) string {
	t.Helper()
	w := call1(s, "POST", path, body)
	if w.Code != http.StatusOK {
		t.Fatalf("%s %s: %d %s", path, body, w.Code, w.Body)
	}
	return w.Body.String()
}

// chatReply is what the tests look at.
type chatReply struct {
	ID, Model   string
	Fingerprint string `json:"system_fingerprint"`
	Choices     []struct {
		Index   int
		Message struct {
			Content          string
			Reasoning        string
			ReasoningContent *string `json:"reasoning_content"`
			ToolCalls        []struct {
				ID       string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
		Finish   string `json:"finish_reason"`
		TokenIDs []int  `json:"token_ids"`
		Prompt   []int  `json:"prompt_token_ids"`
	}
	Usage struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Total      int `json:"total_tokens"`
		Reasoning  int `json:"reasoning_tokens"`
	}
	Prompt []int `json:"prompt_token_ids"`
}

func decode(t testing.TB, body string) (r chatReply) {
	t.Helper()
	if !jsonscan.Valid([]byte(body)) {
		t.Fatalf("not JSON: %s", body)
	}
	if err := json.Unmarshal([]byte(body), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func ask(i int, more string) string {
	return fmt.Sprintf(`{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Natalia sold clips to %d of her friends in April"}]%s}`, i, more)
}

func TestSameRequestSameBytes(t *testing.T) {
	for _, keys := range []string{"", "engine=vllm&parser=on"} {
		a, b := newServer(t, keys), newServer(t, keys)
		for _, more := range []string{"", `,"n":3`, `,"stream":true`} {
			first := post(t, a, "/v1/chat/completions", ask(1, more))
			if first != post(t, a, "/v1/chat/completions", ask(1, more)) || first != post(t, b, "/v1/chat/completions", ask(1, more)) {
				t.Errorf("%s%s: the same request got different bytes", keys, more)
			}
		}
	}
	one := decode(t, post(t, newServer(t, ""), "/v1/chat/completions", ask(1, "")))
	f := func(keys, body string) {
		t.Helper()
		if r := decode(t, post(t, newServer(t, keys), "/v1/chat/completions", body)); r.Choices[0].Message.Content == one.Choices[0].Message.Content {
			t.Errorf("%s %s: the same answer", keys, body)
		}
	}
	f("seed=2", ask(1, ""))
	f("", ask(2, ""))
	f("", ask(1, `,"seed":7`))
}

// parts of an answer by engine and settings.
func TestWhereTheThinkingIs(t *testing.T) {
	for _, fam := range families {
		f := func(keys string) (content, thought string) {
			t.Helper()
			r := decode(t, post(t, newServer(t, keys+"&family="+fam.name), "/v1/chat/completions", ask(1, "")))
			m := r.Choices[0].Message
			if r.Fingerprint != fingerprint || r.Model != fam.model || r.Choices[0].Finish != "stop" {
				t.Errorf("%s: %+v", keys, r)
			}
			if m.ReasoningContent != nil {
				return m.Content, *m.ReasoningContent
			}
			return m.Content, m.Reasoning
		}
		content, thought := f("parser=on")
		if thought == "" || content == "" || strings.Contains(thought+content, "think>") {
			t.Fatalf("%s: %q %q", fam.name, thought, content)
		}
		if !strings.HasSuffix(thought, fam.tail) || !strings.HasPrefix(content, fam.gap) {
			t.Errorf("%s: white space of the template is missing: %q %q", fam.name, thought, content)
		}
		if c, r := f("parser=on&engine=vllm"); c != content || r != thought {
			t.Errorf("%s: vllm says something else", fam.name)
		}
		if c, r := f(""); r != "" || c != thought+"</think>"+content {
			t.Errorf("%s: without a parser: %q", fam.name, c)
		}
		if c, _ := f("opener=model"); c != "<think>"+fam.lead+thought+"</think>"+content {
			t.Errorf("%s: with an opener: %q", fam.name, c)
		}
		if c, r := f("opener=model&parser=on"); c != content || r != fam.lead+thought {
			t.Errorf("%s: parsed with an opener: %q", fam.name, c)
		}
		for _, keys := range []string{"empty=1", "empty=1&parser=on", "empty=1&opener=model"} {
			if c, r := f(keys); r != "" || strings.Contains(c, "think") {
				t.Errorf("%s %s: %q %q", fam.name, keys, r, c)
			}
		}
	}
}

func TestFieldsOfTheEngines(t *testing.T) {
	f := func(keys string, has, hasNot string) {
		t.Helper()
		body := post(t, newServer(t, keys), "/v1/chat/completions", ask(1, ""))
		if !strings.Contains(body, has) || strings.Contains(body, hasNot) {
			t.Errorf("%s: want %s, not %s: %s", keys, has, hasNot, body)
		}
	}
	f("", `"reasoning_content":null`, `"reasoning":`)
	f("parser=on", `"reasoning_content":"`, `"reasoning":`)
	f("engine=vllm", `"reasoning":null`, `reasoning_content`)
	f("engine=vllm&parser=on", `"reasoning":"`, `reasoning_content`)
}

func TestThinkingOff(t *testing.T) {
	s := newServer(t, "opener=model")
	for _, key := range []string{"thinking", "enable_thinking"} {
		r := decode(t, post(t, s, "/v1/chat/completions", ask(1, `,"chat_template_kwargs":{"`+key+`":false}`)))
		if strings.Contains(r.Choices[0].Message.Content, "think>") {
			t.Errorf("%s: %s", key, r.Choices[0].Message.Content)
		}
	}
	s = newServer(t, "parser=on")
	r := decode(t, post(t, s, "/v1/chat/completions", ask(1, `,"separate_reasoning":false`)))
	if m := r.Choices[0].Message; m.ReasoningContent != nil || !strings.Contains(m.Content, "</think>") {
		t.Error("separate_reasoning=false is not obeyed")
	}
}

// A limit gives a beginning of the whole text, whatever it cuts.
func TestMaxTokens(t *testing.T) {
	whole := newServer(t, "opener=model")
	parsed := newServer(t, "opener=model&parser=on")
	all := decode(t, post(t, whole, "/v1/chat/completions", ask(1, "")))
	text := all.Choices[0].Message.Content
	for _, field := range []string{"max_tokens", "max_completion_tokens"} {
		for n := 1; n <= all.Usage.Completion; n++ {
			more := fmt.Sprintf(`,"%s":%d`, field, n)
			r := decode(t, post(t, whole, "/v1/chat/completions", ask(1, more)))
			finish := "length"
			if n == all.Usage.Completion {
				finish = "stop"
			}
			if c := r.Choices[0]; !strings.HasPrefix(text, c.Message.Content) || c.Finish != finish || r.Usage.Completion != n {
				t.Fatalf("%s: %s, %d tokens, %q", more, c.Finish, r.Usage.Completion, c.Message.Content)
			}
			p := decode(t, post(t, parsed, "/v1/chat/completions", ask(1, more))).Choices[0].Message
			thought := ""
			if p.ReasoningContent != nil {
				thought = *p.ReasoningContent
			}
			if joined := strings.NewReplacer("<think>", "", "</think>", "").Replace(r.Choices[0].Message.Content); thought+p.Content != joined {
				t.Fatalf("%s: parsed %q %q", more, thought, p.Content)
			}
		}
	}
}

// streamed joins the deltas of a stream and checks its frame.
func streamed(t *testing.T, body string) (r chatReply, thought, content map[int]string, calls string) {
	t.Helper()
	thought, content = map[int]string{}, map[int]string{}
	events := strings.Split(strings.TrimSuffix(body, "\n\n"), "\n\n")
	if events[len(events)-1] != "data: [DONE]" {
		t.Fatalf("no [DONE]: %q", events[len(events)-1])
	}
	finished := map[int]bool{}
	for _, e := range events[:len(events)-1] {
		data, ok := strings.CutPrefix(e, "data: ")
		if !ok || !jsonscan.Valid([]byte(data)) {
			t.Fatalf("bad event %q", e)
		}
		var chunk struct {
			Choices []struct {
				Index int
				Text  string
				Delta struct {
					Content, Reasoning string
					ReasoningContent   string            `json:"reasoning_content"`
					ToolCalls          []json.RawMessage `json:"tool_calls"`
				}
				Finish *string `json:"finish_reason"`
			}
		}
		if err := json.Unmarshal([]byte(data), &chunk); err != nil {
			t.Fatal(err)
		}
		for _, c := range chunk.Choices {
			if finished[c.Index] {
				t.Fatal("a delta after the finish")
			}
			thought[c.Index] += c.Delta.Reasoning + c.Delta.ReasoningContent
			content[c.Index] += c.Delta.Content + c.Text
			for _, raw := range c.Delta.ToolCalls {
				calls += string(raw)
			}
			finished[c.Index] = c.Finish != nil
		}
		if len(chunk.Choices) == 0 {
			json.Unmarshal([]byte(data), &r)
		}
	}
	return r, thought, content, calls
}

func TestStreamSaysTheSame(t *testing.T) {
	for _, engine := range []string{"sglang", "vllm"} {
		for _, parser := range []string{"none", "on"} {
			s := newServer(t, "engine="+engine+"&parser="+parser)
			whole := decode(t, post(t, s, "/v1/chat/completions", ask(1, `,"n":2`)))
			usage, thought, content, _ := streamed(t, post(t, s, "/v1/chat/completions", ask(1, `,"n":2,"stream":true,"stream_options":{"include_usage":true}`)))
			for i, c := range whole.Choices {
				want := c.Message.Reasoning
				if c.Message.ReasoningContent != nil {
					want = *c.Message.ReasoningContent
				}
				if thought[i] != want || content[i] != c.Message.Content {
					t.Errorf("%s %s choice %d: %q %q", engine, parser, i, thought[i], content[i])
				}
			}
			if usage.Usage != whole.Usage {
				t.Errorf("%s %s: usage %+v, want %+v", engine, parser, usage.Usage, whole.Usage)
			}
		}
	}
	if body := post(t, newServer(t, ""), "/v1/chat/completions", ask(1, `,"stream":true`)); strings.Contains(body, `"choices":[],`) {
		t.Error("a usage chunk that was not asked for")
	}
}

func TestTools(t *testing.T) {
	const tools = `,"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object","properties":{
		"city":{"type":"string"},"days":{"type":"integer"},"unit":{"enum":["C","F"]}},"required":["city","days","unit"]}}}]`
	for _, fam := range families {
		on, off := newServer(t, "parser=on&family="+fam.name), newServer(t, "family="+fam.name)
		called := 0
		for i := range 10 {
			body := ask(i, tools)
			r, raw := decode(t, post(t, on, "/v1/chat/completions", body)), decode(t, post(t, off, "/v1/chat/completions", body))
			c := r.Choices[0]
			if len(c.Message.ToolCalls) == 0 {
				continue
			}
			called++
			call := c.Message.ToolCalls[0]
			var args struct {
				City string
				Days int
				Unit string
			}
			if err := json.Unmarshal([]byte(call.Function.Arguments), &args); err != nil || args.City == "" || args.Unit != "C" && args.Unit != "F" {
				t.Errorf("%s: arguments %s %v", fam.name, call.Function.Arguments, err)
			}
			kimi := fam.name == "kimi_k2"
			if kimi != (call.ID == "functions.get_weather:0") || call.Function.Name != "get_weather" || c.Finish != "tool_calls" {
				t.Errorf("%s: %+v %s", fam.name, call, c.Finish)
			}
			if text := raw.Choices[0].Message.Content; raw.Choices[0].Finish != "stop" || !strings.Contains(text, "get_weather") || !strings.Contains(text, args.City) {
				t.Errorf("%s: raw %q", fam.name, text)
			}
			_, _, _, calls := streamed(t, post(t, on, "/v1/chat/completions", ask(i, tools+`,"stream":true`)))
			if !strings.Contains(calls, quoted(call.Function.Arguments)) {
				t.Errorf("%s: streamed %s", fam.name, calls)
			}
			if r := decode(t, post(t, on, "/v1/chat/completions", ask(i, tools+`,"tool_choice":"none"`))); len(r.Choices[0].Message.ToolCalls) > 0 {
				t.Error("tool_choice none is not obeyed")
			}
		}
		if called < 2 || called > 8 {
			t.Errorf("%s: %d calls in 10 answers", fam.name, called)
		}
	}
	// Ids count over the conversation; after a tool's result comes an answer.
	s, seen := newServer(t, "parser=on"), false
	for i := range 20 {
		body := fmt.Sprintf(`{"messages":[{"role":"user","content":"%d"},{"role":"assistant","content":"","tool_calls":[{},{}]},{"role":"user","content":"go on"}]%s}`, i, tools)
		for _, c := range decode(t, post(t, s, "/v1/chat/completions", body)).Choices[0].Message.ToolCalls {
			seen = true
			if c.ID != "functions.get_weather:2" {
				t.Errorf("id %s", c.ID)
			}
		}
		body = strings.Replace(body, `{"role":"user","content":"go on"}`, `{"role":"tool","content":"sunny"}`, 1)
		if c := decode(t, post(t, s, "/v1/chat/completions", body)).Choices[0]; len(c.Message.ToolCalls) > 0 {
			t.Error("a call right after a tool's result")
		}
	}
	if !seen {
		t.Error("no call at all")
	}
}

func TestTokenIDs(t *testing.T) {
	for _, engine := range []string{"sglang", "vllm"} {
		r := decode(t, post(t, newServer(t, "engine="+engine), "/v1/chat/completions", ask(1, `,"return_token_ids":true`)))
		prompt := r.Prompt
		if engine == "sglang" {
			prompt = r.Choices[0].Prompt
		}
		if len(r.Choices[0].TokenIDs) != r.Usage.Completion || len(prompt) != r.Usage.Prompt {
			t.Errorf("%s: %d and %d ids for %+v", engine, len(r.Choices[0].TokenIDs), len(prompt), r.Usage)
		}
		if r.Usage.Total != r.Usage.Prompt+r.Usage.Completion {
			t.Errorf("%s: %+v", engine, r.Usage)
		}
	}
}

func TestCompletionAndGenerate(t *testing.T) {
	s := newServer(t, "parser=on&tokens=400") // never parsed here
	var c struct {
		Choices []struct {
			Text   string
			Finish string `json:"finish_reason"`
		}
	}
	body := post(t, s, "/v1/completions", `{"prompt":"Why?","max_tokens":9999,"n":2}`)
	if err := json.Unmarshal([]byte(body), &c); err != nil || !jsonscan.Valid([]byte(body)) {
		t.Fatal(err)
	}
	if len(c.Choices) != 2 || !strings.Contains(c.Choices[0].Text, "</think>") || c.Choices[0].Text == c.Choices[1].Text || c.Choices[0].Finish != "stop" {
		t.Errorf("%s", body)
	}
	_, _, content, _ := streamed(t, post(t, s, "/v1/completions", `{"prompt":"Why?","max_tokens":9999,"n":2,"stream":true}`))
	if content[0] != c.Choices[0].Text || content[1] != c.Choices[1].Text {
		t.Error("the stream says something else")
	}

	var g struct {
		Text string
		IDs  []int `json:"output_ids"`
		Meta struct {
			Simulator bool
			Finish    struct{ Type string } `json:"finish_reason"`
			Tokens    int                   `json:"completion_tokens"`
		} `json:"meta_info"`
	}
	read := func(data string) {
		t.Helper()
		g.Meta.Finish.Type = ""
		if err := json.Unmarshal([]byte(data), &g); err != nil || !jsonscan.Valid([]byte(data)) {
			t.Fatalf("%v: %s", err, data)
		}
	}
	read(post(t, s, "/generate", `{"text":"Why?","sampling_params":{"max_new_tokens":9999}}`))
	if g.Text != c.Choices[0].Text || !g.Meta.Simulator || g.Meta.Finish.Type != "stop" || len(g.IDs) != g.Meta.Tokens {
		t.Errorf("%+v", g)
	}
	events := strings.Split(post(t, s, "/generate", `{"text":"Why?","stream":true,"sampling_params":{"max_new_tokens":9999}}`), "\n\n")
	last := ""
	for _, e := range events[:len(events)-2] {
		read(strings.TrimPrefix(e, "data: "))
		if !strings.HasPrefix(g.Text, last) || len(g.Text) <= len(last) {
			t.Fatalf("%q after %q: not cumulative", g.Text, last)
		}
		last = g.Text
	}
	if last != c.Choices[0].Text || g.Meta.Finish.Type != "stop" || events[len(events)-2] != "data: [DONE]" {
		t.Errorf("the stream says something else")
	}
	// The engines' own limits, and ids instead of text.
	read(post(t, s, "/generate", `{"input_ids":[1,2,3]}`))
	if g.Meta.Tokens != 128 || g.Meta.Finish.Type != "length" {
		t.Errorf("%d tokens by default", g.Meta.Tokens)
	}
	json.Unmarshal([]byte(post(t, s, "/v1/completions", `{"prompt":["Why?"]}`)), &c)
	if n := len(pieces(c.Choices[0].Text)); n != 16 || c.Choices[0].Finish != "length" {
		t.Errorf("%d tokens by default", n)
	}
	if list := post(t, s, "/generate", `{"text":"Why?","sampling_params":{"n":2}}`); !strings.HasPrefix(list, `[{"text"`) || !jsonscan.Valid([]byte(list)) {
		t.Errorf("n=2: %s", list)
	}
}

func TestProse(t *testing.T) {
	s := newServer(t, "tokens=20000")
	prompts := []string{"Why?", "", "為什麼天空是藍色的？請解釋一下散射的原理並給出公式。", "a \"quoted\"\tprompt \\ with <think> and émigré words"}
	whole := ""
	for _, prompt := range prompts {
		body := `{"messages":[{"role":"user","content":` + quoted(prompt) + `}]}`
		text := decode(t, post(t, s, "/v1/chat/completions", body)).Choices[0].Message.Content
		if !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) {
			t.Errorf("%q: not UTF-8", prompt)
		}
		for _, r := range text {
			if unicode.IsControl(r) && r != '\n' && r != '\t' {
				t.Errorf("%q: control byte %q", prompt, r)
			}
		}
		said := map[string]bool{}
		for _, sentence := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' }) {
			if said[sentence] && len(sentence) > 20 {
				t.Errorf("%q: said twice: %s", prompt, sentence)
			}
			said[sentence] = true
		}
		if n := len(pieces(text)); n < 10000 || n > 31000 {
			t.Errorf("%q: %d tokens, want 10,000 to 30,000", prompt, n)
		}
		whole += text
	}
	for _, want := range []string{`"`, `\(`, "```", "\t", "换句话说", "🤔", "é", "$$", "Answer:** \\boxed{"} {
		if !strings.Contains(whole, want) {
			t.Errorf("no %q in all the text", want)
		}
	}
}

func TestPieces(t *testing.T) {
	f := func(text string, want int) {
		t.Helper()
		list := pieces(text)
		if len(list) != want || strings.Join(list, "") != text {
			t.Errorf("%q: %q", text, list)
		}
	}
	f("", 0)
	f(" ", 1)
	f("a", 1)
	f("a b", 2)
	f(" a\n\nb ", 3)
	f("中文 \u3000é", 2)
}

// Answers are as long as tokens says, on average.
func TestTokensIsTheMean(t *testing.T) {
	for _, want := range []int{100, 200, 2000} {
		s, sum := newServer(t, fmt.Sprintf("tokens=%d", want)), 0
		const n = 100
		for i := range n {
			sum += decode(t, post(t, s, "/v1/chat/completions", ask(i, ""))).Usage.Completion
		}
		if mean := sum / n; mean < want*9/10 || mean > want*11/10 {
			t.Errorf("tokens=%d: %d on average", want, mean)
		}
	}
}
