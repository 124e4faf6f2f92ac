package check_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// verdicts are "1" for a row that is taken and "0" for one that is not, for each
// requirement without and with strict markers: what testdata/specforge.py prints.
func verdicts(t *testing.T, row []byte) string {
	t.Helper()
	var d jsonscan.Doc
	if err := d.Scan(row); err != nil {
		t.Fatalf("%s: %v", row, err)
	}
	var out strings.Builder
	for _, require := range []check.Require{check.Optional, check.Reasoning, check.NoReasoning} {
		for _, strict := range []bool{false, true} {
			if check.SpecForge(d.Root(), require, strict) == "" {
				out.WriteByte('1')
			} else {
				out.WriteByte('0')
			}
		}
	}
	return out.String()
}

func TestSpecForge(t *testing.T) {
	f := func(row, want string) {
		t.Helper()
		if got := verdicts(t, []byte(row)); got != want {
			t.Errorf("%s: %s, want %s", row, got, want)
		}
	}
	talk := func(messages string) string {
		return `{"id":"a","status":"success","conversations":[` + messages + `]}`
	}
	user, answer := `{"role":"user","content":"?"}`, `{"role":"assistant","content":"So."}`
	thought := `{"role":"assistant","content":"So.","reasoning_content":"Hm."}`
	f(talk(user+","+answer), "110011")
	f(talk(user+","+thought), "111100")
	f(talk(user+","+thought+","+user+","+answer), "110000")
	f(talk(`{"role":"system","content":"s"},{"role":"system","content":"t"},`+user+","+answer), "110011")
	f(talk(user+","+`{"role":"assistant","content":"<THINK>","reasoning_content":null}`), "100010")
	f(talk(user+","+`{"role":"assistant","content":"</thin\u212a>"}`), "100010")
	f(talk(user+","+`{"role":"assistant","content":"<//think>, <think, <th<Think>"}`), "100010")
	f(talk(user+","+`{"role":"assistant","content":"<//think> < think> <th\u0130nk>"}`), "110011")
	f(talk(user+","+`{"role":"assistant","content":"So.","reasoning_content":"<think>"}`), "101000")
	f(talk(user+","+`{"role":"assistant","content":"So.","reasoning_content":" \u001c\u3000"}`), "110011")
	for _, bad := range []string{
		`[]`, `{}`, `{"id":7,"status":"success","conversations":[` + user + "," + answer + `]}`, `{"id":" ","status":"success","conversations":[` + user + "," + answer + `]}`,
		`{"id":"a","status":"error","conversations":[` + user + "," + answer + `]}`, `{"id":"a","conversations":[` + user + "," + answer + `]}`,
		talk(""), talk(user), talk(answer), talk(answer + "," + user), talk(user + "," + answer + "," + user), talk(user + "," + user + "," + answer),
		talk(user + `,{"role":"tool","content":"x"},` + answer), talk(user + `,{"role":"system","content":"x"},` + answer), talk(`{"role":"system","content":"x"}`),
		talk(user + `,{"role":"assistant","content":" \n"}`), talk(user + `,{"role":"assistant","content":null}`), talk(user + `,{"role":"assistant","content":["x"]}`),
		talk(user + `,{"role":"assistant","content":"So.","reasoning_content":7}`), talk(`"x"`), talk(user + `,{"role":["assistant"],"content":"So."}`),
	} {
		f(bad, "000000")
	}
}

// TestSpecForgeAgainstPython compares rows that are nearly right with the same
// rules said in Python.
func TestSpecForgeAgainstPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3: SpecForge's rules are compared with nothing")
	}
	var rows [][]byte
	r := rand.New(rand.NewPCG(7, 0))
	for range 5_000 {
		row, err := json.Marshal(randomRow(r))
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	cmd := exec.Command(python, "testdata/specforge.py")
	cmd.Stdin = bytes.NewReader(bytes.Join(rows, []byte("\n")))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	want := strings.Fields(string(out))
	if err != nil || len(want) != len(rows) {
		t.Fatalf("%v, %d verdicts: %s", err, len(want), stderr.String())
	}
	taken := 0
	for i, row := range rows {
		if got := verdicts(t, row); got != want[i] {
			t.Fatalf("%s: %s, Python says %s", row, got, want[i])
		}
		if want[i] != "000000" {
			taken++
		}
	}
	if taken < len(rows)/5 || taken > len(rows)*4/5 {
		t.Errorf("%d of %d rows are taken: the rows are not near the edge", taken, len(rows))
	}
	t.Logf("%d of %d rows are taken by both", taken, len(rows))
}

func randomRow(r *rand.Rand) any {
	roles := []any{"user", "assistant"}
	messages := []any{}
	for range r.IntN(10) / 8 {
		messages = append(messages, randomMessage(r, "system"))
	}
	for i := range 2 + 2*r.IntN(2) {
		messages = append(messages, randomMessage(r, roles[i%2]))
	}
	if oneIn(r, 12) {
		messages = messages[:len(messages)-1]
	}
	row := map[string]any{"id": "q1", "status": "success", "conversations": messages, "meta": map[string]any{"status": "error"}}
	for key, values := range map[string][]any{
		"id":            {"", " \t", 7, nil, "\x1c\u00a0", "0"},
		"status":        {"error", "Success", "success ", nil, true},
		"conversations": {nil, []any{}, "x", map[string]any{}},
	} {
		if oneIn(r, 30) {
			row[key] = values[r.IntN(len(values))]
		}
		if oneIn(r, 60) {
			delete(row, key)
		}
	}
	return row
}

func randomMessage(r *rand.Rand, role any) any {
	texts := []any{"So.", "<think>", "</THINK>", "</thin\u212A>", "<th\u0130nk>", "a < think>", "<thi\u0307nk>", "\u2028 \x1f", "\u200b", "", " \n", nil, 7, []any{"x"}}
	text := func(usual int) any {
		if !oneIn(r, usual) {
			return texts[r.IntN(2)*r.IntN(7)]
		}
		return texts[r.IntN(len(texts))]
	}
	m := map[string]any{"role": role, "content": text(15)}
	if oneIn(r, 2) {
		m["reasoning_content"] = text(6)
	}
	if oneIn(r, 40) {
		m["role"] = []any{"tool", "system", "User", nil, "assistant", []any{"user"}}[r.IntN(6)]
	}
	if oneIn(r, 100) {
		return "user"
	}
	return m
}

func oneIn(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }
