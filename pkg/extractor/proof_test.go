package extractor_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// prove extracts a line and holds the result against it, after spoil.
func prove(t *testing.T, text string, spoil func(*extractor.Result)) (extractor.Proof, error) {
	t.Helper()
	var d jsonscan.Doc
	if err := d.Scan([]byte(text)); err != nil {
		t.Fatal(err)
	}
	x, _ := extractor.New(extractor.Config{Segments: true})
	r, err := x.Line(d.Root())
	if err != nil {
		t.Fatal(err)
	}
	if spoil != nil {
		spoil(r)
	}
	var p extractor.Prover
	return p.Prove(d.Root(), r, false)
}

func TestProve(t *testing.T) {
	f := func(text string, want extractor.Proof) {
		t.Helper()
		if got, err := prove(t, text, nil); got != want || err != nil {
			t.Errorf("%s\n got %+v, %v\nwant %+v", text, got, err, want)
		}
	}
	sum := func(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }
	body := `{"choices":[{"index":0,"message":{"content":"<think>a</think>b<tool_call>{\"name\":\"f\"}</tool_call>"}},{"index":1,"message":{"content":"</think>c","reasoning":"d\u00e9"}}]}`
	f(`{"custom_id":"a","response":{"status_code":200,"body":`+body+`,"sha256":"`+sum(body)+`"},"error":null}`, extractor.Proof{Hashes: 1, Texts: 3, Bytes: 72})
	stream := "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"<think>a</th\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ink>\\u00e9\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	f(`{"custom_id":"a","response":{"status_code":200,"text":`+string(jsonscan.AppendString(nil, stream))+`,"sha256":"`+sum(stream)+`"},"error":null}`, extractor.Proof{Hashes: 1, Texts: 1, Bytes: 22})
	f(`{"custom_id":"a","response":{"status_code":500,"base64":"/w==","sha256":"`+sum("\xff")+`"},"error":null}`, extractor.Proof{Hashes: 1})
	f(`{"id":"a","content":"b","reasoning":"c","refusal":"no"}`, extractor.Proof{Texts: 2, Bytes: 2})
	f(`{"id":"a","content":[{"type":"text","text":"b"}]}`, extractor.Proof{Texts: 1, Bytes: 1})
	f(`{"id":"a","content":"b","tool_calls":[{"name":"f","arguments":{}}]}`, extractor.Proof{Texts: 1, Bytes: 1, Calls: 1})
	f(`{"id":"a","content":"b","reasoning":"c","reasoning_status":"present","extract":{}}`, extractor.Proof{Apart: 1})
}

// What does not hold is found, whatever it is.
func TestProveFindsFaults(t *testing.T) {
	f := func(text, want string, spoil func(*extractor.Result)) {
		t.Helper()
		if _, err := prove(t, text, spoil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	f(`{"custom_id":"a","response":{"status_code":200,"body":{},"sha256":"00"}}`, `response.sha256 is "00"`, nil)
	f(`{"custom_id":"a","response":{"status_code":200,"sha256":"00"}}`, "no bytes", nil)
	f(`{"custom_id":"a","response":{"status_code":200,"base64":"?","sha256":"00"}}`, "base64", nil)

	const line = `{"id":"a","content":"<think>b</think>c"}`
	f(line, "text 0 of the answer", func(r *extractor.Result) { r.Samples[0].Segments = r.Samples[0].Segments[1:] })
	f(line, "2 bytes more", func(r *extractor.Result) {
		s := &r.Samples[0]
		s.Segments = append(s.Segments, s.Segments[1], s.Segments[1])
	})
	f(line, "reasoning is not", func(r *extractor.Result) { r.Samples[0].Reasoning = jsonscan.Quote("x") })
	f(line, "content is not", func(r *extractor.Result) { r.Samples[0].Content = jsonscan.Quote("c ") })
	f(line, "what came from content", func(r *extractor.Result) {
		r.Record.Choices[0].Segments[0].Text.Raw = []byte("<think>b</think>d")
		r.Samples[0].Segments[3].Text, r.Samples[0].Content = jsonscan.Quote("d"), jsonscan.Quote("d")
	})
}
