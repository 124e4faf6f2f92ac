package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// sampleJSON is a sample as a program in another language reads it.
type sampleJSON struct {
	ID        any
	Choice    int
	Reasoning string
	Content   string
	ToolCalls []struct {
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
	FinishReason string `json:"finish_reason"`
	Status       string `json:"reasoning_status"`
	Extract      struct {
		Family, Rules, Source string
		Flags                 []string
	}
}

// caseJSON is a case's expect.json, see testdata/cases.
type caseJSON struct {
	Binary, Family, Compare, Exit string
	Records                       []recordJSON
	Failures, Reported            []struct {
		ID   string
		Line int
	}
	Then *caseJSON
}

type recordJSON struct {
	ID                 any
	Choice             int
	Family             string
	Reasoning, Content *string
	ReasoningContains  []string `json:"reasoning_contains"`
	ContentContains    []string `json:"content_contains"`
	ContentNotContains []string `json:"content_not_contains"`
	FinishReason       *string  `json:"finish_reason"`
	ToolCalls          []struct {
		ID, Name  string
		Arguments any
	} `json:"tool_calls"`
	Accept string
}

// TestCases runs small inputs that broke other people's pipelines.
func TestCases(t *testing.T) {
	folders, _ := filepath.Glob("testdata/cases/*")
	if len(folders) < 18 {
		t.Fatalf("%d cases", len(folders))
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			var c caseJSON
			text, err := os.ReadFile(filepath.Join(folder, "expect.json"))
			if err == nil {
				err = json.Unmarshal(text, &c)
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.Binary != "extract" {
				c = *c.Then
			}
			inputs, _ := filepath.Glob(filepath.Join(folder, "input.*"))
			runCase(t, &c, inputs[0])
		})
	}
}

func runCase(t *testing.T, c *caseJSON, input string) {
	families := map[string]map[string]sampleJSON{}
	samplesOf := func(family string) map[string]sampleJSON {
		if family == "" {
			family = "auto"
		}
		if families[family] == nil {
			r := try("", "--family", family, input)
			if codes := map[string]string{"ok": "0", "data-error": "13", "usage": "2"}[c.Exit]; !strings.Contains(codes, fmt.Sprint(r.code)) {
				t.Errorf("--family %s: exit %d, want %s\n%s", family, r.code, c.Exit, r.err)
			}
			checkReports(t, c, input, r.err)
			families[family] = parse(t, r.out)
		}
		return families[family]
	}
	for _, want := range c.Records {
		if want.Family == "" {
			want.Family = c.Family
		}
		samples := samplesOf(want.Family)
		got, ok := samples[fmt.Sprint(want.ID, want.Choice)]
		if !ok {
			t.Errorf("no sample %v %d", want.ID, want.Choice)
			continue
		}
		for _, complaint := range compare(&want, &got, c.Compare == "trim") {
			if want.Accept == "exact-or-flagged" && len(got.Extract.Flags) > 0 {
				t.Logf("%v: %s, flagged %q", want.ID, complaint, got.Extract.Flags)
				continue
			}
			t.Errorf("%v: %s", want.ID, complaint)
		}
		if n := unreported(samples); len(c.Failures)+len(c.Reported) > 0 && n > len(c.Records) {
			t.Errorf("%d samples, want %d", n, len(c.Records))
		}
	}
}

// unreported is how many samples there are beside those that may come out
// because their line is reported and they say why.
func unreported(samples map[string]sampleJSON) int {
	n := len(samples)
	for _, s := range samples {
		if slices.Contains(s.Extract.Flags, response.FlagTwiceInCall) {
			n--
		}
	}
	return n
}

func parse(t *testing.T, out string) map[string]sampleJSON {
	samples := map[string]sampleJSON{}
	for line := range strings.Lines(out) {
		var s sampleJSON
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		samples[fmt.Sprint(s.ID, s.Choice)] = s
	}
	return samples
}

func checkReports(t *testing.T, c *caseJSON, input, errs string) {
	for _, f := range append(c.Failures, c.Reported...) {
		place := fmt.Sprintf("%s:%d: ", input, f.Line)
		if f.Line > 0 && !strings.Contains(errs, place) || f.ID != "" && !strings.Contains(errs, `id "`+f.ID+`"`) {
			t.Errorf("%+v is not reported:\n%s", f, errs)
		}
	}
}

// compare says in which ways a sample is not what is wanted.
func compare(want *recordJSON, got *sampleJSON, trim bool) (complaints []string) {
	is := func(what, got string, want *string) {
		if want == nil {
			return
		}
		w := *want
		if trim {
			got, w = strings.TrimSpace(got), strings.TrimSpace(w)
		}
		if got != w {
			complaints = append(complaints, fmt.Sprintf("%s is %q, want %q", what, got, w))
		}
	}
	contains := func(what, got string, parts []string, wanted bool) {
		for _, part := range parts {
			if strings.Contains(got, part) != wanted {
				complaints = append(complaints, fmt.Sprintf("%s %q contains %q: %v", what, got, part, !wanted))
			}
		}
	}
	is("reasoning", got.Reasoning, want.Reasoning)
	is("content", got.Content, want.Content)
	is("finish reason", got.FinishReason, want.FinishReason)
	contains("reasoning", got.Reasoning, want.ReasoningContains, true)
	contains("content", got.Content, want.ContentContains, true)
	contains("content", got.Content, want.ContentNotContains, false)
	if want.ToolCalls != nil && len(want.ToolCalls) != len(got.ToolCalls) {
		return append(complaints, fmt.Sprintf("%d tool calls, want %d", len(got.ToolCalls), len(want.ToolCalls)))
	}
	for i, w := range want.ToolCalls {
		call := got.ToolCalls[i]
		var arguments any
		json.Unmarshal([]byte(call.Function.Arguments), &arguments)
		if call.Function.Name != w.Name || w.ID != "" && call.ID != w.ID || !reflect.DeepEqual(arguments, w.Arguments) {
			complaints = append(complaints, fmt.Sprintf("call %+v, want %+v", call, w))
		}
	}
	return complaints
}
