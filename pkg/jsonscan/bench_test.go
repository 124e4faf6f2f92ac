package jsonscan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/valyala/fastjson"
)

// chatLine is a chat completion of about 17 KB: prose with an escape every 50
// bytes and now and then a character beyond ASCII.
func chatLine() []byte {
	sentence := `So the area of the \"triangle\" is half of its base times its height, which makes 24.\n` +
		`Wait, let me check that again: 6 times 8 is 48, and one half of 48 is 24 — so it is fine.\n\n`
	thought := strings.Repeat(sentence, 17000/len(sentence)-4)
	return []byte(`{"id":"chatcmpl-0123456789","object":"chat.completion","created":1732965600,"model":"kimi-k2-thinking",` +
		`"choices":[{"index":0,"message":{"role":"assistant","content":"` + thought + `</think>\n\nThe area is **24**.",` +
		`"reasoning_content":null,"tool_calls":[]},"logprobs":null,"finish_reason":"stop"}],` +
		`"usage":{"prompt_tokens":61,"completion_tokens":4120,"total_tokens":4181,"prompt_tokens_details":null}}`)
}

func BenchmarkScan(b *testing.B) {
	line := chatLine()
	run := func(name string, f func() bool) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				if !f() {
					b.Fatal("not valid")
				}
			}
		})
	}
	var d Doc
	run("Scan", func() bool { return d.Scan(line) == nil })
	run("Scan+Get", func() bool {
		if d.Scan(line) != nil {
			return false
		}
		root := d.Root()
		message := root.Get("choices").Index(0).Get("message")
		at, _ := message.Get("content").Text().Find("</think>", 0)
		return at > 0 && root.Get("id").Kind() == String && root.Get("usage", "completion_tokens").Exists()
	})
	run("Valid", func() bool { return Valid(line) })
	run("fastjson.Validate", func() bool { return fastjson.ValidateBytes(line) == nil })
	run("json.Valid", func() bool { return json.Valid(line) })
}

func BenchmarkNumbers(b *testing.B) {
	line := []byte(`{"token_ids":[` + strings.Repeat("151667,198,32313,", 1000) + `0]}`)
	var d Doc
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if d.Scan(line) != nil {
			b.Fatal("not valid")
		}
	}
}

func BenchmarkShort(b *testing.B) {
	line := []byte(`{"id":"gsm8k-17","messages":[{"role":"user","content":"What is 6 times 8, halved?"}],"lane":"short"}`)
	var d Doc
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if d.Scan(line) != nil || d.Root().Get("id").Kind() != String {
			b.Fatal("not valid")
		}
	}
}

func BenchmarkAppendString(b *testing.B) {
	var d Doc
	if d.Scan(chatLine()) != nil {
		b.Fatal("not valid")
	}
	text := d.Root().Get("choices").Index(0).Get("message", "content").Text()
	decoded, buf := text.String(), []byte(nil)
	b.Run("AppendString", func(b *testing.B) {
		b.SetBytes(int64(len(decoded)))
		b.ReportAllocs()
		for b.Loop() {
			buf = AppendString(buf[:0], decoded)
		}
	})
	b.Run("AppendTo", func(b *testing.B) {
		b.SetBytes(int64(len(decoded)))
		b.ReportAllocs()
		for b.Loop() {
			buf = text.AppendTo(buf[:0])
		}
	})
}
