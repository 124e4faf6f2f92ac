package response

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Gemini, as its API writes it; dumps of the Python library use snake_case:
//
//	{"candidates":[{"index":0,"content":{"parts":[{"text":…,"thought":true},{"text":…},
//	 {"functionCall":{"name":…,"args":{…}}}]},"finishReason":"STOP"}],"usageMetadata":{…},"modelVersion":…}
//
// What is marked as a thought is a summary. A stream is a series of such objects.

func isGemini(v jsonscan.Value) bool { return v.Get("candidates").Kind() == jsonscan.Array }

// either is the member of that name in one of its two spellings.
func either(v jsonscan.Value, camel, snake string) jsonscan.Value {
	if m := v.Get(camel); m.Exists() {
		return m
	}
	return v.Get(snake)
}

func readGemini(p *Parser, v jsonscan.Value) {
	p.geminiHead(v)
	for n, c := range v.Get("candidates").Elements() {
		to := p.choice(integer(c.Get("index"), n))
		p.candidate(c, to)
		to.Open = !to.HasFinish // whole answers have a finish reason
	}
}

// foldGemini does not take a finish reason for the end: some versions gave one
// with every chunk.
func foldGemini(p *Parser, v jsonscan.Value) {
	if p.ofAnother(either(v, "responseId", "response_id").Text()) {
		p.another()
		return
	}
	p.geminiHead(v)
	for n, c := range v.Get("candidates").Elements() {
		j := p.joiner(integer(c.Get("index"), n))
		j.after = false
		p.candidate(c, j)
	}
}

func (p *Parser) candidate(c jsonscan.Value, to sink) {
	for _, part := range c.Get("content", "parts").Elements() {
		switch f := either(part, "functionCall", "function_call"); {
		case f.Kind() == jsonscan.Object:
			to.call(noIndex, record.ToolCall{ID: f.Get("id").Text(), Name: f.Get("name").Text(), Arguments: record.TextOf(f.Get("args"))})
		case part.Get("thought").Kind() == jsonscan.True:
			to.add(Summary, "parts[].thought", part.Get("text").Text())
		case part.Get("text").Kind() == jsonscan.String:
			to.add(Content, "parts[].text", part.Get("text").Text())
		default:
			p.flag(FlagUnknownPart)
		}
	}
	to.finish(either(c, "finishReason", "finish_reason"))
}

// geminiHead reads what stands beside the candidates. Gemini counts thoughts
// apart from the answer; everybody else's completion tokens hold both.
func (p *Parser) geminiHead(v jsonscan.Value) {
	if p.rec.Model.Len() == 0 {
		p.rec.Model = p.keep(either(v, "modelVersion", "model_version").Text())
	}
	u := either(v, "usageMetadata", "usage_metadata")
	if u.Kind() != jsonscan.Object {
		return
	}
	n := func(camel, snake string) int64 { return count(u, []string{camel, snake}) }
	p.rec.Usage = record.Usage{
		Prompt:     n("promptTokenCount", "prompt_token_count"),
		Completion: n("candidatesTokenCount", "candidates_token_count"),
		Reasoning:  n("thoughtsTokenCount", "thoughts_token_count"),
		Total:      n("totalTokenCount", "total_token_count"),
	}
	p.rec.Usage.Completion = add(p.rec.Usage.Completion, p.rec.Usage.Reasoning)
}
