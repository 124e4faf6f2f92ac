package prompt_test

import (
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

func TestContinue(t *testing.T) {
	f := func(api prompt.API, body, thought, content, want string) {
		t.Helper()
		p := record.Part{Reasoning: jsonscan.Quote(thought), Content: jsonscan.Quote(content)}
		got, err := prompt.Continue([]byte(body), api, &p, 7)
		if err != nil {
			got = []byte("error: " + err.Error())
		}
		if string(got) != want {
			t.Errorf("%s\n got %s\nwant %s", body, got, want)
		}
	}
	chat := func(model, content, limit string) string {
		return `{"model":"` + model + `","messages":[{"role":"user","content":"q"},{"role":"assistant","content":"` + content + `"}],` + limit +
			`"continue_final_message":true,"add_generation_prompt":false`
	}
	asked := func(model, more string) string {
		return `{"model":"` + model + `","messages":[{"role":"user","content":"q"}]` + more + `}`
	}
	// What a server split is written as the model wrote it.
	f(prompt.Chat, asked("qwen3", `,"max_tokens":5`), "hm", "", chat("qwen3", "<think>hm", `"max_tokens":7,`)+"}")
	f(prompt.Chat, asked("qwen3", `,"max_completion_tokens":5`), "hm", `Say "x"`, chat("qwen3", `<think>hm</think>Say \"x\"`, `"max_completion_tokens":7,`)+"}")
	f(prompt.Chat, asked("qwen3", ""), "hm", "", chat("qwen3", "<think>hm", "")+`,"max_tokens":7}`)
	// What no server split stands as it is, behind the marker that the template writes.
	f(prompt.Chat, asked("qwen3", `,"max_tokens":5`), "", "<think>hm", chat("qwen3", "<think>hm", `"max_tokens":7,`)+"}")
	f(prompt.Chat, asked("deepseek-r1", `,"max_tokens":5`), "", "hm", chat("deepseek-r1", "<think>hm", `"max_tokens":7,`)+"}")
	f(prompt.Chat, asked("deepseek-r1", `,"max_tokens":5`), "", "hm</think>x", chat("deepseek-r1", "<think>hm</think>x", `"max_tokens":7,`)+"}")
	f(prompt.Chat, asked("glm-4.7", `,"chat_template_kwargs":{"enable_thinking":false}`), "", "x",
		chat("glm-4.7", "x", `"chat_template_kwargs":{"enable_thinking":false},`)+`,"max_tokens":7}`)
	f(prompt.Chat, asked("glm-4.7", `,"thinking":{"type":"disabled"}`), "", "x", chat("glm-4.7", "x", `"thinking":{"type":"disabled"},`)+`,"max_tokens":7}`)
	f(prompt.Chat, asked("other", `,"max_tokens":5`), "", "x", chat("other", "x", `"max_tokens":7,`)+"}")

	f(prompt.Completions, `{"prompt":"q\n","max_tokens":5}`, "", "a \"b\"", `{"prompt":"q\na \"b\"","max_tokens":7}`)
	f(prompt.Generate, `{"text":"q","sampling_params":{"max_new_tokens":5,"top_p":1}}`, "", "a", `{"text":"qa","sampling_params":{"max_new_tokens":7,"top_p":1}}`)
	f(prompt.Generate, `{"text":"q"}`, "", "a", `{"text":"qa","sampling_params":{"max_new_tokens":7}}`)
	f(prompt.Generate, `{"text":"q","sampling_params":{"top_p":1}}`, "", "a", `{"text":"qa","sampling_params":{"top_p":1,"max_new_tokens":7}}`)
	f(prompt.Generate, `{"input_ids":[1]}`, "", "a", `error: what was asked cannot be gone on with`)
	f(prompt.Completions, `{"prompt":[1,2]}`, "", "a", `error: what was asked cannot be gone on with`)
	f(prompt.Responses, `{"input":"q"}`, "", "a", `error: what was asked cannot be gone on with`)
}
