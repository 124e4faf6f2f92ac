package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/thinkpipe/thinkpipe/cmd/internal/scripttest"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// turnKey names a turn of a sample in an archive.
type turnKey struct {
	id           string
	sample, turn int
}

// asked is one success of an archive: what was asked, and what came.
type asked struct {
	body     string // of the request, without the name it was sent under
	messages []any
	reply    map[string]any // the message
}

var rid = regexp.MustCompile(`"rid":"[^"]*",`)

// readTurns reads the successes of an archive; no key has two.
func readTurns(t *testing.T, path string) map[turnKey]asked {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	turns := map[turnKey]asked{}
	err = eachLine(jsonl.NewReader(f, path, jsonl.Options{}), func(line jsonl.Line) error {
		var x struct {
			ID           any `json:"custom_id"`
			Sample, Turn int
			Error        any
			Request      struct{ Body json.RawMessage }
			Response     *struct {
				Body struct {
					Choices []struct{ Message map[string]any }
				}
			}
		}
		if err := json.Unmarshal(line.Data, &x); err != nil || x.Error != nil {
			return err
		}
		var q struct{ Messages []any }
		if err := json.Unmarshal(x.Request.Body, &q); err != nil {
			return err
		}
		key := turnKey{fmt.Sprint(x.ID), x.Sample, x.Turn}
		if _, twice := turns[key]; twice {
			t.Errorf("%v has two successes", key)
		}
		turns[key] = asked{rid.ReplaceAllString(string(x.Request.Body), ""), q.Messages, x.Response.Body.Choices[0].Message}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return turns
}

// said is what a recorded conversation has before one of the assistant's turns,
// as the test reads it: messages of the user, or results of tools by name.
type said struct {
	messages []any
	results  [][2]string
}

// history is what the turn after the given one must have been asked on: what the
// run itself was answered, with the thinking when it is kept or no user has spoken since.
func history(cues []said, replies []map[string]any, keep bool) (messages []any) {
	for i, cue := range cues[:len(replies)+1] {
		if i > 0 {
			later := slices.ContainsFunc(cues[i:len(replies)+1], func(c said) bool { return len(c.messages) > 0 })
			messages = append(messages, entryOf(replies[i-1], keep || !later))
			messages = append(messages, resultsOf(cue.results, replies[i-1])...)
		}
		messages = append(messages, cue.messages...)
	}
	return messages
}

func entryOf(reply map[string]any, thinking bool) map[string]any {
	content, _ := reply["content"].(string)
	entry := map[string]any{"role": "assistant", "content": content}
	if thought, ok := reply["reasoning_content"].(string); ok && thinking {
		entry["reasoning_content"] = thought
	}
	if calls, ok := reply["tool_calls"].([]any); ok {
		for _, c := range calls {
			delete(c.(map[string]any), "index")
		}
		entry["tool_calls"] = calls
	}
	return entry
}

func resultsOf(results [][2]string, reply map[string]any) (messages []any) {
	left := slices.Clone(results)
	calls, _ := reply["tool_calls"].([]any)
	for _, c := range calls {
		call := c.(map[string]any)
		name := call["function"].(map[string]any)["name"].(string)
		n := slices.IndexFunc(left, func(r [2]string) bool { return r[0] == name })
		messages = append(messages, map[string]any{"role": "tool", "tool_call_id": call["id"], "content": left[n][1]})
		left = slices.Delete(left, n, n+1)
	}
	return messages
}

// checkHistories re-derives what every archived turn had to be asked on, from the
// recorded conversations and the answers to the turns before it.
func checkHistories(t *testing.T, turns map[turnKey]asked, cues map[string][]said, keep bool) (later int) {
	t.Helper()
	for key, got := range turns {
		var replies []map[string]any
		for turn := range key.turn {
			before, ok := turns[turnKey{key.id, key.sample, turn}]
			if !ok {
				t.Fatalf("%v was asked without turn %d", key, turn)
			}
			replies = append(replies, before.reply)
		}
		want := history(cues[key.id], replies, keep)
		if a, b := canonical(got.messages), canonical(want); a != b {
			t.Fatalf("%v was asked on\n%s\nwant\n%s", key, a, b)
		}
		if key.turn > 0 {
			later++
		}
	}
	return later
}

func canonical(v any) string {
	b, _ := json.Marshal(v) // keys in order
	return string(b)
}

func user(text string) any { return map[string]any{"role": "user", "content": text} }

// conversationSets are real conversations: lines for gen, and what the test reads in them.
func conversationSets(t *testing.T) map[string]map[string][]said {
	t.Helper()
	dir := os.Getenv("THINKPIPE_DATA")
	if dir == "" {
		dir = "../../../shared/data"
	}
	dir = filepath.Join(dir, "prompts")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no real data: THINKPIPE_DATA names no folder with prompts/ in it")
	}
	sets := map[string]map[string][]said{}
	mt, bfcl := map[string][]said{}, map[string][]said{}
	decodeLines(t, filepath.Join(dir, "mt_bench_question.jsonl"), func(q struct {
		ID    json.Number `json:"question_id"`
		Turns []string
	}) {
		for _, text := range q.Turns {
			mt[q.ID.String()] = append(mt[q.ID.String()], said{messages: []any{user(text)}})
		}
	})
	decodeLines(t, filepath.Join(dir, "BFCL_v4_multi_turn_base.jsonl"), func(q struct {
		ID       string
		Question [][]any
	}) {
		for _, messages := range q.Question {
			bfcl[q.ID] = append(bfcl[q.ID], said{messages: messages})
		}
	})
	sets[filepath.Join(dir, "mt_bench_question.jsonl")] = mt
	sets[filepath.Join(dir, "BFCL_v4_multi_turn_base.jsonl")] = bfcl
	file, cues := glaive(t, filepath.Join(dir, "sharegpt_glaive_toolcall_en_json_array.json"))
	sets[file] = cues
	return sets
}

func decodeLines[T any](t *testing.T, path string, yield func(T)) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		yield(v)
	}
}

