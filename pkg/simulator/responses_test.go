package simulator

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// outputOf reads a response's items as "type:text", the status and what is counted.
func outputOf(t *testing.T, body string) (items []string, status string, tokens int) {
	t.Helper()
	var r struct {
		Object, Status string
		Output         []struct {
			Type, Name, Arguments string
			Content               []struct{ Text string }
		}
		Usage struct {
			Output int `json:"output_tokens"`
		}
	}
	if err := json.Unmarshal([]byte(body), &r); err != nil || r.Object != "response" {
		t.Fatalf("%v: %s", err, body)
	}
	for _, o := range r.Output {
		item := o.Type + ":" + o.Name + o.Arguments
		for _, c := range o.Content {
			item += c.Text
		}
		items = append(items, item)
	}
	return items, r.Status, r.Usage.Output
}

func TestResponses(t *testing.T) {
	const tools = `,"tools":[{"type":"function","name":"f","parameters":{}}]`
	f := func(keys, more string, types string, want string) {
		t.Helper()
		body := `{"model":"simulated/Kimi-K2-Thinking","input":[{"role":"user","content":"What is it?"}]` + more + `}`
		s := newServer(t, keys)
		items, status, tokens := outputOf(t, post(t, s, "/v1/responses", body))
		var got []string
		for _, i := range items {
			kind, _, _ := strings.Cut(i, ":")
			got = append(got, kind)
		}
		if strings.Join(got, " ") != types || status != want || tokens == 0 {
			t.Errorf("%s %s: %q %s, %d tokens; want %s %s", keys, more, got, status, tokens, types, want)
		}
		stream := post(t, s, "/v1/responses", strings.TrimSuffix(body, "}")+`,"stream":true}`)
		events := strings.Split(strings.TrimSpace(stream), "\n\n")
		_, data, _ := strings.Cut(events[len(events)-1], "data: ")
		var last struct{ Response json.RawMessage }
		if err := json.Unmarshal([]byte(data), &last); err != nil {
			t.Fatal(err)
		}
		again, _, _ := outputOf(t, string(last.Response))
		if fmt.Sprint(again) != fmt.Sprint(items) {
			t.Errorf("the stream ends with %q, the body has %q", again, items)
		}
		if n := strings.Count(stream, ".delta\","); n < tokens-4 {
			t.Errorf("%d deltas of %d tokens", n, tokens)
		}
	}
	for _, engine := range []string{"sglang", "vllm"} {
		f("engine="+engine, "", "message", "completed")
		f("parser=on&engine="+engine, "", "reasoning message", "completed")
		f("parser=on&engine="+engine, `,"max_output_tokens":20`, "reasoning", "incomplete")
		f("parser=on&calls=1&engine="+engine, tools, "reasoning message function_call", "completed")
	}
}

func TestResponsesInput(t *testing.T) {
	f := func(input, want string) {
		t.Helper()
		r, err := parse(responses, []byte(`{"input":`+input+`}`), 1)
		if err != nil {
			want, r = "error: "+want, &request{prompt: "error: " + err.Error()}
		}
		if !strings.Contains(r.prompt, want) {
			t.Errorf("%s: %q, want %q", input, r.prompt, want)
		}
	}
	f(`"one"`, "one")
	f(`[{"role":"user","content":[{"type":"input_text","text":"one"}]},{"type":"reasoning"},{"type":"function_call","name":"f"},{"type":"function_call_output","output":"two"}]`, "one\n\ntwo")
	f(`[{"type":"odd"}]`, `unknown item type "odd"`)
	f(`7`, "input should be a valid string or list")
}

// TestContinue: the beginning of an answer and what goes on from it are the answer.
func TestContinue(t *testing.T) {
	for _, f := range families {
		for _, parser := range []string{"none", "on"} {
			for _, opener := range []string{"prompt", "model"} {
				s := newServer(t, "opener="+opener+"&parser="+parser+"&family="+f.name)
				text := func(body string) (thought, content string) {
					m := decode(t, post(t, s, "/v1/chat/completions", body)).Choices[0].Message
					if m.ReasoningContent != nil {
						thought = *m.ReasoningContent
					}
					return thought, m.Content
				}
				thought, content := text(ask(1, ""))
				for _, n := range []int{1, 20, 150} {
					before, start := text(ask(1, fmt.Sprintf(`,"max_tokens":%d`, n)))
					prefix := start
					switch {
					case before != "" && start != "":
						prefix = openMarker + before + closeMarker + start
					case before != "":
						prefix = openMarker + before
					}
					more := strings.Replace(ask(1, `,"continue_final_message":true,"add_generation_prompt":false`), "}]", `},{"role":"assistant","content":`+quoted(prefix)+`}]`, 1)
					after, end := text(more)
					if before+after != thought || start+end != content {
						t.Errorf("%s parser=%s opener=%s after %d tokens: %q + %q, %q + %q", f.name, parser, opener, n, before, after, start, end)
					}
				}
			}
		}
	}
}

func TestStreamedTokenIDs(t *testing.T) {
	s := newServer(t, "engine=vllm&parser=on")
	whole := decode(t, post(t, s, "/v1/chat/completions", ask(1, `,"return_token_ids":true`)))
	var ids, prompt []int
	for line := range strings.Lines(post(t, s, "/v1/chat/completions", ask(1, `,"return_token_ids":true,"stream":true`))) {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok || strings.HasPrefix(data, "[DONE]") {
			continue
		}
		var chunk struct {
			Prompt  []int `json:"prompt_token_ids"`
			Choices []struct {
				IDs []int `json:"token_ids"`
			}
		}
		if err := json.Unmarshal([]byte(data), &chunk); err != nil {
			t.Fatal(err)
		}
		prompt = append(prompt, chunk.Prompt...)
		for _, c := range chunk.Choices {
			ids = append(ids, c.IDs...)
		}
	}
	if fmt.Sprint(ids) != fmt.Sprint(whole.Choices[0].TokenIDs) || fmt.Sprint(prompt) != fmt.Sprint(whole.Prompt) {
		t.Errorf("%d and %d ids, the body has %d and %d", len(ids), len(prompt), len(whole.Choices[0].TokenIDs), len(whole.Prompt))
	}
}
