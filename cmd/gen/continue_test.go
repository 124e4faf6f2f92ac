package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/extractor"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// text is what extract makes of an answer.
type text struct {
	thought, answer, status, finish string
	tokens                          int64
}

// texts extracts an archive: what each prompt was answered, and how often.
func texts(t *testing.T, path string) map[string][]text {
	t.Helper()
	x, err := extractor.New(extractor.Config{Segments: true})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]text{}
	var prover extractor.Prover
	for _, line := range archivedLines(t, path) {
		var d jsonscan.Doc
		if err := d.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		r, err := x.Line(d.Root())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := prover.Prove(d.Root(), r, false); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		for _, s := range r.Samples {
			if slices.Contains(s.Extract.Flags, "continued") != strings.Contains(line, `"continues":`) {
				t.Errorf("flags %q of %s", s.Extract.Flags, line)
			}
			found[s.ID.String()] = append(found[s.ID.String()], text{s.Reasoning.String(), s.Content.String(), s.Status, s.FinishReason.String(), s.Usage.Completion})
		}
	}
	return found
}

func archivedLines(t *testing.T, path string) (lines []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")
}

// TestContinue: an answer that was cut and gone on with is the whole one, wherever
// it was cut and whoever splits the thinking off; the same by a later run.
func TestContinue(t *testing.T) {
	for _, family := range []string{"kimi_k2", "deepseek_r1", "qwen3&opener=model", "glm45"} {
		for _, keys := range []string{"parser=none", "parser=on", "parser=on&engine=vllm"} {
			dir := t.TempDir()
			run := func(archive string, flags ...string) string {
				args := append([]string{"--server", "sim:?latency=0&tokens=60&family=" + family + "&" + keys, "--progress", "never", "-o", archive}, flags...)
				code, _, log := gen(t, prompts(12), args...)
				if code != 0 {
					t.Fatalf("%s %s %q: exit %d\n%s", family, keys, flags, code, log)
				}
				return log
			}
			whole, cut, later := filepath.Join(dir, "whole.jsonl"), filepath.Join(dir, "cut.jsonl"), filepath.Join(dir, "later.jsonl")
			run(whole)
			want := texts(t, whole)
			log := run(cut, "--max-tokens", "40", "--continue", "1000")
			if !strings.Contains(log, "12 in = 12 done") || !strings.Contains(log, "cut and continued)") {
				t.Errorf("%s %s: %s", family, keys, log)
			}
			compare(t, family+" "+keys, want, texts(t, cut))
			run(later, "--max-tokens", "40")
			log = run(later, "--max-tokens", "40", "--continue", "1000")
			if !strings.Contains(log, "12 in = 12 done") {
				t.Errorf("%s %s: %s", family, keys, log)
			}
			compare(t, family+" "+keys+", later", want, texts(t, later))
			if log = run(later, "--max-tokens", "40", "--continue", "1000"); !strings.Contains(log, "(12 done before)") || strings.Contains(log, "continued") {
				t.Errorf("%s %s: nothing was left to do: %s", family, keys, log)
			}
		}
	}
}

// compare wants the last answer to each prompt; those before it were cut.
func compare(t *testing.T, what string, want, got map[string][]text) {
	t.Helper()
	for id, w := range want {
		all := got[id]
		if len(all) == 0 {
			t.Fatalf("%s: %s has no answer", what, id)
		}
		if g := all[len(all)-1]; g != w[0] {
			t.Errorf("%s: %s\n got %+v\nwant %+v", what, id, g, w[0])
		}
		for _, g := range all[:len(all)-1] {
			if g.finish != "length" {
				t.Errorf("%s: %s has another answer: %+v", what, id, g)
			}
		}
	}
}

// TestContinueBudget: no answer gets more tokens than it may have, and what is left
// of it is kept as it is.
func TestContinueBudget(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "raw.jsonl")
	run := func(most string) string {
		code, _, log := gen(t, prompts(5), "--server", "sim:?latency=0&tokens=400", "--progress", "never", "-o", archive, "--max-tokens", "20", "--continue", most)
		if code != 0 {
			t.Fatalf("exit %d\n%s", code, log)
		}
		return log
	}
	run("50")
	for id, all := range texts(t, archive) {
		if len(all) != 1 || all[0].tokens != 50 || all[0].finish != "length" {
			t.Errorf("%s: %+v", id, all)
		}
	}
	if log := run("50"); !strings.Contains(log, "(5 done before)") {
		t.Errorf("%s", log)
	}
	run("80") // a greater one goes on
	for id, all := range texts(t, archive) {
		if last := all[len(all)-1]; last.tokens != 80 {
			t.Errorf("%s: %+v", id, all)
		}
	}
}

