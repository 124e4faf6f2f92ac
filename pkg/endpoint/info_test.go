package endpoint

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/provenance"
)

func TestInfo(t *testing.T) {
	f := func(pages map[string]string, want provenance.Server, wantOK bool) {
		t.Helper()
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			answer, ok := pages[r.URL.Path]
			if !ok {
				http.NotFound(w, r)
				return
			}
			io.WriteString(w, answer)
		})
		if got, ok := newEndpoint(t, Config{URL: url, APIKey: "sk-very-secret"}).Info(t.Context()); !got.Same(&want) || ok != wantOK {
			t.Errorf("%v:\n got %+v %v\nwant %+v", pages, got, ok, want)
		}
	}
	arguments := func(text string) (a map[string]json.RawMessage) {
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	answer := `{"model_path":"s3://user:word@bucket/m?key=1","version":"0.5.6","reasoning_parser":null,"tool_call_parser":"kimi_k2","context_length":4096,` +
		`"api_key":"sk-very-secret","random_seed":17,"revision":null,"weight_version":"at sk-very-secret","enable_lora":false}`
	want := provenance.Server{Engine: "sglang", Version: "0.5.6", KnownParsers: true, ToolParser: "kimi_k2",
		Arguments: arguments(`{"model_path":"s3://bucket/m","context_length":4096,"weight_version":"at ***","enable_lora":false}`)}
	f(map[string]string{"/server_info": answer}, want, true)
	f(map[string]string{"/get_server_info": answer}, want, true)
	f(map[string]string{"/version": `{"version":"0.16.0"}`}, provenance.Server{Engine: "vllm", Version: "0.16.0"}, true)
	f(map[string]string{
		"/version":   `{"version":"0.16.0"}`,
		"/v1/models": `{"data":[{"id":"lora","parent":"m","root":"l"},{"id":"m","root":"org/M","parent":null,"max_model_len":32768}]}`,
	}, provenance.Server{Engine: "vllm", Version: "0.16.0", Arguments: arguments(`{"root":"org/M","max_model_len":32768}`)}, true)
	props := func(format string) string {
		return `{"default_generation_settings":{"n_ctx":4096,"params":{"temperature":0.8` + format + `}},"model_path":"/m.gguf","chat_template":"{{x}}","build_info":"b6500-abc"}`
	}
	llama := provenance.Server{Engine: "llama.cpp", Version: "b6500-abc", TemplateSHA256: "fd805e2acba5213ea322447fd8de9a0592443572d4526fc151e2d7157376135b",
		Arguments: arguments(`{"model_path":"/m.gguf","n_ctx":4096}`)}
	f(map[string]string{"/props": props("")}, llama, true)
	llama.KnownParsers, llama.ReasoningParser = true, "deepseek"
	f(map[string]string{"/props": props(`,"reasoning_format":"deepseek"`)}, llama, true)
	llama.ReasoningParser = ""
	f(map[string]string{"/props": props(`,"reasoning_format":"none"`)}, llama, true)
	f(nil, provenance.Server{}, false)
}
