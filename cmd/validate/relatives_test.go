package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// wrappings put an answer into the shapes in which people have it; each takes
// thinking, answer and finish reason as insides of JSON strings.
func wrappings() map[string]func(thought, answer, finish string) string {
	return map[string]func(thought, answer, finish string) string{
		"flat": func(thought, answer, finish string) string {
			return fmt.Sprintf(`{"id":"x","reasoning":"%s","content":"%s","finish_reason":"%s"}`, thought, answer, finish)
		},
		"chat, split": func(thought, answer, finish string) string {
			return fmt.Sprintf(`{"custom_id":"x","response":{"status_code":200,"body":{"model":"m","choices":[{"message":{"reasoning_content":"%s","content":"%s"},"finish_reason":"%s"}]}},"error":null}`, thought, answer, finish)
		},
		"bare body": func(thought, answer, finish string) string {
			return fmt.Sprintf(`{"id":"chatcmpl-x","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","reasoning":"%s","content":"%s"},"finish_reason":"%s"}]}`, thought, answer, finish)
		},
		"sample": func(thought, answer, finish string) string {
			return fmt.Sprintf(`{"id":"x","sample":0,"turn":0,"choice":0,"messages":[],"reasoning":"%s","content":"%s","tool_calls":[],"finish_reason":"%s","model":"","usage":{},"reasoning_status":"present","extract":{"family":"none","rules":"faithful/1","source":"","flags":[]},"meta":{}}`, thought, answer, finish)
		},
		"anthropic": func(thought, answer, finish string) string {
			stop := map[string]string{"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}[finish]
			return fmt.Sprintf(`{"id":"x","response":{"type":"message","role":"assistant","model":"claude","content":[{"type":"thinking","thinking":"%s"},{"type":"text","text":"%s"}],"stop_reason":"%s"}}`, thought, answer, stop)
		},
		"stream": func(thought, answer, finish string) string {
			event := func(delta, end string) string {
				return `data: {\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{` + delta + `},\"finish_reason\":` + end + `}]}\n\n`
			}
			escaped := func(s string) string { return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) }
			text := event(`\"reasoning_content\":\"`+escaped(thought)+`\"`, "null") + event(`\"content\":\"`+escaped(answer)+`\"`, `\"`+finish+`\"`) + `data: [DONE]\n\n`
			return `{"custom_id":"x","response":{"status_code":200,"headers":{"content-type":"text/event-stream"},"text":"` + text + `"},"error":null}`
		},
	}
}

// TestRelatives: a fault is found in whatever shape it comes, and what is close
// to it is not.
func TestRelatives(t *testing.T) {
	const loop = "Let me check the sum once more, it should be twelve. "
	faults := []struct{ name, thought, answer, finish, want string }{
		{"good", "Hm.", "So.", "stop", ""},
		{"no thinking", "", "So.", "stop", "empty-reasoning"},
		{"white thinking", ` \n\u00a0`, "So.", "stop", "empty-reasoning"},
		{"no answer", "Hm.", "", "stop", "empty-content"},
		{"white answer", "Hm.", `\n\u200b`, "stop", "empty-content"},
		{"cut", "Hm.", "So", "length", "truncated"},
		{"cut inside the thought", "Hm", "", "length", "truncated"},
		{"loop", strings.Repeat(loop, 60), "So.", "stop", "repetition"},
		{"loop of an answer", "Hm.", strings.Repeat(`no\n`, 500), "stop", "repetition"},
		{"newlines", "Hm.", "So." + strings.Repeat(`\n`, 700), "stop", "repetition"},
		{"three times is no loop", strings.Repeat(loop, 3), "So.", "stop", ""},
		{"stray closer", "Hm.", "So </think> it is.", "stop", "leaked-marker"},
		{"a closer in quotes", "Hm.", `So \"</think>\" it is.`, "stop", ""},
		{"end of turn", "Hm.", "So.<|im_end|>", "stop", "leaked-marker"},
		{"lost bytes", `Hm \ufffd`, "So.", "stop", "bad-text"},
		{"frac", "Hm.", `\frac12`, "stop", "bad-text"},
		{"twice the same", strings.Repeat("Seven is odd as nine is. ", 4), strings.Repeat("Seven is odd as nine is. ", 4), "stop", "copied-text"},
	}
	for shape, wrap := range wrappings() {
		for _, x := range faults {
			_, r := judge(t, wrap(x.thought, x.answer, x.finish), "--allow", "missing-id", "--fail", "copied-text")
			var got []string
			for _, f := range r.Findings {
				if f.Level == "fail" && !slices.Contains(got, f.Rule) {
					got = append(got, f.Rule)
				}
			}
			if strings.Join(got, " ") != x.want {
				t.Errorf("%s, %s: found %q, want %q", shape, x.name, got, x.want)
			}
		}
	}
}
