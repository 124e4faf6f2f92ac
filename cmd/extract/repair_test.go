package main

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// FuzzRepair: a repaired record, flat or the message of a body that was kept as
// text, is JSON with the same members in the same order, but for the two values,
// whose texts are part of what was there.
func FuzzRepair(f *testing.F) {
	f.Add("<think>r</think>c", "", 1)
	f.Add("\n<think>\u00e9\"\\", "x", 2)
	f.Add("r</think>\U0001F600</think>", "", 0)
	f.Fuzz(func(t *testing.T, content, reasoning string, shape int) {
		quoted := func(s string) string {
			b, _ := json.Marshal(s)
			return string(b)
		}
		before := `{"a": 1E400, "content" :` + quoted(content)
		if shape%2 == 1 {
			before += `,"reasoning":` + quoted(reasoning)
		}
		before += `, "z":[12345678901234567890 ]}`
		line, unwrap := before, func(line string) string { return line }
		if shape&2 != 0 {
			line = `{"response_text":` + quoted(`{"choices":[{"message":`+before+`}]}`) + `,"id":"\u0061"}`
			unwrap = func(line string) string { return messageOf(t, line) }
		}
		r := try(line+"\n", "-q", "--repair")
		if r.code != 0 {
			t.Fatalf("exit %d: %s", r.code, r.err)
		}
		after := unwrap(strings.TrimSuffix(r.out, "\n"))
		a, b := members(t, before), members(t, after)
		json.Unmarshal(a["content"], &content) // invalid UTF-8 is another text by now
		json.Unmarshal(a["reasoning"], &reasoning)
		delete(a, "reasoning")
		delete(a, "content")
		var c, thought string
		json.Unmarshal(b["content"], &c)
		for _, key := range []string{"reasoning", "reasoning_content"} {
			json.Unmarshal(b[key], &thought)
			delete(b, key)
		}
		delete(b, "content")
		if !reflect.DeepEqual(a, b) || !strings.HasPrefix(after, `{"a": 1E400, "content" :`) || !strings.HasSuffix(after, `, "z":[12345678901234567890 ]}`) {
			t.Errorf("%s\nbecame %s", before, after)
		}
		if len(c) > len(content) || len(c)+len(thought) > len(content)+len(reasoning) {
			t.Errorf("%s\nbecame %s", before, after)
		}
	})
}

// A line is left alone, and told, where it holds two answers or something else
// where the thinking belongs.
func TestRepairSparesOthers(t *testing.T) {
	for _, line := range []string{
		`{"id":"a","messages":[{"role":"assistant","content":"<think>a</think>b"}],"content":"x"}`,
		`{"id":"a","messages":[{"role":"assistant","content":"x","value":"<think>a</think>b"}]}`,
		`{"id":"a","reasoning":{"effort":"high"},"content":"<think>a</think>b"}`,
		`{"id":"a","reasoning":7,"content":"<think>a</think>b"}`,
	} {
		if r := try(line+"\n", "--repair"); r.code != 1 || r.out != line+"\n" || !strings.Contains(r.err, "the line stays as it is") {
			t.Errorf("%s\nbecame %s%d %s", line, r.out, r.code, r.err)
		}
	}
}

// messageOf is what the body kept in a line has.
func messageOf(t *testing.T, line string) string {
	t.Helper()
	var outer struct {
		Text string `json:"response_text"`
	}
	var body struct {
		Choices []struct{ Message json.RawMessage }
	}
	if err := json.Unmarshal([]byte(line), &outer); err != nil || !strings.HasSuffix(line, `,"id":"\u0061"}`) {
		t.Fatalf("%v in %s", err, line)
	}
	if err := json.Unmarshal([]byte(outer.Text), &body); err != nil {
		t.Fatalf("%v in %s", err, outer.Text)
	}
	return string(body.Choices[0].Message)
}

func members(t *testing.T, line string) map[string]json.RawMessage {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.NewDecoder(bytes.NewReader([]byte(line))).Decode(&m); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	return m
}
