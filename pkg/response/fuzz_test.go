package response

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// checkRecord fails when a record breaks a promise.
func checkRecord(t *testing.T, r *Record, err error) {
	t.Helper()
	texts := []jsonscan.Text{r.Model}
	for _, c := range r.Choices {
		texts = append(texts, c.Finish, c.Refusal)
		for _, s := range c.Segments {
			if s.Source == "" || s.Text.Len() == 0 {
				t.Errorf("empty segment %+v", s)
			}
			texts = append(texts, s.Text)
		}
		for _, call := range c.ToolCalls {
			texts = append(texts, call.ID, call.Name, call.Arguments)
		}
	}
	for _, text := range texts {
		if !jsonscan.Valid(text.AppendQuoted(nil)) {
			t.Errorf("not the inside of a JSON string: %q", text.Raw)
		}
	}
	if r.Messages != nil && !jsonscan.Valid(r.Messages) {
		t.Errorf("messages are no JSON: %q", r.Messages)
	}
	if r.Meta != nil && (!jsonscan.Valid(r.Meta) || r.Meta[0] != '{') {
		t.Errorf("meta is no JSON object: %q", r.Meta)
	}
	if f := r.Failure; f != nil && (f.Code == "" || !utf8.ValidString(f.Message) || len(f.Message) > maxMessage+3) {
		t.Errorf("failure %+v", *f)
	}
	if r.Failure == nil && err == nil && len(r.Choices) == 0 {
		t.Error("neither failure nor choices")
	}
}

func FuzzBody(f *testing.F) {
	seeds, _ := filepath.Glob("testdata/*.sse")
	for _, s := range seeds {
		raw, err := os.ReadFile(s)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw, 200, "")
	}
	f.Add([]byte(goodBody), 200, "application/json")
	f.Add([]byte(goodBody), 500, "")
	f.Add([]byte(`{"response":"A","done":false}`+"\n"+`{"response":"","done":true}`), 200, "application/x-ndjson")
	f.Add([]byte(`[{"text":"A","meta_info":{}}]`), 200, "")
	f.Add([]byte(sse(`{"text":"A","meta_info":{}}`, `{"text":"AB","meta_info":{"finish_reason":{"type":"stop"}}}`)), 200, "")
	f.Add([]byte(`{"type":"message","content":[{"type":"tool_use","input":{}}]}`), 200, "")
	f.Add([]byte(sse(`{"type":"response.output_item.added","item":{"type":"function_call"}}`, `{"type":"response.completed","response":{"output":[{"type":"message","content":"A"}]}}`)), 200, "")
	f.Fuzz(func(t *testing.T, raw []byte, status int, contentType string) {
		var p Parser
		r, err := p.Body(raw, status, contentType)
		checkRecord(t, r, err)
		once := show(r, err)
		r, err = p.Body(raw, status, contentType)
		if twice := show(r, err); twice != once {
			t.Errorf("a parser that was used says otherwise:\n%s\n%s", once, twice)
		}
	})
}

func FuzzParse(f *testing.F) {
	seeds, _ := filepath.Glob("testdata/*.jsonl")
	for _, s := range seeds {
		raw, err := os.ReadFile(s)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(raw)) {
			f.Add([]byte(line))
		}
	}
	f.Add([]byte(exchangeLine(chatBody(100))))
	f.Add([]byte(`{"id":"p","conversations":[{"from":"human","value":"Q"},{"from":"gpt","value":"A"}]}`))
	f.Add([]byte(`{"custom_id":"p","result":{"type":"expired"}}`))
	f.Add([]byte(`{"id":"p","prompt":"Q","response":"A"}`))
	f.Add([]byte(`{"id":"p","response":{"status_code":200,"base64":"e30="}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var p Parser
		var d jsonscan.Doc
		if d.Scan(line) != nil {
			return
		}
		if r, err := p.Parse(d.Root()); err == nil {
			checkRecord(t, r, err)
		}
		r, err := p.Field(d.Root(), "response.0")
		checkRecord(t, r, err)
	})
}

// FuzzJoin splits a text over deltas anywhere between characters and escapes:
// the text comes out as it went in, or flagged.
func FuzzJoin(f *testing.F) {
	f.Add("The sum is 7.", uint64(3))
	f.Add("😀 haha haha haha", uint64(0b1010101))
	f.Fuzz(func(t *testing.T, text string, cuts uint64) {
		if !utf8.ValidString(text) {
			return
		}
		whole := jsonscan.Quote(text)
		var deltas []string
		piece := ""
		for i, r := range whole.String() {
			piece += string(r)
			if cuts>>(i%64)&1 == 1 {
				deltas, piece = append(deltas, piece), ""
			}
		}
		deltas = append(deltas, piece)
		var data []string
		for _, d := range deltas {
			data = append(data, `{"choices":[{"delta":{"content":`+string(jsonscan.AppendString(nil, d))+`}}]}`)
		}
		var p Parser
		r, err := p.Body([]byte(sse(append(data, stop)...)), 200, "")
		checkRecord(t, r, err)
		got := ""
		for _, s := range r.Choices[0].Segments {
			got += s.Text.String()
		}
		if got != whole.String() && len(r.Flags) == 0 {
			t.Errorf("%q in %q became %q", text, deltas, got)
		}
	})
}

// FuzzEvents: an event stream says the same whichever line ends it has.
func FuzzEvents(f *testing.F) {
	for _, s := range []string{
		"data: {\"a\":1}\n\ndata: [DONE]\n\n", ": ping\nevent: error\ndata: x\ndata:y\n\n", "data: {\"a\":1}\ndata: {\"b\":2}\n",
		"{\"a\":1}\n\n", "error: {\"a\":1}\n", "data", "data:\n\n", "id: 1\nretry: 2\n\n",
	} {
		f.Add(s)
	}
	read := func(raw string) (all []event) {
		e := newEvents([]byte(raw))
		for ev, ok := e.next(); ok; ev, ok = e.next() {
			all = append(all, ev)
		}
		return all
	}
	f.Fuzz(func(t *testing.T, raw string) {
		raw = strings.ReplaceAll(raw, "\r", "")
		want := read(raw)
		for _, end := range []string{"\r\n", "\r"} {
			if got := read(strings.ReplaceAll(raw, "\n", end)); !reflect.DeepEqual(got, want) {
				t.Errorf("%q with lines that end in %q: %v, want %v", raw, end, got, want)
			}
		}
	})
}

// FuzzCarried: what a line holds besides the answer is in meta as it stood there.
func FuzzCarried(f *testing.F) {
	for _, v := range []string{`1E400`, `12345678901234567890`, `"\ud800\/"`, `{"b" : [1, {"a":null}], "a":2}`, `[]`, `"é"`} {
		f.Add("k", v)
	}
	f.Add("k\\u0065y", "1")
	f.Fuzz(func(t *testing.T, key, value string) {
		value = strings.Trim(value, " \t\r\n")
		line := `{"id":"a","content":"c","` + key + `":` + value + `}`
		var d jsonscan.Doc
		if !jsonscan.Valid([]byte(value)) || !jsonscan.Valid([]byte(`"`+key+`"`)) || d.Scan([]byte(line)) != nil {
			return
		}
		var p Parser
		r, err := p.Parse(d.Root())
		if err != nil || r.Shape != "flat" || r.Meta == nil {
			return // the key means something
		}
		if want := `{"` + key + `":` + value + `}`; string(r.Meta) != want && string(r.Meta) != value {
			t.Errorf("%s\n got %s\nwant %s", line, r.Meta, want)
		}
	})
}
