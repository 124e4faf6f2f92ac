package response

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// SGLang's native /generate, one object or a list for several answers:
//
//	{"text":"…","output_ids":[…],"meta_info":{"finish_reason":{"type":"stop","matched":151645},
//	 "prompt_tokens":14,"completion_tokens":26}}
//
// Its stream repeats the whole text in every event unless the server runs with
// incremental_streaming_output.

func isGenerate(v jsonscan.Value) bool {
	if v.Kind() == jsonscan.Array {
		v = v.Index(0)
	}
	return v.Get("meta_info").Kind() == jsonscan.Object
}

func readGenerate(p *Parser, v jsonscan.Value) {
	if v.Kind() != jsonscan.Array {
		p.generated(v, p.choice(0), codeBodyError)
		return
	}
	for n, e := range v.Elements() {
		p.generated(e, p.choice(n), codeBodyError)
	}
}

func foldGenerate(p *Parser, v jsonscan.Value) {
	if v.Kind() == jsonscan.Array { // an event may hold several
		for n, e := range v.Elements() {
			p.foldGenerated(e, n)
		}
		return
	}
	p.foldGenerated(v, integer(v.Get("index"), 0))
}

func (p *Parser) foldGenerated(v jsonscan.Value, index int) {
	j := p.joiner(index)
	f := &j.fields[j.field(Content, "text")]
	f.certain, f.last = true, holds(v.Get("meta_info", "finish_reason"))
	p.rec.Usage = record.UnknownUsage() // the last event counts
	p.generated(v, j, codeStreamError)
}

// generated reads one answer; code is for a request that was aborted with an error.
func (p *Parser) generated(v jsonscan.Value, to sink, code string) {
	to.add(Content, "text", v.Get("text").Text())
	p.tokenIDs(v, to)
	meta := v.Get("meta_info")
	reason := meta.Get("finish_reason")
	to.finish(reason)
	if status, _ := reason.Get("status_code").Int(); status >= 400 {
		p.failWith(code, reason)
	}
	if simulated, _ := meta.Get("simulator").Bool(); simulated {
		p.rec.Simulated = true
	}
	p.addUsage(readUsage(meta))
}

// addUsage adds the counts of one of several answers to the same prompt.
func (p *Parser) addUsage(u record.Usage) {
	sum := &p.rec.Usage
	sum.Prompt = max(sum.Prompt, u.Prompt)
	sum.Completion = add(sum.Completion, u.Completion)
	sum.Reasoning = add(sum.Reasoning, u.Reasoning)
	sum.Total = max(sum.Total, u.Total)
}

// add adds counts, of which -1 is unknown.
func add(a, b int64) int64 {
	if a < 0 || b < 0 {
		return max(a, b)
	}
	return a + b
}
