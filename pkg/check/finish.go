package check

import (
	"bytes"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Finish reasons as servers spell them, in lower case, but for those that
// [reasoning.Cut] knows. Where they come from: OpenAI, SGLang, vLLM, llama.cpp and
// Ollama (content_filter, abort), Anthropic (refusal, pause_turn), Cohere (ERROR_TOXIC …), Gemini (SAFETY, RECITATION …),
// Mistral (error), GLM (sensitive, network_error), DeepSeek
// (insufficient_system_resource), LMDeploy (parse_error).
var (
	filterReasons = []string{"content_filter", "content-filter", "safety", "recitation", "blocklist", "prohibited_content", "spii", "image_safety", "sensitive", "error_toxic"}
	abortReasons  = []string{"abort", "aborted", "error", "cancelled", "canceled", "expired", "failed", "timeout", "insufficient_system_resource", "network_error", "parse_error", "malformed_function_call", "malformed_response", "unexpected_tool_call", "load", "unload", "error_limit", "user_cancel", "pause_turn"}
)

func contentFilter(_ *Checker, s *record.Sample) hit {
	return finishedBy(s, filterReasons)
}

// refusal is what the server says, not what the text sounds like.
func refusal(_ *Checker, s *record.Sample) hit {
	if has(s, extractor.FlagRefusal) {
		return hit{detail: "the server says so"}
	}
	return finishedBy(s, refusalReasons)
}

var refusalReasons = []string{"refusal"}

func truncated(_ *Checker, s *record.Sample) hit {
	if reasoning.Cut(string(s.FinishReason.Raw)) {
		h := hit{detail: "finish reason " + quoted(s.FinishReason), mark: endOf(s)}
		if s.Status == string(reasoning.Truncated) {
			h.detail += " inside the thought"
		}
		return h
	}
	if s.Status == string(reasoning.Truncated) {
		return hit{detail: `reasoning_status "truncated"`, mark: endOf(s)}
	}
	return hit{}
}

// endOf marks where an answer was cut.
func endOf(s *record.Sample) mark {
	for _, p := range [...]part{{"content", s.Content}, {"reasoning", s.Reasoning}} {
		if n := p.text.Len(); n > 0 {
			return mark{part: p.name, text: p.text.Raw, start: n, end: n}
		}
	}
	return mark{}
}

// unfinished is soft for a record that never had a finish reason: many honest
// sets were saved without.
func unfinished(_ *Checker, s *record.Sample) hit {
	switch {
	case s.FinishReason.Len() > 0:
		return finishedBy(s, abortReasons)
	case has(s, extractor.FlagNullFinish):
		return hit{detail: "finish reason is null"}
	}
	return hit{detail: "no finish reason", soft: true}
}

func finishedBy(s *record.Sample, reasons []string) hit {
	if !isOneOf(s.FinishReason, reasons) {
		return hit{}
	}
	return hit{detail: "finish reason " + quoted(s.FinishReason)}
}

// isOneOf compares without regard to case.
func isOneOf(t jsonscan.Text, reasons []string) bool {
	for _, r := range reasons {
		if len(t.Raw) == len(r) && bytes.EqualFold(t.Raw, []byte(r)) {
			return true
		}
	}
	return false
}
