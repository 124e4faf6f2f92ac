package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// framed are the lines of an input that are JSON objects, as the reader frames them.
func framed(t *testing.T, in []byte) []string {
	t.Helper()
	r := jsonl.NewReader(bytes.NewReader(in), "in", jsonl.Options{})
	defer r.Close()
	var lines []string
	var doc jsonscan.Doc
	for {
		line, err := r.Read()
		if err == io.EOF {
			return lines
		}
		if err != nil {
			t.Skip("no text")
		}
		if doc.Scan(line.Data) == nil && doc.Root().Kind() == jsonscan.Object {
			lines = append(lines, string(line.Data))
		}
	}
}

// FuzzSplitAndMerge: whatever the input, merging its shards gives its lines, for
// every rule, every container, and after a shuffle.
func FuzzSplitAndMerge(f *testing.F) {
	inputs := []string{
		text(prompts(50)),
		"\xef\xbb\xbf{\"id\":1}\r\n\r\n{\"id\":1}\n{}",
		"{\"id\":\"a\"}\n{\"id\":\n[]\n{\"id\":\"\\ud83d\"}",
		"{\"id\":1e400,\"source\":\"\\u0000\"}\n \n{\"source\":1}",
		"{\"id\":1}\r\r\n{\"id\":2,\"source\":3}\r\r\r\n\r\r\n{\"id\":3}\r\r",
	}
	for i := range uint8(6 * len(rules)) {
		f.Add([]byte(inputs[int(i)%len(inputs)]), i, i, int64(i)-5)
	}
	f.Fuzz(func(t *testing.T, in []byte, n, options uint8, seed int64) {
		path := filepath.Join(t.TempDir(), "in.jsonl")
		if err := os.WriteFile(path, in, 0o666); err != nil {
			t.Fatal(err)
		}
		by := rules[int(options)/6%len(rules)]
		splitAndMerge(t, path, by, 1+int(n)%9, options, seed, framed(t, in))
	})
}

func splitAndMerge(t *testing.T, path, by string, n int, options uint8, seed int64, want []string) {
	dir := t.TempDir()
	suffix := []string{"", ".zst", ".gz"}[options%3]
	args := []string{"-q", "-n", fmt.Sprint(n), "--by", by, "--max-bad", "100%", "-o", dir + "/{shard}" + suffix, "--manifest", dir + "/m", path}
	if options/3%2 == 1 {
		args = append(args, "--shuffle", fmt.Sprint(seed), "--memory", "100")
		want = sorted(want)
	}
	r := runShard("", args...)
	if r.code == 2 { // JSON over many lines
		return
	}
	if r.code != 0 {
		t.Fatalf("shard %q: %s", args, r.err)
	}
	good(t, "", "verify", dir+"/m")
	merged := strings.SplitAfter(good(t, "", "merge", "-q", "--manifest", dir+"/m").out, "\n")
	merged = merged[:len(merged)-1]
	for i := range merged {
		merged[i] = strings.TrimSuffix(merged[i], "\n")
	}
	if options/3%2 == 1 {
		merged = sorted(merged)
	}
	told := strings.Count(r.err, path+":") // lines without the field, and with two ids
	left := slices.DeleteFunc(slices.Clone(want), func(line string) bool { return !slices.Contains(merged, line) })
	if !slices.Equal(merged, left) || len(left)+told < len(want) {
		t.Errorf("--by %s: merged %q, want %q; told are %d", by, merged, want, told)
	}
}

// shardsOf is which shard each line goes to.
func shardsOf(t *testing.T, lines []string, by string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	good(t, text(lines), "-q", "-n", "5", "--by", by, "-o", dir+"/{shard}")
	where := map[string]string{}
	for name, part := range readShards(t, dir) {
		for _, line := range part {
			where[line] = name
		}
	}
	return where
}

// TestHashStays: a line goes where it went when others are moved, added or removed.
func TestHashStays(t *testing.T) {
	lines := prompts(600)
	random := rand.New(rand.NewPCG(6, 6))
	for _, by := range []string{"hash", "field=source"} {
		before := shardsOf(t, lines[:400], by)
		for range 3 {
			some := slices.Clone(lines)
			random.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
			for line, name := range shardsOf(t, some[:300], by) {
				if was, ok := before[line]; ok && was != name {
					t.Errorf("--by %s: %s went from %s to %s", by, line, was, name)
				}
			}
		}
	}
}

// TestShuffleIsAPermutation: the same lines, the same order each time, whatever the
// memory, and another order for another seed.
func TestShuffleIsAPermutation(t *testing.T) {
	lines := prompts(997)
	lines = append(lines, lines[:50]...) // repeats are lines, too
	first := good(t, text(lines), "--shuffle", "5").out
	for _, memory := range []string{"1", "3K", "1G"} {
		if again := good(t, text(lines), "--shuffle", "5", "--memory", memory, "-j", "1").out; again != first {
			t.Errorf("with %s of memory the order is another", memory)
		}
	}
	seen := map[string]bool{text(lines): true}
	for seed := range 5 {
		out := good(t, text(lines), "--shuffle", fmt.Sprint(seed)).out
		if !slices.Equal(sorted(slices.Collect(strings.Lines(out))), sorted(slices.Collect(strings.Lines(text(lines))))) {
			t.Errorf("seed %d is no permutation", seed)
		}
		if seen[out] {
			t.Errorf("seed %d gives an order that was there before", seed)
		}
		seen[out] = true
	}
}

