package response

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Cohere's APIs of version 1, chat and generate, and the stream of chat:
//
//	{"response_id":…,"generation_id":…,"text":…,"tool_calls":[{"name":…,"parameters":{…}}],"finish_reason":"COMPLETE","meta":{"tokens":{…}}}
//	{"id":…,"generations":[{"id":…,"text":…,"finish_reason":"COMPLETE"}],"meta":{…}}
//	{"event_type":"text-generation","text":…}
//	{"event_type":"tool-calls-chunk","text":…} {"event_type":"tool-calls-chunk","tool_call_delta":{"index":0,"name":…,"parameters":…}}
//	{"event_type":"stream-end","finish_reason":"COMPLETE","response":{…}}
//
// The text beside calls is what version 2 has as tool_plan.

func isCohereV1(v jsonscan.Value) bool {
	return v.Get("text").Kind() == jsonscan.String && v.Get("generation_id").Kind() == jsonscan.String ||
		v.Get("generations").Index(0).Get("text").Kind() == jsonscan.String
}

func readCohereV1(p *Parser, v jsonscan.Value) {
	if generations := v.Get("generations"); generations.Exists() {
		for n, g := range generations.Elements() {
			c := p.choice(integer(g.Get("index"), n))
			c.add(Content, "text", g.Get("text").Text())
			c.finish(g.Get("finish_reason"))
		}
	} else {
		p.cohereV1(v, p.choice(0))
	}
	p.usage(v.Get("meta", "tokens"))
}

func (p *Parser) cohereV1(v jsonscan.Value, to sink) {
	calls := v.Get("tool_calls")
	kind := Content
	if calls.Len() > 0 {
		kind = Plan
	}
	to.add(kind, "text", v.Get("text").Text())
	for _, c := range calls.Elements() {
		call, ok := record.ReadToolCall(c)
		p.call(ofItsOwn, call, ok, to)
	}
	to.finish(v.Get("finish_reason"))
}

var cohereV1Events = [...]string{
	"text-generation", "stream-start", "stream-end", "tool-calls-chunk", "tool-calls-generation",
	"citation-generation", "search-queries-generation", "search-results", "debug",
}

func isCohereV1Event(v jsonscan.Value) bool {
	return oneOf(v.Get("event_type").Text(), cohereV1Events[:])
}

// foldCohereV1 takes what repeats the deltas only when there were none.
func foldCohereV1(p *Parser, v jsonscan.Value) {
	switch j, kind := p.joiner(0), v.Get("event_type").Text(); {
	case kind.Equal("text-generation"):
		j.add(Content, "text", v.Get("text").Text())
	case kind.Equal("tool-calls-chunk"):
		j.add(Plan, "text", v.Get("text").Text())
		if d := v.Get("tool_call_delta"); d.Kind() == jsonscan.Object {
			call, ok := record.ReadToolCall(d)
			p.call(callIndex(d.Get("index")), call, ok, j)
		}
	case kind.Equal("tool-calls-generation") && len(j.calls.all) == 0:
		p.cohereV1(v, j)
	case kind.Equal("stream-end"):
		response := v.Get("response")
		if len(j.fields)+len(j.calls.all) == 0 {
			p.cohereV1(response, j)
		}
		j.finish(v.Get("finish_reason"))
		p.usage(response.Get("meta", "tokens"))
		p.stream.done = true
	}
}
