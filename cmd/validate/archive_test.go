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

// TestArchives says what is wrong with real answers, file by file, and that
// nothing else is. Who changes a count here looks at the records first.
func TestArchives(t *testing.T) {
	dir := dataDir(t)
	clean, seen := 0, map[string]bool{}
	f := func(file, flags, want string) {
		t.Helper()
		seen[file] = true
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
		clean += int(r.Passed)
	}
	us := func(model string) string { return "us_criticism__" + model + ".jsonl" }
	const noID = "--allow missing-id "

	// The founding accident: nobody split the thinking off.
	f(us("deepseek_deepseek-r1-zero"), "--family none", "0/12 empty-reasoning:12 leaked-marker:12")
	f(us("qwen_qwen3-30b-a3b"), "--family none", "0/12 empty-reasoning:12 leaked-marker:12")
	f(us("microsoft_mai-ds-r1-fp8"), "--family none", "0/14 empty-reasoning:14 leaked-marker:14")

	// The same, split, and servers that split: silence.
	f(us("deepseek_deepseek-r1-zero"), "", "12/12")
	f(us("qwen_qwen3-30b-a3b"), "", "12/12")
	f(us("microsoft_mai-ds-r1-fp8"), "", "14/14")
	f(us("deepseek_deepseek-r1-0528"), "", "14/14")
	f(us("openai_gpt-oss-120b"), "", "20/20")
	f(us("qwen_qwen3-14b"), "", "10/10")
	f(us("qwen_qwen3-235b-a22b"), "", "10/10")
	f(us("thudm_glm-4-z1-32b-0414"), "", "10/10")
	f(us("x-ai_grok-3-mini-beta"), "", "12/12")

	// Lost characters, and answers after which the model thought once more.
	f(us("moonshotai_kimi-vl-a3b-thinking"), "", "7/14 bad-text:7 leaked-marker:2")

	// Models that do not think, and a server that says nothing of the end.
	f(us("anthropic_claude-3-7-sonnet-20250219"), "", "0/10 empty-reasoning:10")
	f(us("anthropic_claude-3-7-sonnet-20250219"), "--require no-reasoning", "10/10")
	f(us("anthropic_claude-3-7-sonnet-20250219"), "--no-think-ok model=anthropic/claude-3.7-sonnet", "10/10")
	f(us("qwen_qwen-2.5-7b-instruct"), "", "0/10 empty-reasoning:10")
	f(us("qwen_qwen-2.5-7b-instruct"), "--require optional", "10/10")
	f(us("perplexity_r1-1776"), "", "0/12 unfinished:12 empty-reasoning:12")
	f("evalscope_qwen-plus_gpqa.jsonl", noID, "0/10 empty-reasoning:10")
	f("ifbench_sample_output_head.jsonl", noID+"--require optional", "150/150 unfinished:150")
	f("gemma2_27b_amc23.jsonl", noID+"--require optional --text-field code.0", "40/40 unfinished:40")

	// Loops: one of the answers, and the two thoughts that ran into the limit.
	f("qwen25_math_7b_aime24_head.jsonl", noID+"--require optional --text-field code.0", "13/15 unfinished:15 repetition:2")
	f("sky_t1_32b_aime24_head.jsonl", noID+"--text-field code.0", "7/9 unfinished:9 suspect-split:2 repetition:2")

	// Thoughts that were cut, or never closed.
	f("gym_speed_bench.jsonl", noID, "3/5 truncated:2 unfinished:3 suspect-split:1")
	f("gym_omniscience.jsonl", "", "4/5 truncated:1 unfinished:4")

	// Stray closers, which extract cuts out; the records pass, with a warning.
	f("gym_swerl_llm_judge.jsonl", noID, "5/5 unfinished:5 leaked-marker:4")
	f("gym_swerl_llm_judge.jsonl", noID+"--fail leaked-marker", "1/5 unfinished:5 leaked-marker:4")

	// Names of channels, calls and thoughts left in the text.
	f("mlx_gemma4_e4b_variants_head.jsonl", noID+"--allow mixed-models", "0/65 bad-json:1 truncated:2 empty-reasoning:1 leaked-marker:64 missing-response:5")
	f("mlx_qwen35_variants_head.jsonl", noID+"--allow mixed-models", "56/76 bad-json:1 truncated:8 empty-reasoning:6 empty-content:2 leaked-marker:5")
	f("mlx_30_models_one_prompt.jsonl", noID+"--allow mixed-models", "10/29 bad-json:1 empty-reasoning:18 leaked-marker:1 missing-response:2")
	f("messages_with_reasoning_parts_head.jsonl", noID, "33/34 unfinished:34 leaked-marker:1")
	f("gym_proof_judge.jsonl", noID, "4/5 leaked-marker:1")

	// Agents' runs: calls are answers; one model did not think.
	f("gym_image_tools.jsonl", noID, "0/3 empty-reasoning:3")
	for file, n := range map[string]int{"arc_agi": 5, "arena_judge": 5, "evalplus": 5, "gdpval": 2, "newton_bench": 5, "ns_tools": 5, "spider2_lite": 5, "structeval": 5, "xlam_fc": 5} {
		f("gym_"+file+".jsonl", noID, fmt.Sprintf("%d/%[1]d unfinished:%[1]d", n))
	}

	// Of no known shape.
	f("deepseek_math_v2_imo2025.jsonl", "", "0/6 bad-json:6")
	f("misguided_attention_claude4_thinking.json", "", "0/1 bad-json:1")
	f("deepseek_math_v2_imo2025.jsonl", noID+"--require optional --text-field model_prediction.proof", "6/6 unfinished:6")

	all, err := os.ReadDir(filepath.Join(dir, "archive"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if !seen[e.Name()] {
			t.Errorf("%s: nobody says what is wrong with it", e.Name())
		}
	}
	t.Logf("%d records pass", clean)
}

// TestFalseAlarms counts what rules say about answers that people published as
// good ones: every finding was looked at, and these are all.
func TestFalseAlarms(t *testing.T) {
	dir := dataDir(t)
	clean := []string{
		"us_criticism__anthropic_claude-3-7-sonnet-20250219", "us_criticism__deepseek_deepseek-r1-0528", "us_criticism__deepseek_deepseek-r1-zero",
		"us_criticism__microsoft_mai-ds-r1-fp8", "us_criticism__openai_gpt-oss-120b", "us_criticism__perplexity_r1-1776", "us_criticism__qwen_qwen-2.5-7b-instruct",
		"us_criticism__qwen_qwen3-14b", "us_criticism__qwen_qwen3-235b-a22b", "us_criticism__qwen_qwen3-30b-a3b", "us_criticism__thudm_glm-4-z1-32b-0414",
		"us_criticism__x-ai_grok-3-mini-beta", "evalscope_qwen-plus_gpqa", "gym_arc_agi", "gym_arena_judge", "gym_evalplus", "gym_gdpval", "gym_newton_bench", "gym_ns_tools",
		"gym_spider2_lite", "gym_structeval", "gym_xlam_fc", "ifbench_sample_output_head",
	}
	var records, alarms int64
	for _, name := range clean {
		_, r := judge(t, "", "--require", "optional", "--allow", "missing-id", "--allow", "unfinished", filepath.Join(dir, "archive", name+".jsonl"))
		records += r.Records
		for _, f := range r.Findings {
			alarms++
			t.Errorf("%s:%d: %s: %s", name, f.Line, f.Rule, f.Detail)
		}
	}
	t.Logf("%d false alarms on %d clean answers", alarms, records)
}
