package response

import (
	"bytes"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// What a line holds besides the answer is carried, as it stands: the members that
// no reader knows, and those of an object under the key meta. Where both have a
// key the line's counts, as in prompts.

// carry makes Record.Meta. path is where the answer stands, "" for where the
// shape says.
func (p *Parser) carry(line jsonscan.Value, path string) {
	meta, own := p.meta[:0], jsonscan.Value{}
	var answer, rest string
	var whole bool
	if path != "" {
		answer, rest, whole = step(line, path)
	}
	for key, v := range line.Members() {
		name := p.decoded(key)
		switch k := v.Kind(); {
		case path != "" && string(name) == answer:
			if !whole {
				meta = appendMemberWithout(meta, 0, key, v, rest)
			}
		case k == jsonscan.Object && string(name) == "meta":
			own = v
		case knowsOfAll(name, k), p.knows(line, name, k), p.took(name, v):
		default:
			meta = append(appendKey(meta, 0, key), v.Raw()...)
		}
	}
	p.meta = meta
	if len(meta) == 0 {
		p.rec.Meta = own.Raw()
		return
	}
	for key, v := range own.Members() {
		if !line.Get(key.String()).Exists() {
			p.meta = append(appendKey(p.meta, 0, key), v.Raw()...)
		}
	}
	p.meta = append(p.meta, '}')
	p.rec.Meta = p.meta
}

// decoded is a key without escapes; it is valid until the next call.
func (p *Parser) decoded(key jsonscan.Text) []byte {
	if key.Flags&jsonscan.Escaped == 0 {
		return key.Raw
	}
	p.scratch = key.AppendTo(p.scratch[:0])
	return p.scratch
}

// appendKey appends a key to an object that begins at start.
func appendKey(dst []byte, start int, key jsonscan.Text) []byte {
	separator := byte(',')
	if len(dst) == start {
		separator = '{'
	}
	return append(key.AppendQuoted(append(dst, separator)), ':')
}

// appendMemberWithout appends a member without what stands at a path of its
// value, and not at all when nothing is left.
func appendMemberWithout(dst []byte, start int, key jsonscan.Text, v jsonscan.Value, path string) []byte {
	before := len(dst)
	dst = appendKey(dst, start, key)
	value := len(dst)
	if dst = appendWithout(dst, v, path); string(dst[value:]) == "{}" {
		return dst[:before]
	}
	return dst
}

// appendWithout appends a value without what stands at a path. The other
// elements of an array keep their places.
func appendWithout(dst []byte, v jsonscan.Value, path string) []byte {
	start := len(dst)
	key, rest, last := step(v, path)
	if v.Kind() == jsonscan.Array {
		dst = append(dst, '[')
		for n, e := range v.Elements() {
			if n > 0 {
				dst = append(dst, ',')
			}
			switch {
			case n != indexOf(key):
				dst = append(dst, e.Raw()...)
			case last:
				dst = append(dst, "null"...)
			default:
				dst = appendWithout(dst, e, rest)
			}
		}
		return append(dst, ']')
	}
	for k, m := range v.Members() {
		switch {
		case !k.Equal(key):
			dst = append(appendKey(dst, start, k), m.Raw()...)
		case !last:
			dst = appendMemberWithout(dst, start, k, m, rest)
		}
	}
	if len(dst) == start {
		dst = append(dst, '{')
	}
	return append(dst, '}')
}

// took reports whether a member gave the record its id or its messages.
func (p *Parser) took(name []byte, v jsonscan.Value) bool {
	if p.askedKey != "" && string(name) == p.askedKey {
		return true
	}
	switch string(name) {
	case "id", "custom_id", "uuid", "question_id", "task_id":
		p.scratch = p.rec.ID.AppendJSON(p.scratch[:0])
		return v.Kind() == jsonscan.Null || bytes.Equal(v.Raw(), p.scratch)
	}
	return false
}

// knowsOfAll is what lines of every shape may hold, see [Parser.envelope].
func knowsOfAll(key []byte, k jsonscan.Kind) bool {
	switch string(key) {
	case "sample", "turn", "error":
		return true
	case "attempt", "server_epoch":
		return k == jsonscan.Number || k == jsonscan.Null
	case "retried", "dead":
		return k == jsonscan.True || k == jsonscan.False || k == jsonscan.Null
	case "request", "responses_create_params":
		return k == jsonscan.Object || k == jsonscan.Null
	}
	return false
}

func knowsExchange(_ jsonscan.Value, key []byte, _ jsonscan.Kind) bool {
	switch string(key) {
	case "id", "response", "server", "lane", "started_at", "timing", "run":
		return true
	}
	return false
}

func knowsBatch(_ jsonscan.Value, key []byte, _ jsonscan.Kind) bool { return string(key) == "result" }

// knowsWrapped also takes a body that another one came before, but not a text
// beside it.
func knowsWrapped(line jsonscan.Value, key []byte, k jsonscan.Kind) bool {
	switch string(key) {
	case "response", "raw_response", "model_output":
		return k == jsonscan.Object || k == jsonscan.Array || k == jsonscan.Null
	case "status_code", "status":
		return k == jsonscan.Null || k == jsonscan.Number && statusOf(line) > 0
	case "response_text", "content_type":
		return k == jsonscan.String && line.Get("response_text").Kind() == jsonscan.String
	}
	return false
}

// knowsBeside is what may stand beside an answer that is no body.
func knowsBeside(key []byte, k jsonscan.Kind) bool {
	switch string(key) {
	case "model":
		return k == jsonscan.String || k == jsonscan.Null
	case "usage":
		return k == jsonscan.Object || k == jsonscan.Null
	case "finish_reason":
		return k == jsonscan.String || k == jsonscan.Object || k == jsonscan.Null
	}
	return false
}

func knowsField(_ jsonscan.Value, key []byte, k jsonscan.Kind) bool { return knowsBeside(key, k) }

func knowsConversation(_ jsonscan.Value, key []byte, k jsonscan.Kind) bool {
	switch string(key) {
	case "messages", "conversations", "conversation":
		return k == jsonscan.Array
	}
	return knowsBeside(key, k)
}

func knowsFlat(line jsonscan.Value, key []byte, k jsonscan.Kind) bool {
	switch string(key) {
	case "content", "reasoning_content", "reasoning", "thinking", "reasoning_text":
		return k == jsonscan.String || k == jsonscan.Array || k == jsonscan.Null
	case "reasoning_details", "thinking_blocks":
		return k == jsonscan.Array || k == jsonscan.Null
	case "refusal":
		return k == jsonscan.String || k == jsonscan.Null
	case "response":
		return k == jsonscan.Null || k == jsonscan.String && !line.Get("content").Exists()
	case "choice", "tool_calls", "function_call":
		return true
	}
	return knowsBeside(key, k)
}

// knowsSample is about samples that are split again.
func knowsSample(line jsonscan.Value, key []byte, k jsonscan.Kind) bool {
	switch string(key) {
	case "messages", "reasoning_status", "extract", "segments", "meta", "prompt_token_ids", "token_ids", "answer_token_index":
		return true
	}
	return knowsFlat(line, key, k)
}

// What servers write into a body themselves, by API: knowsChat is about OpenAI's
// chat and text completions and what engines and gateways add to them.

func knowsChat(_ jsonscan.Value, key []byte, _ jsonscan.Kind) bool {
	switch string(key) {
	case "id", "object", "created", "model", "choices", "usage", "system_fingerprint", "service_tier", "metadata",
		"prompt_logprobs", "prompt_token_ids", "kv_transfer_params", "timings", "stats", "model_info", "runtime", "provider",
		"x_groq", "usage_breakdown", "prompt_filter_results", "citations", "search_results", "perf_metrics", "time_info":
		return true
	}
	return false
}

func knowsGenerate(_ jsonscan.Value, key []byte, _ jsonscan.Kind) bool {
	switch string(key) {
	case "text", "output_ids", "meta_info", "index", "embedding", "generated_text", "details":
		return true
	}
	return false
}

func knowsResponses(_ jsonscan.Value, key []byte, _ jsonscan.Kind) bool {
	switch string(key) {
	case "id", "object", "created_at", "completed_at", "model", "output", "output_text", "status", "error", "incomplete_details",
		"instructions", "max_output_tokens", "max_tool_calls", "parallel_tool_calls", "previous_response_id", "reasoning", "store",
		"temperature", "text", "tool_choice", "tools", "top_p", "top_logprobs", "truncation", "usage", "user", "background", "billing",
		"conversation", "presence_penalty", "frequency_penalty", "prompt", "prompt_cache_key", "prompt_cache_retention",
		"safety_identifier", "service_tier", "metadata", "input_messages", "output_messages":
		return true
	}
	return false
}

func knowsAnthropic(_ jsonscan.Value, key []byte, _ jsonscan.Kind) bool {
	switch string(key) {
	case "id", "type", "role", "model", "content", "stop_reason", "stop_sequence", "stop_details", "usage", "container", "context_management":
		return true
	}
	return false
}

func knowsGemini(_ jsonscan.Value, key []byte, _ jsonscan.Kind) bool {
	switch string(key) {
	case "candidates", "usageMetadata", "usage_metadata", "modelVersion", "model_version", "responseId", "response_id",
		"promptFeedback", "prompt_feedback", "createTime", "create_time", "modelStatus", "model_status":
		return true
	}
	return false
}

func knowsOllama(_ jsonscan.Value, key []byte, _ jsonscan.Kind) bool {
	switch string(key) {
	case "model", "created_at", "message", "response", "thinking", "context", "done", "done_reason", "total_duration", "load_duration",
		"prompt_eval_count", "prompt_eval_duration", "eval_count", "eval_duration", "remote_model", "remote_host", "logprobs":
		return true
	}
	return false
}

func knowsCohere(_ jsonscan.Value, key []byte, _ jsonscan.Kind) bool {
	switch string(key) {
	case "id", "message", "finish_reason", "usage", "logprobs", "output", "stopReason", "metrics", "trace", "performanceConfig":
		return true
	}
	return false
}
