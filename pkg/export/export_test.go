package export_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/export"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

func sample() *record.Sample {
	return &record.Sample{
		ID: record.IDOf(scan(`17`)), Sample: 1, Messages: []byte(`[ {"role":"user","content":[1E400]} ]`),
		Reasoning: jsonscan.Text{Raw: []byte(`h\u006dm`)}, Content: jsonscan.Quote("42\n"),
		ToolCalls:    []record.ToolCall{{ID: jsonscan.Quote("c"), Name: jsonscan.Quote("f"), Arguments: jsonscan.Quote(`{"x":"é"}`)}},
		FinishReason: jsonscan.Quote("stop"), Model: jsonscan.Quote("m"), Usage: record.UnknownUsage(),
		Status: "present", Extract: record.Extract{Family: "qwen3", Rules: "faithful/1", Source: "content", Flags: []string{"a", "b"}},
		Meta: []byte(`{"k": 1}`),
	}
}

func empty() *record.Sample { return &record.Sample{Usage: record.UnknownUsage()} }

func scan(line string) jsonscan.Value {
	var d jsonscan.Doc
	if err := d.Scan([]byte(line)); err != nil {
		panic(err)
	}
	return d.Root()
}

func TestFormats(t *testing.T) {
	f := func(name string, s *record.Sample, want string) {
		t.Helper()
		format, _ := export.Lookup(name)
		if got, err := format.Append(nil, s); err != nil || string(got) != want {
			t.Errorf("%s\n got %s, %v\nwant %s", name, got, err, want)
		}
	}
	f("sample", sample(), string(sample().AppendJSON(nil)))
	f("messages", sample(), `{"id":17,"messages":[{"role":"user","content":[1E400]},{"role":"assistant","content":"42\n","reasoning_content":"h\u006dm","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"x\":\"é\"}"}}]}]}`)
	f("messages", empty(), `{"id":"","messages":[{"role":"assistant","content":"","reasoning_content":"","tool_calls":[]}]}`)
	f("hf", sample(), `{"id":"17","sample":1,"turn":0,"choice":0,"messages":"[ {\"role\":\"user\",\"content\":[1E400]} ]","reasoning":"h\u006dm","content":"42\n","tool_calls":"[{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"x\\\":\\\"é\\\"}\"}}]","finish_reason":"stop","model":"m","usage":{"prompt_tokens":-1,"completion_tokens":-1,"reasoning_tokens":-1,"total_tokens":-1},"reasoning_status":"present","extract":{"family":"qwen3","rules":"faithful/1","source":"content","flags":"a,b"},"meta":"{\"k\": 1}"}`)
	with := empty()
	with.Segments = []record.Segment{{Kind: record.SegmentContent, Text: jsonscan.Quote("c")}}
	f("hf", with, `{"id":"","sample":0,"turn":0,"choice":0,"messages":"[]","reasoning":"","content":"","tool_calls":"[]","finish_reason":"","model":"","usage":{"prompt_tokens":-1,"completion_tokens":-1,"reasoning_tokens":-1,"total_tokens":-1},"reasoning_status":"","extract":{"family":"","rules":"","source":"","flags":""},"segments":"[{\"kind\":\"content\",\"text\":\"c\"}]","meta":"{}"}`)
}

// TestOneSchema: whatever a sample holds, a form for readers of data sets has
// the same keys with the same types, and no lists or nulls.
func TestOneSchema(t *testing.T) {
	hf, _ := export.Lookup("hf")
	one, _ := hf.Append(nil, sample())
	other, _ := hf.Append(nil, empty())
	first, second := schema(t, one), schema(t, other)
	if !reflect.DeepEqual(first, second) {
		t.Errorf("%v and %v", first, second)
	}
}

func schema(t *testing.T, line []byte) map[string]string {
	t.Helper()
	var row map[string]any
	if err := json.Unmarshal(line, &row); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	types := map[string]string{}
	for k, v := range row {
		if types[k] = fmt.Sprintf("%T", v); v == nil || types[k] == "[]interface {}" {
			t.Errorf("%s is %v", k, v)
		}
	}
	return types
}

func TestLookup(t *testing.T) {
	f, known := export.Lookup("x")
	if f != nil || fmt.Sprint(known) != "[sample messages hf specforge speculators sharegpt harmony trl text]" {
		t.Errorf("%v, %v", f, known)
	}
	n := 0
	for f := range export.Formats() {
		if f.Name != known[n] || f.Meaning == "" {
			t.Errorf("%+v", f)
		}
		n++
	}
}

func Example() {
	f, _ := export.Lookup("messages")
	s := record.Sample{ID: record.StringID("a"), Messages: []byte(`[{"role":"user","content":"2+2"}]`), Reasoning: jsonscan.Quote("easy"), Content: jsonscan.Quote("4")}
	line, err := f.Append(nil, &s)
	fmt.Println(string(line), err)
	// Output: {"id":"a","messages":[{"role":"user","content":"2+2"},{"role":"assistant","content":"4","reasoning_content":"easy","tool_calls":[]}]} <nil>
}

func BenchmarkMessages(b *testing.B) {
	f, _ := export.Lookup("messages")
	s := sample()
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst, _ = f.Append(dst[:0], s)
	}
}
