package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// dataDir is the folder of real data, "" with a skipped test when there is none.
func dataDir(t *testing.T) string {
	t.Helper()
	dirs := []string{os.Getenv("THINKPIPE_DATA"), "../../../shared/data"}
	for _, dir := range dirs {
		if _, err := os.Stat(dir + "/archive"); dir != "" && err == nil {
			return dir
		}
	}
	t.Skip("no real data: THINKPIPE_DATA names no folder with archive/ in it")
	return ""
}

// TestArchives says what is wrong with real answers. Who changes a count here
// looks at the records first.
func TestArchives(t *testing.T) {
	dir := dataDir(t)
	f := func(file, flags, want string) {
		t.Helper()
		code, r := judge(t, "", append(strings.Fields(flags), filepath.Join(dir, "archive", file))...)
		got := fmt.Sprintf("%d/%d", r.Passed, r.Records)
		for _, rule := range r.Rules {
			if rule.Count > 0 {
				got += fmt.Sprintf(" %s:%d", rule.Rule, rule.Count)
			}
		}
		if got != want || code != map[string]int{"pass": 0, "fail": 1}[r.Gate] {
			t.Errorf("%s %s: exit %d, gate %s\n got %s\nwant %s", flags, file, code, r.Gate, got, want)
		}
	}
	us := func(model string) string { return "us_criticism__" + model + ".jsonl" }

	// The founding accident: nobody split the thinking off.
	f(us("deepseek_deepseek-r1-zero"), "--family none", "0/12 empty-reasoning:12 leaked-marker:12")
	f(us("qwen_qwen3-30b-a3b"), "--family none", "0/12 empty-reasoning:12 leaked-marker:12")
	f(us("microsoft_mai-ds-r1-fp8"), "--family none", "0/14 empty-reasoning:14 leaked-marker:14")

	// The same, split.
	f(us("deepseek_deepseek-r1-zero"), "", "12/12")
	f(us("qwen_qwen3-30b-a3b"), "", "12/12")
	f(us("microsoft_mai-ds-r1-fp8"), "", "14/14")
	f(us("moonshotai_kimi-vl-a3b-thinking"), "", "7/14 bad-text:7 leaked-marker:2")
	f(us("deepseek_deepseek-r1-0528"), "", "14/14")
	f(us("openai_gpt-oss-120b"), "", "20/20")
	f(us("qwen_qwen3-14b"), "", "10/10")
	f(us("qwen_qwen3-235b-a22b"), "", "10/10")
	f(us("thudm_glm-4-z1-32b-0414"), "", "10/10")
	f(us("x-ai_grok-3-mini-beta"), "", "12/12")

	// Models that do not think, and a server that says nothing of the end.
	f(us("anthropic_claude-3-7-sonnet-20250219"), "", "0/10 empty-reasoning:10")
	f(us("anthropic_claude-3-7-sonnet-20250219"), "--require no-reasoning", "10/10")
	f(us("qwen_qwen-2.5-7b-instruct"), "--require optional", "10/10")
	f(us("perplexity_r1-1776"), "", "0/12 unfinished:12 empty-reasoning:12")

	// Calls that were left in the text: extract reads them.
	f("gym_image_tools.jsonl", "--allow missing-id", "0/3 empty-reasoning:3")
	f("mlx_qwen35_variants_head.jsonl", "--allow missing-id --allow mixed-models", "56/76 bad-json:1 truncated:8 empty-reasoning:6 empty-content:2 leaked-marker:5")
	f("mlx_gemma4_e4b_variants_head.jsonl", "--allow missing-id --allow mixed-models", "59/65 bad-json:1 truncated:2 empty-reasoning:1 leaked-marker:3 missing-response:5")
	f("mlx_30_models_one_prompt.jsonl", "--allow missing-id --allow mixed-models", "10/29 bad-json:1 empty-reasoning:18 leaked-marker:1 missing-response:2")

	// Benchmarks' own formats.
	f("gym_omniscience.jsonl", "", "4/5 truncated:1 unfinished:4")
	f("messages_with_reasoning_parts_head.jsonl", "--allow missing-id", "33/34 unfinished:34 leaked-marker:1")
	f("ifbench_sample_output_head.jsonl", "--allow missing-id --require optional", "150/150 unfinished:150")
}
