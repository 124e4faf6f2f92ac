package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/export"
)

// data is a file of real data; the test is skipped without it.
func data(t *testing.T, name string) string {
	t.Helper()
	folder := os.Getenv("THINKPIPE_DATA")
	if folder == "" {
		folder = "../../../shared/data"
	}
	path := filepath.Join(folder, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no real data: %v", err)
	}
	return path
}

// TestRealArchives splits what real models wrote, with default flags.
func TestRealArchives(t *testing.T) {
	f := func(name, summary, source string) {
		t.Helper()
		t.Run(name, func(t *testing.T) {
			r := try("", data(t, "archive/"+name+".jsonl"))
			if r.code != 0 || !strings.Contains(r.err, "extract: "+summary+"\n") {
				t.Errorf("exit %d, want %s\n%s", r.code, summary, r.err)
			}
			for key, s := range parse(t, r.out) {
				if s.Extract.Source != source {
					t.Errorf("%s: source %q, want %q", key, s.Extract.Source, source)
				}
				if s.Status == "present" && (strings.TrimSpace(s.Reasoning) == "" || strings.TrimSpace(s.Content) == "") {
					t.Errorf("%s: %q | %q", key, s.Reasoning, s.Content)
				}
				if strings.Contains(s.Reasoning, "</think>") || strings.HasPrefix(s.Content, "</think>") {
					t.Errorf("%s: a marker is left", key)
				}
			}
		})
	}
	f("us_criticism__anthropic_claude-3-7-sonnet-20250219", "10 records: 10 missing", "")
	f("us_criticism__deepseek_deepseek-r1-0528", "14 records: 14 present", "reasoning")
	f("us_criticism__deepseek_deepseek-r1-zero", "12 records: 12 present", "content")
	f("us_criticism__microsoft_mai-ds-r1-fp8", "14 records: 14 present", "content")
	f("us_criticism__moonshotai_kimi-vl-a3b-thinking", "14 records: 14 present", "content")
	f("us_criticism__openai_gpt-oss-120b", "20 records: 20 present", "reasoning")
	f("us_criticism__perplexity_r1-1776", "12 records: 12 missing", "")
	f("us_criticism__qwen_qwen-2.5-7b-instruct", "10 records: 10 absent", "")
	f("us_criticism__qwen_qwen3-14b", "10 records: 10 present", "reasoning")
	f("us_criticism__qwen_qwen3-235b-a22b", "10 records: 10 present", "reasoning")
	f("us_criticism__qwen_qwen3-30b-a3b", "12 records: 12 present", "content")
	f("us_criticism__thudm_glm-4-z1-32b-0414", "10 records: 10 present", "reasoning")
	f("us_criticism__x-ai_grok-3-mini-beta", "12 records: 12 present", "reasoning")
	f("gym_arena_judge", "5 records: 5 present", "content[].text")
	f("gym_gdpval", "2 records: 2 present", "content[].text")
	f("gym_ns_tools", "5 records: 5 present", "content[].text")
	f("gym_spider2_lite", "5 records: 5 present", "content[].text")
}

// Every archive at hand can be proved, and proof changes nothing.
func TestProofHolds(t *testing.T) {
	f := func(pattern string) {
		t.Helper()
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			proved, plain := try("", "--prove", file), try("", file)
			if proved.code != plain.code || proved.out != plain.out || !strings.Contains(proved.err, "proof: everything holds: ") {
				t.Errorf("%s: exit %d and %d, %s", file, proved.code, plain.code, proved.err)
			}
		}
	}
	f("testdata/cases/*/input.*")
	f(filepath.Join(data(t, "archive"), "*.jsonl"))
}

// Every archive at hand goes out in every form: a row of JSON for each sample, or
// a cause.
func TestFormatsOfArchives(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(data(t, "archive"), "*.jsonl"))
	for _, file := range files {
		samples := strings.Count(try("", file).out, "\n")
		for f := range export.Formats() {
			r := try("", "--max-bad", "100%", "--format", f.Name, file)
			rows, refused := strings.Count(r.out, "\n"), strings.Count(r.err, "--format "+f.Name+": ")
			if rows+refused != samples {
				t.Errorf("%s as %s: %d rows, %d refused of %d samples\n%s", file, f.Name, rows, refused, samples, r.err)
			}
			for line := range strings.Lines(r.out) {
				if !json.Valid([]byte(line)) {
					t.Errorf("%s as %s: %s", file, f.Name, line)
				}
			}
		}
	}
}
