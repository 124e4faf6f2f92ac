package prompt_test

import (
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
)

// FuzzRead: whatever a line holds, it is a prompt whose request is JSON, of every
// API and every turn, or an error.
func FuzzRead(f *testing.F) {
	for _, line := range []string{
		`{"id":"a","prompt":"q","params":{"seed":7}}`,
		`{"input_ids":[1,2]}`,
		`{"turns":["1",[{"role":"user","content":"2"}]],"tools":"[{\"name\":\"f\"}]"}`,
		`{"messages":[{"role":"user"},{"role":"assistant","tool_calls":[{"id":"A","function":{"name":"f"}}]},{"role":"tool","tool_call_id":"A"},{"role":"user","content":[{"type":"text","text":"x"}]}]}`,
		`{"conversations":[{"from":"human","value":"q"},{"from":"function_call","value":"[{\"name\":\"f\"}]"},{"from":"observation","value":"r"},{"from":"gpt","value":"a"}]}`,
		`{"custom_id":"b","url":"/v1/responses","body":{"input":[{"role":"user","content":"q"},{"type":"function_call","call_id":"A","name":"f"},{"type":"function_call_output","call_id":"A"}],"tools":[{}]}}`,
		`{"custom_id":"b","url":"/generate","body":{"text":"q","sampling_params":{"n":2}}}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var d jsonscan.Doc
		if d.Scan(line) != nil {
			return
		}
		for _, turns := range []prompt.Turns{prompt.LastTurn, prompt.OneTurn, prompt.AllTurns} {
			r := prompt.Reader{Turns: turns}
			p, err := r.Read(d.Root(), line)
			if err != nil {
				continue
			}
			for _, api := range []prompt.API{prompt.Chat, prompt.Completions, prompt.Generate, prompt.Responses} {
				b := prompt.Builder{API: api, System: "s", Stream: true, TokenIDs: true}
				body, to, err := b.Body(&p, nil, 1)
				if err != nil {
					continue
				}
				if !jsonscan.Valid(body) {
					t.Fatalf("%s %s: the request is no JSON: %s", turns, api, body)
				}
				if s := p.Asked.Script; s != nil && s.Len() > 1 {
					later(t, &b, body, to, s)
				}
			}
		}
	})
}

// later makes the requests of the turns after the first.
func later(t *testing.T, b *prompt.Builder, first []byte, api prompt.API, s *prompt.Script) {
	var answers []prompt.Answer
	for turn := range s.Len() - 1 {
		answers = append(answers, answerOf(t, turn, "x"))
		body, err := b.Turn(first, api, s, answers)
		if err != nil {
			return
		}
		if !jsonscan.Valid(body) {
			t.Fatalf("turn %d is no JSON: %s", turn+1, body)
		}
	}
}