// glaive writes the conversations of one JSON array as lines with ids.
func glaive(t *testing.T, path string) (file string, cues map[string][]said) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	cues = map[string][]said{}
	for i, c := range all {
		id := fmt.Sprintf("glaive-%d", i)
		c["id"] = id
		lines.WriteString(canonical(c) + "\n")
		cues[id] = cuesOf(c["conversations"].([]any))
	}
	file = filepath.Join(t.TempDir(), "glaive.jsonl")
	if err := os.WriteFile(file, lines.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file, cues
}

func cuesOf(conversation []any) (cues []said) {
	var now said
	called := ""
	for _, m := range conversation {
		turn := m.(map[string]any)
		value := turn["value"].(string)
		switch turn["from"] {
		case "human":
			now.messages = append(now.messages, user(value))
		case "observation":
			now.results = append(now.results, [2]string{called, value})
		case "function_call":
			var call struct{ Name string }
			json.Unmarshal([]byte(value), &call)
			called = call.Name
			fallthrough
		default:
			cues, now = append(cues, now), said{}
		}
	}
	return cues
}

// TestTurns: every turn of real conversations is asked on the answers of the run
// itself, and what went back of the thinking is what was asked for: of a third of
// them in each way.
func TestTurns(t *testing.T) {
	ways := [][2]string{{"kimi_k2", "--seed 5"}, {"kimi_k2", "--history-reasoning drop"}, {"qwen3", ""}}
	for whole, cues := range conversationSets(t) {
		for i, how := range ways {
			family, flags := how[0], how[1]
			file, cues := every(t, len(ways), i, whole, cues)
			keep := family == "kimi_k2" && !strings.Contains(flags, "drop") // the template of Qwen3 wants no earlier thoughts
			archive := filepath.Join(t.TempDir(), "raw.jsonl")
			args := append(turnArgs(file, archive), strings.Fields(flags)...)
			code, _, log := gen(t, "", append([]string{"--server", "sim:?latency=0&parser=on&tokens=20&calls=0.6&family=" + family}, args...)...)
			turns := readTurns(t, archive)
			if code != 0 && !strings.Contains(log, "the conversation ends after it") {
				t.Fatalf("%s: exit %d\n%s", file, code, log)
			}
			later := checkHistories(t, turns, cues, keep)
			checkAccount(t, log, turns, cues)
			t.Logf("%s %s %s: %d turns, %d of them later ones", filepath.Base(file), family, flags, len(turns), later)
		}
	}
}

// every is every n-th line of a file, from the i-th, and what the test reads there.
func every(t *testing.T, n, i int, path string, cues map[string][]said) (string, map[string][]said) {
	t.Helper()
	var part bytes.Buffer
	left := maps.Clone(cues)
	at := 0
	eachConversation(t, path, func(id string, line []byte) {
		if at++; at%n == i {
			part.Write(line)
			return
		}
		delete(left, id)
	})
	path = filepath.Join(t.TempDir(), filepath.Base(path))
	write(t, path, part.String())
	return path, left
}

func eachConversation(t *testing.T, path string, yield func(id string, line []byte)) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var named struct {
			ID       string      `json:"id"`
			Question json.Number `json:"question_id"`
		}
		if err := json.Unmarshal(line, &named); err != nil {
			t.Fatal(err)
		}
		yield(cmp.Or(named.ID, named.Question.String()), line)
	}
}

func turnArgs(file, archive string) []string {
	args := []string{"--turns", "all", "--progress", "never", "-o", archive, file}
	if strings.Contains(file, "BFCL") {
		args = append(args, "--prompt-field", "question")
	}
	return args
}

// checkAccount: done is what the archive has, and done and dead are all turns.
func checkAccount(t *testing.T, log string, turns map[turnKey]asked, cues map[string][]said) {
	t.Helper()
	all, samples := 0, 0
	for key := range turns {
		samples = max(samples, key.sample+1)
	}
	for _, c := range cues {
		all += len(c) * samples
	}
	want := fmt.Sprintf("%d in = %d done + 0 failed + %d dead + 0 bad + 0 pending", all, len(turns), all-len(turns))
	if !strings.Contains(log, want) {
		t.Errorf("want %q\n%s", want, log[max(0, len(log)-300):])
	}
}

