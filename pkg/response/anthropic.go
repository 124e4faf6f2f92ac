package response

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Anthropic Messages, which vLLM, SGLang, llama.cpp and Ollama also serve:
//
//	{"type":"message","role":"assistant","content":[{"type":"thinking","thinking":…,"signature":…},
//	 {"type":"redacted_thinking","data":…},{"type":"text","text":…},{"type":"tool_use",…}],
//	 "stop_reason":"end_turn","usage":{…}}
//
// Its batches are lines of {"custom_id","result":{"type":"succeeded","message":{…}}}.

func isAnthropic(v jsonscan.Value) bool {
	return v.Get("type").Text().Equal("message") && v.Get("content").Kind() == jsonscan.Array
}

func readAnthropic(p *Parser, v jsonscan.Value) {
	p.head(v)
	c := p.choice(0)
	p.content(v.Get("content"), c)
	c.finish(v.Get("stop_reason"))
}

func isAnthropicBatch(v jsonscan.Value) bool {
	return v.Get("result", "type").Kind() == jsonscan.String
}

func readAnthropicBatch(p *Parser, v jsonscan.Value) {
	p.envelope(v)
	r := v.Get("result")
	if message := r.Get("message"); message.Kind() == jsonscan.Object {
		p.readBody(message)
		return
	}
	p.rec.Shape = "error"
	if e := errorOf(r); e.Exists() { // {"type":"errored","error":{"type":"error","error":{…}}}
		p.failWith(codeBodyError, e)
	}
	p.fail(codeNotCompletion, "request "+r.Get("type").Text().String()) // canceled, expired
}

// anthropicEvents are the types of its stream's events, the frequent one first.
var anthropicEvents = [...]string{
	"content_block_delta", "content_block_start", "content_block_stop",
	"message_start", "message_delta", "message_stop", "ping",
}

func isAnthropicEvent(v jsonscan.Value) bool { return oneOf(v.Get("type").Text(), anthropicEvents[:]) }

func oneOf(t jsonscan.Text, names []string) bool {
	for _, name := range names {
		if t.Equal(name) {
			return true
		}
	}
	return false
}

func foldAnthropic(p *Parser, v jsonscan.Value) {
	switch j, kind := p.joiner(0), v.Get("type").Text(); {
	case kind.Equal("content_block_delta"):
		anthropicDelta(j, callIndex(v.Get("index")), v.Get("delta"))
	case kind.Equal("content_block_start"):
		b := v.Get("content_block")
		if b.Get("type").Text().Equal("tool_use") {
			call := toolUse(b)
			call.Arguments = jsonscan.Text{} // {} until its deltas come
			j.call(callIndex(v.Get("index")), call)
			return
		}
		p.part(b, &contentParts, j)
	case kind.Equal("content_block_stop"):
		j.calls.noArguments(callIndex(v.Get("index")))
	case kind.Equal("message_start"):
		p.head(v.Get("message"))
	case kind.Equal("message_delta"):
		p.usage(v.Get("usage"))
		j.finish(v.Get("delta", "stop_reason"))
	case kind.Equal("message_stop"):
		p.stream.done = true
	}
}

func anthropicDelta(j *joiner, index int, d jsonscan.Value) {
	j.add(Content, "content[].text", d.Get("text").Text())
	const thinking = "content[].thinking"
	j.add(Reasoning, thinking, d.Get("thinking").Text())
	if !j.has(thinking) { // nothing but a proof of it, as in bodies
		j.add(Encrypted, "content[].signature", d.Get("signature").Text())
	}
	if part := d.Get("partial_json").Text(); part.Len() > 0 {
		j.call(index, record.ToolCall{Arguments: part})
	}
}
