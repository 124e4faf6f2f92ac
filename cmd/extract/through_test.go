package main

import (
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// FuzzThrough: a line that is a sample already goes through as it is.
func FuzzThrough(f *testing.F) {
	f.Add("r", "c<think>", `{"k": 1E400}`, `"x":[ 1 ],`)
	f.Add("", "\xff\U0001F600", `{}`, ``)
	f.Fuzz(func(t *testing.T, reasoning, content, meta, more string) {
		line := `{ ` + more + `"id":"a","reasoning":` + string(jsonscan.AppendString(nil, reasoning)) + `, "content" :` + string(jsonscan.AppendString(nil, content)) +
			`,"reasoning_status":"present","extract":{"flags":["x"]},"meta":` + meta + `}`
		if !jsonscan.Valid([]byte(line)) || strings.ContainsAny(line, "\r\n") { // a document over several lines
			return
		}
		if r := try(line+"\n", "-q"); r.code == 0 && r.out != line+"\n" {
			t.Errorf("%s\nbecame %s", line, r.out)
		}
	})
}