// TestNoGarbageALine: what the memory in help rests on. Where no line allocates, the
// collector has nothing to leave until the heap has doubled.
func TestNoGarbageALine(t *testing.T) {
	lines := prompts(50_000)
	in := input(t, lines)
	archive := filepath.Join(t.TempDir(), "raw.jsonl")
	answer := `{"custom_id":"c-2","response":{"status_code":200,"body":{"choices":[{"message":{"content":"4"},"finish_reason":"stop"}]}},"error":null}` + "\n"
	if err := os.WriteFile(archive, []byte(answer), 0o666); err != nil {
		t.Fatal(err)
	}
	f := func(args ...string) {
		t.Helper()
		out := filepath.Join(t.TempDir(), "{shard}")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		good(t, "", append(args, "-n", "4", "-o", out, in)...)
		runtime.ReadMemStats(&after)
		if n := after.Mallocs - before.Mallocs; n > uint64(len(lines)/2) {
			t.Errorf("%q: %d allocations for %d lines", args, n, len(lines))
		}
	}
	for _, by := range rules {
		f("--by", by)
	}
	f("--shuffle", "1")
	f("--shuffle", "1", "--memory", "1M")
	f("--exclude", archive)
	f("--manifest", filepath.Join(t.TempDir(), "manifest"))
	f("--keep", "0.5", "--limit", "20000")
}

// TestShuffleKeepsOrderOfWhatIsLeft: leaving lines out does not move the others.
func TestShuffleKeepsOrderOfWhatIsLeft(t *testing.T) {
	lines := prompts(500)
	all := slices.Collect(strings.Lines(good(t, text(lines), "--shuffle", "3").out))
	kept := slices.Collect(strings.Lines(good(t, text(lines), "--shuffle", "3", "--keep", "30%").out))
	if len(kept) == 0 || !inOrder(kept, all) {
		t.Errorf("the %d lines that are kept are in another order", len(kept))
	}
}

// TestFlagsCompose: whatever stands where on the command line, the stages are the
// same as filters one after the other.
func TestFlagsCompose(t *testing.T) {
	lines := append(prompts(400), prompts(100)...)
	archive := filepath.Join(t.TempDir(), "done.jsonl")
	var done strings.Builder
	for i := 0; i < 400; i += 3 {
		fmt.Fprintf(&done, `{"id":"c-%d","reasoning":"r","content":"c"}`+"\n", i)
	}
	if err := os.WriteFile(archive, []byte(done.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	together := good(t, text(lines), "--limit", "20", "--select", "1/3", "--by", "round-robin", "--shuffle", "2", "--keep", "50%",
		"--exclude", archive, "--dedupe", "id").out
	in := text(lines)
	for _, stage := range [][]string{{"--dedupe", "id"}, {"--exclude", archive}, {"--keep", "50%"}} {
		in = good(t, in, stage...).out
	}
	// A shuffle goes by the places in its input: it is asked for the order of what is left.
	order := slices.Collect(strings.Lines(good(t, text(lines), "--dedupe", "id", "--shuffle", "2").out))
	left := map[string]bool{}
	for line := range strings.Lines(in) {
		left[line] = true
	}
	var want []string
	n := 0
	for _, line := range order {
		if !left[line] {
			continue
		}
		if n%3 == 1 && len(want) < 20 {
			want = append(want, line)
		}
		n++
	}
	if together != strings.Join(want, "") {
		t.Errorf("got %d lines\n%s\nwant %d\n%s", strings.Count(together, "\n"), together, len(want), strings.Join(want, ""))
	}
}

// TestRealPrompts: each file of real prompts goes in and out.
func TestRealPrompts(t *testing.T) {
	root := os.Getenv("THINKPIPE_DATA")
	if root == "" {
		root = "../../../shared/data"
	}
	files, _ := filepath.Glob(root + "/prompts/*.json*")
	if len(files) == 0 {
		t.Skip("REAL DATA NOT FOUND: set THINKPIPE_DATA to its folder")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			if strings.HasSuffix(file, ".json") {
				realArray(t, file)
				return
			}
			want := readLines(t, file)
			for _, by := range []string{"hash", "round-robin", "range", "bytes"} {
				dir := t.TempDir()
				good(t, "", "-q", "-n", "3", "--by", by, "-o", dir+"/{shard}.zst", "--manifest", dir+"/m", file)
				if merged := good(t, "", "merge", "--manifest", dir+"/m").out; merged != text(want) {
					t.Errorf("--by %s: %d lines do not come back as the %d that went in", by, strings.Count(merged, "\n"), len(want))
				}
			}
			if out := good(t, "", "--from", "json", file).out; out != text(want) {
				t.Error("lines read as JSON values are other lines")
			}
		})
	}
}

// realArray: an array is refused with a hint, and read with --from json.
func realArray(t *testing.T, file string) {
	if r := runShard("", file); r.code != 2 || r.out != "" || !strings.Contains(r.err, "hint: --from json") {
		t.Errorf("without --from: exit %d: %s", r.code, r.err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, element := range elementsOf(t, data) {
		want = append(want, compact(t, element))
	}
	var got []string
	for line := range strings.Lines(good(t, "", "--from", "json", file).out) {
		got = append(got, compact(t, []byte(line)))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d lines are not the %d elements", len(got), len(want))
	}
}

func elementsOf(t *testing.T, data []byte) (elements []json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal(data, &elements); err != nil {
		t.Fatal(err)
	}
	return elements
}

func compact(t *testing.T, value []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, value); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