// head is a file with the first n lines of another.
func head(t *testing.T, path string, n int) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	path = filepath.Join(t.TempDir(), filepath.Base(path))
	if err := os.WriteFile(path, bytes.Join(lines[:n], nil), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestUnsplitTurns: what no server split goes back split, in content and a field.
func TestUnsplitTurns(t *testing.T) {
	for _, family := range []string{"kimi_k2", "deepseek_r1", "glm45"} {
		archive := filepath.Join(t.TempDir(), "raw.jsonl")
		in := `{"id":"a","turns":["What is it?","And then?"]}`
		code, _, log := gen(t, in, "--server", "sim:?latency=0&family="+family, "--turns", "all", "--history-reasoning", "keep", "--progress", "never", "-o", archive)
		if code != 0 {
			t.Fatalf("exit %d\n%s", code, log)
		}
		turns := readTurns(t, archive)
		thought, answer, _ := strings.Cut(turns[turnKey{"a", 0, 0}].reply["content"].(string), "</think>")
		want := []any{user("What is it?"), map[string]any{"role": "assistant", "content": strings.TrimLeft(answer, "\n"), "reasoning_content": thought}, user("And then?")}
		if got := turns[turnKey{"a", 0, 1}].messages; canonical(got) != canonical(want) {
			t.Errorf("%s: asked on\n%s\nwant\n%s", family, canonical(got), canonical(want))
		}
	}
}

// TestTurnsInFolder: of a folder in which two runs had conversations of their own
// the last is gone on with, and no turn is asked on the answers of another.
func TestTurnsInFolder(t *testing.T) {
	in := `{"id":"a","turns":["What is it?","And then?","Why?"]}`
	run := func(folder, seed string) string {
		code, _, log := gen(t, in, "--server", "sim:?latency=0&parser=on&seed="+seed, "--turns", "all", "--progress", "never", "-o", folder+"/")
		if code != 0 || !strings.Contains(log, "3 in = 3 done") {
			t.Fatalf("exit %d\n%s", code, log)
		}
		return log
	}
	both := t.TempDir()
	for i, seed := range []string{"1", "2"} { // the second was cut off after its first turn
		folder := t.TempDir()
		run(folder, seed)
		found, _ := filepath.Glob(folder + "/raw.*.zst")
		part := filepath.Join(both, fmt.Sprintf("raw.%d.jsonl", i))
		if err := os.WriteFile(part, firstLines(t, found[0], 3-2*i), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if log := run(both, "2"); !strings.Contains(log, "(1 done before)") {
		t.Errorf("%s", log)
	}
	if log := run(both, "2"); !strings.Contains(log, "(3 done before)") {
		t.Errorf("asked again: %s", log)
	}
}

// firstLines are the first n lines of an archive, plain.
func firstLines(t *testing.T, path string, n int) (lines []byte) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := jsonl.NewReader(f, path, jsonl.Options{})
	defer in.Close()
	for range n {
		line, err := in.Read()
		if err != nil {
			t.Fatal(err)
		}
		lines = append(append(lines, line.Data...), '\n')
	}
	return lines
}

// TestKillTurns kills gen in the middle of conversations and starts it again until
// it comes to its end: the exchanges are those of a run that nobody disturbed.
func TestKillTurns(t *testing.T) {
	bin := filepath.Join(scripttest.Build(t, "gen"), "gen")
	for file := range conversationSets(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := head(t, file, 60)
			run := func(archive string, killAfter time.Duration) bool {
				args := append([]string{"--server", "sim:?latency=10ms&parser=on&tokens=20&calls=0.6", "-c", "32", "--samples", "2", "--sync-interval", "10ms", "-q"}, turnArgs(file, archive)...)
				cmd := exec.Command(bin, args...)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				kill := time.AfterFunc(killAfter, func() { cmd.Process.Kill() })
				defer kill.Stop()
				cmd.Wait()
				code := cmd.ProcessState.ExitCode()
				if code > 1 {
					t.Fatalf("exit %d", code)
				}
				return code >= 0
			}
			whole, cut := filepath.Join(dir, "whole.jsonl.zst"), filepath.Join(dir, "cut.jsonl.zst")
			if !run(whole, 5*time.Minute) {
				t.Fatal("the undisturbed run was killed")
			}
			kills := 0
			for kills < 6 && !run(cut, time.Duration(30+rand.IntN(300))*time.Millisecond) {
				kills++
			}
			run(cut, 5*time.Minute)
			want, got := readTurns(t, whole), readTurns(t, cut)
			for key, a := range want {
				if !reflect.DeepEqual(a, got[key]) {
					t.Fatalf("%v differs:\n%v\n%v", key, a, got[key])
				}
			}
			if len(got) != len(want) {
				t.Errorf("%d exchanges, %d undisturbed; more are %v", len(got), len(want), slices.Collect(maps.Keys(got))[:3])
			}
			t.Logf("killed %d times, %d exchanges", kills, len(got))
		})
	}
}