// TestContinueKilled: a run that ended between the two leaves a line that says that
// another follows; the next one sends that, or asks anew.
func TestContinueKilled(t *testing.T) {
	dir := t.TempDir()
	server := []string{"--server", "sim:?latency=0&tokens=60", "--progress", "never", "--max-tokens", "20"}
	full := filepath.Join(dir, "full.jsonl")
	if code, _, log := gen(t, prompts(4), append(server, "-o", full, "--continue", "500")...); code != 0 {
		t.Fatal(log)
	}
	var first []string
	for _, line := range archivedLines(t, full) {
		var x struct{ Retried bool }
		if json.Unmarshal([]byte(line), &x); x.Retried {
			first = append(first, line)
		}
	}
	for flags, tokens := range map[string]int64{"--continue 500": 60, "": 20} {
		archive := filepath.Join(dir, "cut"+flags+".jsonl")
		if err := os.WriteFile(archive, []byte(strings.Join(first, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		code, _, log := gen(t, prompts(4), append(append(server, "-o", archive), strings.Fields(flags)...)...)
		if code != 0 || !strings.Contains(log, "4 in = 4 done") {
			t.Fatalf("%q: exit %d\n%s", flags, code, log)
		}
		if n := len(archivedLines(t, archive)); n != 8 {
			t.Errorf("%q: %d lines", flags, n)
		}
		for id, all := range texts(t, archive) {
			if len(all) != 1 || (all[0].tokens == 20) != (tokens == 20) {
				t.Errorf("%q: %s: %+v", flags, id, all)
			}
		}
	}
}

// TestContinueTexts: a text prompt is gone on with at its end.
func TestContinueTexts(t *testing.T) {
	for api, key := range map[string]string{"completions": "prompt", "generate": "text"} {
		archive := filepath.Join(t.TempDir(), "raw.jsonl")
		code, _, log := gen(t, prompts(3), "--server", "sim:?latency=0&tokens=100", "--api", api, "--progress", "never", "-o", archive, "--max-tokens", "20", "--continue", "70")
		if code != 0 {
			t.Fatalf("exit %d\n%s", code, log)
		}
		type line struct {
			ID       string `json:"custom_id"`
			Retried  bool
			Request  struct{ Body map[string]any }
			Response struct {
				Body struct {
					Text    string
					Choices []struct{ Text string }
				}
			}
		}
		begun := map[string]line{}
		for _, raw := range archivedLines(t, archive) {
			var x line
			if err := json.Unmarshal([]byte(raw), &x); err != nil {
				t.Fatal(err)
			}
			if x.Retried {
				begun[x.ID] = x
				continue
			}
			before := begun[x.ID]
			written := before.Response.Body.Text
			for _, c := range before.Response.Body.Choices {
				written += c.Text
			}
			if want := before.Request.Body[key].(string) + written; x.Request.Body[key] != want {
				t.Errorf("%s: asked %q, want %q", api, x.Request.Body[key], want)
			}
			if !strings.Contains(raw, `tokens":50`) {
				t.Errorf("%s: not what is left: %s", api, raw)
			}
		}
		if got := texts(t, archive); len(got) != 3 || len(begun) != 3 {
			t.Errorf("%s: %d answers of %d", api, len(got), len(begun))
		}
	}
}

// TestContinueTurns: a turn that was cut is gone on with before the next is asked.
func TestContinueTurns(t *testing.T) {
	dir := t.TempDir()
	input := `{"id":"a","turns":["What is it?","And then?","Why?"]}`
	run := func(archive string, flags ...string) {
		code, _, log := gen(t, input, append([]string{"--server", "sim:?latency=0&tokens=60&parser=on", "--turns", "all", "--progress", "never", "-o", archive}, flags...)...)
		if code != 0 || !strings.Contains(log, "3 in = 3 done") {
			t.Fatalf("%q: exit %d\n%s", flags, code, log)
		}
	}
	whole, cut := filepath.Join(dir, "whole.jsonl"), filepath.Join(dir, "cut.jsonl")
	run(whole)
	run(cut, "--max-tokens", "30", "--continue", "1000")
	want, got := texts(t, whole)["a"], texts(t, cut)["a"]
	if !slices.Equal(want, got) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestContinueUsage(t *testing.T) {
	f := func(want string, flags ...string) {
		t.Helper()
		code, _, log := gen(t, prompts(1), append([]string{"--server", "sim:"}, flags...)...)
		if code != 2 || !strings.Contains(log, want) {
			t.Errorf("%q: exit %d, want %q\n%s", flags, code, want, log)
		}
	}
	f("--continue: 0 is below 1", "--continue", "0")
	f("an answer has 20 tokens at most, and --max-tokens allows 20 at once", "--continue", "20", "--max-tokens", "20")
	f("/v1/responses cannot go on with an answer", "--continue", "20", "--api", "responses")
	f("not both", "--continue", "20", "--token-ids")
}
