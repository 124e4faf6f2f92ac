package endpoint

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/provenance"
)

// Info asks what the server is: SGLang by /server_info (/get_server_info before
// 0.5), vLLM by /version, llama.cpp by /props. ok is false when it tells none of
// that. The model is left to whoever asks. Once a server has told that it is
// SGLang, requests that have a RequestID are sent to it by that name.
func (e *Endpoint) Info(ctx context.Context) (info provenance.Server, ok bool) {
	ctx, cancel := limited(ctx, questionTime)
	defer cancel()
	for _, path := range []string{"/server_info", "/get_server_info"} {
		if v, err := e.get(ctx, path); err == nil && v.Get("model_path").Exists() {
			e.aborts.Store(true)
			return e.sglang(v), true
		}
	}
	if v, err := e.get(ctx, "/version"); err == nil && v.Get("version").Kind() == jsonscan.String {
		return e.vllm(ctx, v), true
	}
	if v, err := e.get(ctx, "/props"); err == nil && v.Get("default_generation_settings").Exists() {
		return e.llama(v), true
	}
	return provenance.Server{}, false
}

// sglangArguments of SGLang's ServerArgs decide what answers are like. The others
// say how fast they come, differ from start to start (random_seed), or are secrets
// (api_key, admin_api_key, ssl_keyfile_password).
// Source: python/sglang/srt/server_args.py.
var sglangArguments = []string{
	"model_path", "served_model_name", "revision", "weight_version", "tokenizer_path", "load_format", "dtype",
	"quantization", "kv_cache_dtype", "context_length", "tp_size", "dp_size", "pp_size", "ep_size",
	"chat_template", "sampling_defaults", "preferred_sampling_params", "json_model_override_args",
	"attention_backend", "sampling_backend", "grammar_backend", "moe_runner_backend",
	"enable_deterministic_inference", "enable_lora", "speculative_algorithm", "speculative_draft_model_path",
}

func (e *Endpoint) sglang(v jsonscan.Value) provenance.Server {
	return provenance.Server{
		Engine: "sglang", Version: e.told(v.Get("version")),
		KnownParsers:    v.Get("reasoning_parser").Exists(),
		ReasoningParser: e.told(v.Get("reasoning_parser")), ToolParser: e.told(v.Get("tool_call_parser")),
		Arguments: e.arguments(nil, v, sglangArguments),
	}
}

// vllm adds what /v1/models tells of the model: the path that it was loaded from
// and its length. vLLM tells no parsers.
func (e *Endpoint) vllm(ctx context.Context, v jsonscan.Value) provenance.Server {
	info := provenance.Server{Engine: "vllm", Version: e.told(v.Get("version"))}
	models, err := e.get(ctx, "/v1/models")
	if err != nil {
		return info
	}
	for _, m := range models.Get("data").Elements() {
		if m.Get("parent").Kind() != jsonscan.String {
			info.Arguments = e.arguments(nil, m, []string{"root", "max_model_len"})
			break
		}
	}
	return info
}

// llama reads /props of llama.cpp: the build, the file of the model, its chat
// template, and in the default settings how thinking is told apart.
// Source: tools/server/README.md.
func (e *Endpoint) llama(v jsonscan.Value) provenance.Server {
	defaults := v.Get("default_generation_settings")
	format := defaults.Get("params", "reasoning_format")
	info := provenance.Server{
		Engine: "llama.cpp", Version: e.told(v.Get("build_info")),
		KnownParsers: format.Exists(), ReasoningParser: e.told(format),
		Arguments: e.arguments(e.arguments(nil, v, []string{"model_path", "model_alias"}), defaults, []string{"n_ctx"}),
	}
	if info.ReasoningParser == "none" {
		info.ReasoningParser = ""
	}
	if template := v.Get("chat_template"); template.Kind() == jsonscan.String {
		sum := sha256.Sum256([]byte(template.Text().String()))
		info.TemplateSHA256 = hex.EncodeToString(sum[:])
	}
	return info
}

// told is a text that a server tells of itself, without secrets, "" for none.
func (e *Endpoint) told(v jsonscan.Value) string { return e.words(v.Text().String(), maxTold) }

// maxTold bounds a text of a server's account of itself, in bytes.
const maxTold = 300

// arguments adds those of the members of v that are strings, numbers and booleans.
func (e *Endpoint) arguments(to map[string]json.RawMessage, v jsonscan.Value, names []string) map[string]json.RawMessage {
	if to == nil {
		to = map[string]json.RawMessage{}
	}
	for _, name := range names {
		switch m := v.Get(name); m.Kind() {
		case jsonscan.String:
			to[name] = jsonscan.AppendString(nil, withoutKeys(e.told(m)))
		case jsonscan.Number, jsonscan.True, jsonscan.False:
			to[name] = json.RawMessage(string(m.Raw()))
		}
	}
	return to
}

// withoutKeys is an address, such as of a bucket that a model was loaded from,
// without user, password and query; other texts stay as they are.
func withoutKeys(s string) string {
	if !strings.Contains(s, "://") {
		return s
	}
	u, err := url.Parse(s)
	if err != nil {
		return "***"
	}
	u.User, u.RawQuery = nil, ""
	return u.String()
}
