package response

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// The OpenAI Responses API:
//
//	{"object":"response","status":"completed","output":[
//	  {"type":"reasoning","summary":[{"type":"summary_text","text":…}],"content":[{"type":"reasoning_text","text":…}]},
//	  {"type":"message","role":"assistant","content":[{"type":"output_text","text":…}]},
//	  {"type":"function_call","call_id":…,"name":…,"arguments":"{}"}],
//	 "incomplete_details":null,"usage":{…}}
//
// OpenAI fills summary, servers of open models content, some of them summary, too.

func isResponses(v jsonscan.Value) bool {
	return v.Get("output").Kind() == jsonscan.Array && v.Get("object").Text().Equal("response")
}

func readResponses(p *Parser, v jsonscan.Value) {
	p.head(v)
	status := v.Get("status").Text()
	switch {
	case status.Equal("failed"), status.Equal("cancelled"), status.Equal("in_progress"), status.Equal("queued"):
		p.fail(codeNotCompletion, "the response's status is "+status.String())
	}
	if v.Get("output").Len() == 0 {
		return
	}
	c := p.choice(0)
	for _, item := range v.Get("output").Elements() {
		p.item(item, c)
	}
	c.finish(reasonOf(v))
}

// reasonOf is what the Responses API has for a finish reason: why it is
// incomplete, else its status.
func reasonOf(v jsonscan.Value) jsonscan.Value {
	if why := v.Get("incomplete_details", "reason"); why.Kind() == jsonscan.String {
		return why
	}
	if status := v.Get("status"); status.Kind() == jsonscan.String {
		return status
	}
	return jsonscan.Value{} // servers that keep no status leave it null
}

// item reads one item of the output.
func (p *Parser) item(v jsonscan.Value, to sink) {
	switch kind := v.Get("type").Text(); {
	case kind.Equal("reasoning"):
		p.reasoningItem(v, to)
	case kind.Equal("message"):
		if role := v.Get("role").Text(); role.Len() == 0 || role.Equal("assistant") {
			p.content(v.Get("content"), to)
		}
	case kind.Equal("function_call"):
		c, ok := functionCall(v)
		p.call(noIndex, c, ok, to)
	case kind.Equal("function_call_output"):
		p.flag(FlagSeveralTurns)
	default:
		p.flag(FlagUnknownPart)
	}
}

func (p *Parser) reasoningItem(v jsonscan.Value, to sink) {
	text, summary := p.flatten(v.Get("content"), "content"), v.Get("summary")
	to.add(Reasoning, "output[].content[].text", text)
	if text.Len() == 0 {
		for _, s := range summary.Elements() {
			to.add(Summary, "output[].summary[].text", s.Get("text").Text())
		}
	}
	to.add(Encrypted, "output[].encrypted_content", v.Get("encrypted_content").Text())
}

func functionCall(v jsonscan.Value) (c record.ToolCall, ok bool) {
	c, ok = record.ReadToolCall(v)
	if id := v.Get("call_id").Text(); ok && id.Len() > 0 {
		c.ID = id
	}
	return c, ok
}

func isResponsesEvent(v jsonscan.Value) bool {
	const prefix = "response."
	kind := v.Get("type").Text()
	return kind.Match(prefix, 0) == len(prefix)
}

// foldResponses joins the deltas; the event that ends the stream repeats the
// whole response, which then is taken instead.
func foldResponses(p *Parser, v jsonscan.Value) {
	kind, delta := v.Get("type").Text(), v.Get("delta").Text()
	index := callIndex(v.Get("output_index"))
	switch j := p.joiner(0); {
	case kind.Equal("response.output_text.delta"):
		j.add(Content, "content[].text", delta)
	case kind.Equal("response.reasoning_text.delta"):
		j.add(Reasoning, "output[].content[].text", delta)
	case kind.Equal("response.reasoning_summary_text.delta"):
		j.add(Summary, "output[].summary[].text", delta)
	case kind.Equal("response.refusal.delta"):
		j.refuse(delta)
	case kind.Equal("response.function_call_arguments.delta"):
		j.call(index, record.ToolCall{Arguments: delta})
	case kind.Equal("response.output_item.added"):
		if item := v.Get("item"); item.Get("type").Text().Equal("function_call") {
			call, ok := functionCall(item)
			if ok {
				call.Arguments = jsonscan.Text{} // come with their deltas
			}
			p.call(index, call, ok, j)
		}
	case kind.Equal("response.completed"), kind.Equal("response.incomplete"), kind.Equal("response.failed"):
		p.endResponses(j, v.Get("response"))
	}
}

func (p *Parser) endResponses(j *joiner, v jsonscan.Value) {
	p.stream.done = true
	if e := errorOf(v); e.Exists() {
		p.failWith(codeStreamError, e)
	}
	if v.Get("output").Len() == 0 { // some servers leave it out here
		p.head(v)
		j.finish(reasonOf(v))
		return
	}
	p.stream.joins = p.stream.joins[:0]
	readResponses(p, v)
}
