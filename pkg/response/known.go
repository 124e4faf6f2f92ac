package response

import "github.com/thinkpipe/thinkpipe/pkg/jsonscan"

// knowsOfAll is what lines of every shape may hold, see [Parser.envelope].
func knowsOfAll(key []byte, v jsonscan.Value) bool {
	k := v.Kind()
	switch string(key) {
	case "sample", "turn", "error":
		return true
	case "attempt", "server_epoch":
		return k == jsonscan.Null || integer(v, -1) >= 0
	case "retried", "dead":
		return k == jsonscan.True || k == jsonscan.False || k == jsonscan.Null
	case "request", "responses_create_params":
		return k == jsonscan.Object || k == jsonscan.Null
	}
	return false
}

func knowsExchange(_ jsonscan.Value, key []byte, _ jsonscan.Kind) bool {
	switch string(key) {
	case "id", "response", "server", "lane", "started_at", "timing", "run", "continues":
		return true
	}
	return false
}

func knowsBatch(_ jsonscan.Value, key []byte, _ jsonscan.Kind) bool {
	return string(key) == "result" || string(key) == "batch_result"
}

// knowsWrapped also takes a body that another one came before, but not a text
// beside it.
func knowsWrapped(line jsonscan.Value, key []byte, k jsonscan.Kind) bool {
	switch string(key) {
	case "response", "raw_response", "model_output", "body":
		return k == jsonscan.Object || k == jsonscan.Array || k == jsonscan.Null
	case "status_code", "status":
		return k == jsonscan.Null || k == jsonscan.Number && statusOf(line) > 0
	case "response_text", "content_type":
		return k == jsonscan.String && line.Get("response_text").Kind() == jsonscan.String
	case "response_body", "output", "outputs":
		return k == jsonscan.Object && wrapped(line) == line.Get(string(key))
	}
	return messageIn(wrapped(line)).Exists() && knowsBeside(key, k)
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

func knowsCohereV1(_ jsonscan.Value, key []byte, _ jsonscan.Kind) bool {
	switch string(key) {
	case "response_id", "generation_id", "text", "chat_history", "finish_reason", "tool_calls", "citations", "documents",
		"is_search_required", "search_queries", "search_results", "id", "generations", "prompt", "response_type":
		return true
	}
	return false
}
