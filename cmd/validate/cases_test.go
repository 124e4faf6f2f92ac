package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// expectation is what a case's expect.json says of validate.
type expectation struct {
	Binary, Form, Input, Family, Exit string
	More                              []string `json:"more_inputs"`
	Problems                          []problem
	Clean                             []string
	Then                              *expectation
}

type problem struct {
	ID      string
	Line    int64
	Problem string
}

// ruleOfProblem maps the cases' words to rules where they differ.
var ruleOfProblem = map[string]string{"invalid-tool-arguments": "bad-tool-call", "finish-missing": "unfinished"}

func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/cases/*/expect.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) { testCase(t, file) })
	}
}

func testCase(t *testing.T, file string) {
	var want expectation
	if err := json.Unmarshal([]byte(read(t, file)), &want); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(file)
	args := []string{filepath.Join(dir, want.Input)}
	if want.Family != "" {
		args = append(args, "--family", want.Family)
	}
	for _, prompts := range want.More {
		args = append(args, "--expect", filepath.Join(dir, prompts))
	}
	if want.Binary != "validate" {
		want = *want.Then
	}
	code, r := judge(t, "", args...)
	if code != map[string]int{"ok": 0, "data-error": 1}[want.Exit] {
		t.Errorf("exit %d, want %s", code, want.Exit)
	}
	want.compare(t, r)
}

// compare wants the problems that are named, nothing else that fails, and
// nothing at all about what is clean.
func (want *expectation) compare(t *testing.T, r jsonReport) {
	left := slices.Clone(want.Problems)
	for _, f := range r.Findings {
		i := slices.IndexFunc(left, func(p problem) bool {
			rule := p.Problem
			if other := ruleOfProblem[rule]; other != "" {
				rule = other
			}
			return rule == f.Rule && (p.ID == f.ID || p.ID == "" && p.Line == f.Line)
		})
		switch {
		case i >= 0:
			left = slices.Delete(left, i, i+1)
		case f.Level == "fail", slices.Contains(want.Clean, f.ID):
			t.Errorf("not a problem: %+v", f)
		}
	}
	for _, p := range left {
		t.Errorf("not named: %+v", p)
	}
}

func read(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
