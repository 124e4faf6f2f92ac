package response

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// The Converse API of Amazon Bedrock:
//
//	{"output":{"message":{"role":"assistant","content":[
//	  {"reasoningContent":{"reasoningText":{"text":…,"signature":…}}}, {"reasoningContent":{"redactedContent":…}},
//	  {"text":…}, {"toolUse":{"toolUseId":…,"name":…,"input":{…}}}]}},
//	 "stopReason":"end_turn","usage":{"inputTokens":…,"outputTokens":…,"totalTokens":…}}
//
// It does not say which model answered: that stands in the request's path.

func isBedrock(v jsonscan.Value) bool {
	return v.Get("output", "message", "content").Kind() == jsonscan.Array
}

func readBedrock(p *Parser, v jsonscan.Value) {
	c := p.choice(0)
	for _, block := range v.Get("output", "message", "content").Elements() {
		p.bedrockBlock(block, c)
	}
	c.finish(v.Get("stopReason"))
	u := v.Get("usage")
	p.rec.Usage.Prompt = count(u, []string{"inputTokens"})
	p.rec.Usage.Completion = count(u, []string{"outputTokens"})
	p.rec.Usage.Total = count(u, []string{"totalTokens"})
}

func (p *Parser) bedrockBlock(b jsonscan.Value, to sink) {
	thought, call := b.Get("reasoningContent"), b.Get("toolUse")
	switch {
	case thought.Kind() == jsonscan.Object:
		to.add(Reasoning, "content[].reasoningContent", thought.Get("reasoningText", "text").Text())
		to.add(Encrypted, "content[].redactedContent", thought.Get("redactedContent").Text())
	case call.Kind() == jsonscan.Object:
		to.call(noIndex, record.ToolCall{ID: call.Get("toolUseId").Text(), Name: call.Get("name").Text(), Arguments: record.TextOf(call.Get("input"))})
	case b.Get("text").Kind() == jsonscan.String:
		to.add(Content, "content[].text", b.Get("text").Text())
	default:
		p.flag(FlagUnknownPart)
	}
}
