package response

import (
	"fmt"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// chatBody is a body with thinking and answer of about n bytes.
func chatBody(n int) string {
	thought := strings.Repeat(`Let me check \"this\" again. If x < 3, then\n`, 1+n*2/3/44)
	answer := strings.Repeat(`The result is *seven*, because of (1).\n`, 1+n/3/40)
	return `{"id":"chatcmpl-1","object":"chat.completion","created":1767000056,"model":"demo-model","choices":[{"index":0,` +
		`"message":{"role":"assistant","content":"` + answer + `","reasoning_content":"` + thought + `","tool_calls":null},` +
		`"logprobs":null,"finish_reason":"stop","matched_stop":151645}],"usage":{"prompt_tokens":20,"total_tokens":4020,` +
		`"completion_tokens":4000,"prompt_tokens_details":null,"reasoning_tokens":0},"metadata":{"weight_version":"default"}}`
}

// exchangeLine is an archived exchange with that body.
func exchangeLine(body string) string {
	return `{"id":"ex_1","custom_id":"gsm8k-17","sample":0,"turn":0,"attempt":1,"retried":false,"request":{"method":"POST",` +
		`"url":"/v1/chat/completions","body":{"model":"demo-model","messages":[{"role":"user","content":"Why?"}],"max_tokens":10240},` +
		`"sha256":"00"},"response":{"status_code":200,"request_id":"r","headers":{"content-type":"application/json","server":"uvicorn"},` +
		`"body":` + body + `,"sha256":"00"},"error":null,"dead":false,"server":"http://127.0.0.1:8000","lane":"short",` +
		`"started_at":"2026-11-30T11:41:00.123Z","timing":{"queued_ms":0.1,"first_byte_ms":812.0,"total_ms":90310.5},"run":"r",` +
		`"server_epoch":1,"meta":{}}`
}

// chatStream is an event stream of that many deltas.
func chatStream(deltas int) string {
	var b strings.Builder
	for i := range deltas {
		fmt.Fprintf(&b, "data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" word%d\"},\"finish_reason\":null}]}\n\n", i)
	}
	b.WriteString("data: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	return b.String()
}

func BenchmarkParse(b *testing.B) {
	f := func(name, line string) {
		b.Run(name, func(b *testing.B) {
			var p Parser
			var d jsonscan.Doc
			raw := []byte(line)
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if err := d.Scan(raw); err != nil {
					b.Fatal(err)
				}
				if r, err := p.Parse(d.Root()); err != nil || r.Failure != nil {
					b.Fatal(err, r.Failure)
				}
			}
		})
	}
	body := chatBody(16 << 10)
	f("exchange", exchangeLine(body))
	f("wrapped", `{"id":"p-1","response":`+body+`}`)
	f("flat", `{"id":"p-1","reasoning":"`+strings.Repeat("thinking ", 1000)+`","content":"`+strings.Repeat("answer ", 1000)+`"}`)
}

func BenchmarkBody(b *testing.B) {
	f := func(name, body string) {
		b.Run(name, func(b *testing.B) {
			var p Parser
			raw := []byte(body)
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				if r, err := p.Body(raw, 200, ""); err != nil || r.Failure != nil {
					b.Fatal(err, r.Failure)
				}
			}
		})
	}
	f("chat", chatBody(16<<10))
	f("stream", chatStream(1000))
}

// Steady work allocates nothing: parsing a line again, and a stream again.
func TestAllocations(t *testing.T) {
	var p Parser
	var d jsonscan.Doc
	line, stream := []byte(exchangeLine(chatBody(16<<10))), []byte(chatStream(100))
	f := func(what string, work func()) {
		t.Helper()
		if n := testing.AllocsPerRun(20, work); n > 0 {
			t.Errorf("%s: %.0f allocations, want none", what, n)
		}
	}
	parse := func(line []byte) func() {
		return func() {
			_ = d.Scan(line)
			_, _ = p.Parse(d.Root())
		}
	}
	f("exchange line", parse(line))
	f("line with meta", parse([]byte(`{"id":"p","dataset":"d","n":1,"meta":{},"response":`+chatBody(100)+`}`)))
	f("flat line", parse([]byte(`{"id":"p","dataset":"d","reasoning":"R","content":"A"}`)))
	f("chat stream", func() { _, _ = p.Body(stream, 200, "") })
}
