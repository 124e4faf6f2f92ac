package endpoint

import (
	"regexp"
	"strconv"
	"strings"
)

// overflows are words of servers for a prompt that is too long, in lower case:
// vLLM and OpenAI ("This model's maximum context length is …", "the model's context
// length is only …"), SGLang ("The input (… tokens) is longer than the model's
// context length", "Requested token count exceeds the model's maximum context
// length"), vLLM's engine, llama.cpp, TGI, Anthropic, Mistral, Gemini, Moonshot.
var overflows = []string{
	"maximum context length",
	"context length is only",
	"longer than the model's context length",
	"longer than the maximum model length",
	"context_length_exceeded",
	"exceed_context_size",
	"exceeds the available context size",
	"exceeds the context window",
	"`inputs` tokens + `max_new_tokens` must be",
	"prompt is too long",
	"exceed context limit",
	"exceeds the maximum number of tokens allowed",
	"exceeded model token limit",
	"maximum allowed input length",
	"cannot be greater than max_model_len",
	"must be at least 1, got -", // vLLM: what is left of the context for the answer
}

// IsContextOverflow reports whether the body of a 4xx says that the prompt does
// not fit the model's context.
func IsContextOverflow(body []byte) bool {
	text := strings.ToLower(string(body[:min(len(body), 16<<10)]))
	for _, words := range overflows {
		if strings.Contains(text, words) {
			return true
		}
	}
	return false
}

// sizes find the numbers in those words that have both.
var sizes = []*regexp.Regexp{
	// OpenAI, vLLM: … However, you requested 122946 tokens (112946 in the messages, 10000 in the completion).
	regexp.MustCompile(`maximum context length is (?P<limit>\d+) tokens.*?\((?P<prompt>\d+) in (?:your prompt|the messages|the prompt)`),
	// vLLM: … and your request has 1000 input tokens (10000 > 8192 - 1000).
	regexp.MustCompile(`maximum context length is (?P<limit>\d+) tokens.*?request has (?P<prompt>\d+) input tokens`),
	// vLLM in Rust: … but the prompt contains 9000 input tokens.
	regexp.MustCompile(`maximum context length is (?P<limit>\d+) tokens.*?prompt contains (?P<prompt>\d+)`),
	// OpenAI: … However, your messages resulted in 6164 tokens.
	regexp.MustCompile(`maximum context length is (?P<limit>\d+) tokens.*?resulted in (?P<prompt>\d+) tokens`),
	// OpenRouter: … However, you requested about 40000 tokens (30000 of text input, 10000 in the output).
	regexp.MustCompile(`maximum context length is (?P<limit>\d+) tokens.*?\((?P<prompt>\d+) of text input`),
	// vLLM since 0.13; see OverflowLimit.
	regexp.MustCompile(`passed (?P<prompt>\d+) input tokens and requested \d+ output tokens.*?context length is only (?P<limit>\d+) tokens.*?input length of (?P<most>\d+)`),
	// SGLang: The input (61709 tokens) is longer than the model's context length (40960 tokens).
	regexp.MustCompile(`input \((?P<prompt>\d+) tokens\) is longer than the model's context length \((?P<limit>\d+) tokens\)`),
	// SGLang: … of 131072 tokens. You requested a total of 140000 tokens: 9000 tokens from the input messages and …
	regexp.MustCompile(`maximum context length of (?P<limit>\d+) tokens.*?: (?P<prompt>\d+) tokens from the input`),
	// vLLM's engine: The decoder prompt (length 8357) is longer than the maximum model length of 8192.
	regexp.MustCompile(`prompt \(length (?P<prompt>\d+)\) is longer than the maximum model length of (?P<limit>\d+)`),
	// TGI: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3000 `inputs` tokens and 2000 `max_new_tokens`
	regexp.MustCompile("must be <= (?P<limit>\\d+). Given: (?P<prompt>\\d+) `inputs` tokens"),
	// llama.cpp: request (9000 tokens) exceeds the available context size (4096 tokens)
	regexp.MustCompile(`request \((?P<prompt>\d+) tokens\) exceeds the available context size \((?P<limit>\d+) tokens\)`),
	// Anthropic: prompt is too long: 213462 tokens > 200000 maximum
	regexp.MustCompile(`prompt is too long: (?P<prompt>\d+) tokens > (?P<limit>\d+) maximum`),
	// Anthropic: … exceed context limit: 188240 + 21333 > 200000
	regexp.MustCompile(`exceed context limit: (?P<prompt>\d+) \+ \d+ > (?P<limit>\d+)`),
	// Fireworks: The prompt is too long: 140000, model maximum context length: 131071
	regexp.MustCompile(`prompt is too long: (?P<prompt>\d+), model maximum context length: (?P<limit>\d+)`),
	// Mistral: Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length
	regexp.MustCompile(`[Pp]rompt contains (?P<prompt>\d+) tokens.*?too large for model with (?P<limit>\d+) maximum`),
	// Gemini: The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).
	regexp.MustCompile(`input token count \(?(?P<prompt>\d+)\)? exceeds the maximum number of tokens allowed \(?(?P<limit>\d+)`),
}

// OverflowLimit reads the tokens of the model's context and those of the prompt
// out of a server's message about a context overflow: limit - promptTokens are
// left for an answer, none when that is not above 0. ok is false when the message
// does not tell both.
//
// vLLM since 0.13 stops counting a prompt one token behind the longest that leaves
// room for the answer that was asked for ("You passed 99073 input tokens …
// resulting in a maximum input length of 99072 tokens"): that is no count.
func OverflowLimit(message string) (limit, promptTokens int, ok bool) {
	message = message[:min(len(message), 16<<10)]
	for _, size := range sizes {
		found := size.FindStringSubmatch(message)
		if found == nil {
			continue
		}
		number := func(name string) int {
			i := size.SubexpIndex(name)
			if i < 0 {
				return 0
			}
			n, err := strconv.Atoi(found[i])
			if err != nil {
				return 0
			}
			return n
		}
		limit, promptTokens = number("limit"), number("prompt")
		if most := number("most"); most > 0 && promptTokens == most+1 {
			return 0, 0, false
		}
		if limit > 0 && promptTokens > 0 {
			return limit, promptTokens, true
		}
	}
	return 0, 0, false
}
