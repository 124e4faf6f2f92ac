package response

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// realData is the folder of real samples: $THINKPIPE_DATA, else beside the repository.
func realData(t *testing.T) string {
	dir := os.Getenv("THINKPIPE_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("no real samples: ", err)
	}
	return dir
}

// tally says what a file holds: "12 chat, 1 chat stream.cut, 2 unknown".
func tally(t *testing.T, file string, p *Parser) string {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	count := func(r *Record, err error) {
		checkRecord(t, r, err)
		what := r.Shape
		if r.Failure != nil {
			what = strings.TrimSpace(what + " " + r.Failure.Code)
		}
		if err != nil {
			what = "unknown"
		}
		if r.Complaint != "" {
			what += " complaint"
		}
		counts[what]++
	}
	if filepath.Ext(file) != ".jsonl" {
		count(p.Body(raw, 200, ""))
	} else {
		var d jsonscan.Doc
		for line := range bytes.Lines(raw) {
			if err := d.Scan(bytes.TrimSpace(line)); err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			count(p.Parse(d.Root()))
		}
	}
	var all []string
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, fmt.Sprint(counts[what], " ", what))
	}
	return strings.Join(all, ", ")
}

func TestRealData(t *testing.T) {
	dir := realData(t)
	var p Parser
	var got strings.Builder
	for _, folder := range []string{"archive", "bodies", "sse"} {
		files, _ := filepath.Glob(filepath.Join(dir, folder, "*"))
		for _, f := range files {
			fmt.Fprintf(&got, "%s/%s: %s\n", folder, filepath.Base(f), tally(t, f, &p))
		}
	}
	want, err := os.ReadFile(filepath.Join("testdata", "real-data.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if got.String() == string(want) {
		return
	}
	known := strings.Split(string(want), "\n")
	for line := range strings.Lines(got.String()) {
		if line = strings.TrimSpace(line); !slices.Contains(known, line) {
			t.Errorf("not in testdata/real-data.txt: %s", line)
		}
	}
}
