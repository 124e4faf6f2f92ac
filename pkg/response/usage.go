package response

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Where servers count tokens: OpenAI and its like, then Anthropic and the
// Responses API, then Ollama. reasoning_tokens stands at the top level of
// SGLang's usage and in the details of everybody else's.
var (
	promptCounts     = [...]string{"prompt_tokens", "input_tokens", "prompt_eval_count"}
	completionCounts = [...]string{"completion_tokens", "output_tokens", "eval_count"}
	detailCounts     = [...]string{"completion_tokens_details", "output_tokens_details"}
	reasoningCounts  = [...]string{"reasoning_tokens", "thinking_tokens"}
)

// readUsage reads the counts that are there; v may be any value.
func readUsage(v jsonscan.Value) record.Usage {
	u := record.UnknownUsage()
	if v.Kind() != jsonscan.Object {
		return u
	}
	u.Prompt = count(v, promptCounts[:])
	u.Completion = count(v, completionCounts[:])
	u.Total = count(v, []string{"total_tokens"})
	for _, key := range detailCounts {
		if u.Reasoning < 0 {
			u.Reasoning = count(v.Get(key), reasoningCounts[:])
		}
	}
	if u.Reasoning < 0 {
		u.Reasoning = count(v, reasoningCounts[:1])
	}
	return u
}

// count is the first of the keys that holds an integer, -1 when none does.
func count(v jsonscan.Value, keys []string) int64 {
	for _, key := range keys {
		if n, ok := v.Get(key).Int(); ok {
			return n
		}
	}
	return -1
}

// usage keeps what a body or chunk says. In a stream the last one wins, count
// by count: Anthropic tells the prompt's at the start and the answer's at the end.
func (p *Parser) usage(v jsonscan.Value) {
	if v.Kind() != jsonscan.Object {
		return
	}
	last, u := readUsage(v), &p.rec.Usage
	u.Prompt = latest(u.Prompt, last.Prompt)
	u.Completion = latest(u.Completion, last.Completion)
	u.Reasoning = latest(u.Reasoning, last.Reasoning)
	u.Total = latest(u.Total, last.Total)
}

func latest(before, last int64) int64 {
	if last < 0 {
		return before
	}
	return last
}
