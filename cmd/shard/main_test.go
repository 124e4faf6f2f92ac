package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/cmd/internal/scripttest"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/shard"
)

func TestScripts(t *testing.T) { scripttest.Run(t, "testdata") }

// result is what one run of shard did.
type result struct {
	code     int
	out, err string
}

func runShard(in string, args ...string) result {
	var out, err bytes.Buffer
	code := cmdline.Main(command(), cmdline.Streams{
		Args: append([]string{"shard"}, args...),
		In:   strings.NewReader(in), Out: &out, Err: &err,
	})
	return result{code, out.String(), err.String()}
}

// good is a run that must end with 0.
func good(t *testing.T, in string, args ...string) result {
	t.Helper()
	r := runShard(in, args...)
	if r.code != 0 {
		t.Fatalf("shard %q: exit %d: %s", args, r.code, r.err)
	}
	return r
}

// readShards reads the files of a template's folder, by name.
func readShards(t *testing.T, dir string) map[string][]string {
	t.Helper()
	files := map[string][]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		files[name] = readLines(t, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func readLines(t *testing.T, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := []string{}
	r := jsonl.NewReader(f, path, jsonl.Options{})
	defer r.Close()
	for {
		line, err := r.Read()
		if err != nil {
			return lines
		}
		lines = append(lines, string(line.Data))
	}
}

// prompts are n lines with ids of both kinds, two sources, keys in any order and
// lines without ids.
func prompts(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		switch i % 5 {
		case 0:
			lines[i] = fmt.Sprintf(`{"id":%d,"prompt":"why?","source":"a"}`, i)
		case 1:
			lines[i] = fmt.Sprintf(`{"source":"b","prompt":"\u0077hy %d?","id":"p\u002d%d"}`, i, i)
		default:
			lines[i] = fmt.Sprintf(`{ "custom_id" : "c-%d", "n":1E400, "source":"%c" }`, i, 'a'+i%3)
		}
	}
	return lines
}

func text(lines []string) string { return strings.Join(lines, "\n") + "\n" }

func sorted(lines []string) []string { return slices.Sorted(slices.Values(lines)) }

// rules are all rules of --by.
var rules = []string{"hash", "field=source", "round-robin", "range", "bytes"}

// input writes lines to a file, which can be read twice.
func input(t *testing.T, lines []string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.jsonl")
	if err := os.WriteFile(path, []byte(text(lines)), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSelectIsAPartition: the N selections together are the input, and each is
// the file that splitting makes.
func TestSelectIsAPartition(t *testing.T) {
	lines := prompts(997)
	in := input(t, lines)
	for _, by := range rules {
		dir := t.TempDir()
		good(t, "", "-n", "7", "--by", by, "-o", dir+"/{shard}", in)
		files := readShards(t, dir)
		var all []string
		for i := range 7 {
			part := good(t, "", "--select", fmt.Sprintf("%d/7", i), "--by", by, in).out
			if name := fmt.Sprintf("%05d", i); part != text(files[name]) && len(files[name]) > 0 {
				t.Errorf("--by %s: selection %d is not file %s", by, i, name)
			}
			all = append(all, strings.Split(strings.TrimSuffix(part, "\n"), "\n")...)
		}
		all = slices.DeleteFunc(all, func(s string) bool { return s == "" })
		if !slices.Equal(sorted(all), sorted(lines)) {
			t.Errorf("--by %s: the selections hold %d lines that are not the %d of the input", by, len(all), len(lines))
		}
		if len(files) != 7 {
			t.Errorf("--by %s: %d files", by, len(files))
		}
	}
}

// TestOrderDoesNotMatter: by content a line goes to the same shard wherever it stands.
func TestOrderDoesNotMatter(t *testing.T) {
	lines := prompts(500)
	reversed := slices.Clone(lines)
	slices.Reverse(reversed)
	for _, by := range []string{"hash", "field=source"} {
		for i := range 3 {
			part := fmt.Sprintf("%d/3", i)
			a := good(t, text(lines), "--select", part, "--by", by).out
			b := good(t, text(reversed), "--select", part, "--by", by, "-j", "1").out
			if !slices.Equal(sorted(strings.Split(a, "\n")), sorted(strings.Split(b, "\n"))) {
				t.Errorf("--by %s: shard %d depends on the order", by, i)
			}
		}
	}
}

// TestEveryLineOnce: shards hold the framed input, whatever names they have and
// however they are compressed; each keeps the order.
func TestEveryLineOnce(t *testing.T) {
	lines := prompts(1000)
	for _, template := range []string{"{shard}.jsonl.zst", "{source}/{shard}-{shards}.jsonl", "{shard}.gz"} {
		dir := t.TempDir()
		good(t, "\ufeff"+strings.Join(lines, "\r\n\r\n"), "-n", "4", "-o", dir+"/"+template)
		var all []string
		for name, part := range readShards(t, dir) {
			all = append(all, part...)
			if !inOrder(part, lines) {
				t.Errorf("%s: %s is not in order", template, name)
			}
		}
		if !slices.Equal(sorted(all), sorted(lines)) {
			t.Errorf("%s: %d lines, want %d", template, len(all), len(lines))
		}
	}
}

// inOrder reports whether part is a subsequence of lines.
func inOrder(part, lines []string) bool {
	for _, l := range lines {
		if len(part) > 0 && part[0] == l {
			part = part[1:]
		}
	}
	return len(part) == 0
}

// TestIDsAreHashedDecoded: spelling and key do not matter, kind does not either.
func TestIDsAreHashedDecoded(t *testing.T) {
	in := `{"id":"a-17"}` + "\n" + `{"id":"\u0061\u002d17"}` + "\n" + `{"custom_id":"a-17","id":null}` + "\n"
	for i := range 5 {
		r := good(t, in, "--select", fmt.Sprintf("%d/5", i))
		if n := strings.Count(r.out, "\n"); n != 0 && n != 3 {
			t.Errorf("shard %d has %d of the three spellings", i, n)
		}
	}
}

// TestAssignedIDs: every line has one, all differ, what had one keeps its bytes,
// and each selection gives the ids that the whole gives.
func TestAssignedIDs(t *testing.T) {
	lines := []string{`{"prompt":"x"}`, `{"prompt":"x"}`, `{"id":"mine","prompt":"x"}`, `{}`, `{"id":null}`, `{"prompt":"x"}`}
	for i := range 200 {
		lines = append(lines, fmt.Sprintf(`{"n":%d}`, i/2))
	}
	whole := good(t, text(lines), "--assign-ids").out
	seen := map[string]bool{}
	var doc jsonscan.Doc
	for line := range strings.Lines(whole) {
		if err := doc.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		id := record.PromptID(doc.Root(), "").Key()
		if id == "" || seen[id] || doc.AnyDuplicate() != "" {
			t.Fatalf("id %q of %s", id, line)
		}
		seen[id] = true
	}
	if !strings.Contains(whole, `{"id":"mine","prompt":"x"}`+"\n") || len(seen) != len(lines) {
		t.Errorf("%d ids for %d lines", len(seen), len(lines))
	}
	var parts []string
	for i := range 3 {
		parts = append(parts, slices.Collect(strings.Lines(good(t, text(lines), "--assign-ids", "--select", fmt.Sprintf("%d/3", i)).out))...)
	}
	if !slices.Equal(sorted(parts), sorted(slices.Collect(strings.Lines(whole)))) {
		t.Error("the selections have other ids than the whole")
	}
}

// TestLookUpThatFails: a temporary file that cannot be read ends the run; no line is
// bad for it.
func TestLookUpThatFails(t *testing.T) {
	set := shard.NewSet(1, t.TempDir())
	for i := range 3 {
		if err := set.Add(shard.DigestOf([]byte{byte(i)})); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(set.Seal(), set.Close()); err != nil {
		t.Fatal(err)
	}
	w := worker{plan: &plan{exclude: []string{"raw"}, answered: set, chosen: -1}}
	var doc jsonscan.Doc
	if err := doc.Scan([]byte(`{"id":"a"}`)); err != nil {
		t.Fatal(err)
	}
	_, err := w.place(doc.Root(), jsonl.Line{})
	d := dealer{plan: w.plan}
	if _, err := d.tell([]bad{{err: err}}, 1); err == nil || !strings.Contains(err.Error(), "temporary file") {
		t.Errorf("the run goes on: %v", err)
	}
}

// expectation is what expect.json of a case says.
type expectation struct {
	Input string
	Count int
	IDs   []string
	Lines string
	AnyOf []struct {
		Count int
		IDs   []string
	} `json:"any_of"`
	More []struct {
		Input string
		Count int
	}
}

// TestCases runs small inputs that broke somebody's pipeline.
func TestCases(t *testing.T) {
	dirs, err := filepath.Glob("testdata/cases/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) { runCase(t, dir) })
	}
}

func runCase(t *testing.T, dir string) {
	var want expectation
	data, err := os.ReadFile(filepath.Join(dir, "expect.json"))
	if err == nil {
		err = json.Unmarshal(data, &want)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(want.AnyOf) > 0 { // the first is the better outcome
		want.Count, want.IDs = want.AnyOf[0].Count, want.AnyOf[0].IDs
	}
	in := filepath.Join(dir, want.Input)
	out := t.TempDir()
	good(t, "", "-n", "2", "-o", out+"/{shard}.jsonl.zst", in)
	var lines []string
	for _, part := range readShards(t, out) {
		lines = append(lines, part...)
	}
	if len(lines) != want.Count || !slices.Equal(sorted(lines), sorted(readLines(t, in))) {
		t.Errorf("%d lines %q, want %d", len(lines), lines, want.Count)
	}
	if ids := idsOf(t, lines); len(want.IDs) > 0 && !slices.Equal(ids, want.IDs) {
		t.Errorf("ids %q, want %q", ids, want.IDs)
	}
	for _, more := range want.More {
		empty := t.TempDir()
		r := good(t, "", "-n", "2", "-o", empty+"/{shard}.jsonl.zst", filepath.Join(dir, more.Input))
		if files := readShards(t, empty); len(files) != more.Count || !strings.Contains(r.err, "no lines") {
			t.Errorf("%s: %d files, %q", more.Input, len(files), r.err)
		}
	}
}

func idsOf(t *testing.T, lines []string) []string {
	var ids []string
	for _, line := range lines {
		var doc jsonscan.Doc
		if err := doc.Scan([]byte(line)); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, record.PromptID(doc.Root(), "").String())
	}
	return sorted(ids)
}
