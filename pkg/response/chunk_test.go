package response

import (
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// A line that is a chunk of an answer does not become an answer.
func TestGeminiChunks(t *testing.T) {
	f := func(line, want string) {
		t.Helper()
		if got, _, _ := strings.Cut(parse(line), "\n"); got != want {
			t.Errorf("%s\n got %s\nwant %s", line, got, want)
		}
	}
	gemini := func(parts, more, tokens string) string {
		return `{"candidates":[{"content":{"parts":[` + parts + `]}` + more + `}],"usageMetadata":{"candidatesTokenCount":` + tokens + `},"responseId":"r"}`
	}
	chunk := func(why string) string {
		return "gemini FAILED stream.cut: one chunk of a stream (" + why + "); --from chunks reads a file of them as one answer +no-id"
	}
	const stop = `,"finishReason":"STOP"`
	f(gemini(`{"text":"There are"}`, ``, "10"), chunk("no finish reason"))
	f(gemini(`{"text":"There are"}`, `,"finishReason":""`, "10"), chunk("no finish reason"))
	f(gemini(`{"text":"","thoughtSignature":"x"}`, stop, "29"), chunk("29 tokens in a text of 0 bytes"))
	f(gemini(`{"text":"y, this is thought","thought":true},{"text":"."}`, stop, "29"), chunk("29 tokens in a text of 1 bytes"))
	f(gemini(`{"text":"4"}`, stop, "2"), "gemini +no-id")
	f(gemini(`{"text":""}`, stop, "null"), "gemini +no-id")
	f(gemini(`{"text":""}`, `,"finishReason":"MALFORMED_FUNCTION_CALL"`, "29"), "gemini +no-id")
	f(gemini(`{"functionCall":{"name":"f","args":{}}}`, stop, "29"), "gemini +no-id")
	// With an id of its own it was somebody's answer, which has not ended.
	if got := parse(`{"id":"p","response":` + gemini(`{"text":"There are"}`, ``, "10") + `}`); got != "p gemini\n0 null C:parts[].text<There are>" {
		t.Errorf("got %s", got)
	}
}

func TestContinues(t *testing.T) {
	f := func(chunk, next string, want bool) {
		t.Helper()
		var c, n jsonscan.Doc
		if c.Scan([]byte(chunk)) != nil || n.Scan([]byte(next)) != nil {
			t.Fatal("no JSON")
		}
		if got := Continues(c.Root(), n.Root()); got != want {
			t.Errorf("%s then %s: %v", chunk, next, got)
		}
	}
	const gemini, last = `{"candidates":[{"content":{"parts":[{"text":"A"}]}}]}`, `{"candidates":[{"content":{"parts":[{"text":"B"}]},"finishReason":"STOP"}]}`
	f(gemini, gemini, true)
	f(gemini, last, true)
	f(last, last, false)
	f(delta(`{"content":"A"}`), stop, true)
	f(delta(`{"content":"A"}`), `{"choices":[],"usage":{}}`, true)
	f(`{"object":"","choices":[],"prompt_filter_results":[]}`, delta(`{"content":"A"}`), true)
	f(delta(`{"content":"A"}`), goodBody, false)
	f(goodBody, goodBody, false)
	f(gemini, stop, false)
	f(`{"response":"A","done":false}`, `{"response":"","done":true}`, true)
	f(`{"response":"A","done":true}`, `{"response":"A","done":true}`, false)
	f(`{"type":"message_start","message":{}}`, `{"type":"ping"}`, true)
	f(`{"token":{"text":"A"}}`, `{"token":{"text":"B"},"generated_text":"AB"}`, true)
	f(`{"id":"p","content":"A"}`, `{"id":"q","content":"B"}`, false)
}
