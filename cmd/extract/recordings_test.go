package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// TestRecordings runs extract over every recording at hand. testdata/recordings/table.txt
// says how it is called for each file and what must come out.
func TestRecordings(t *testing.T) {
	root := filepath.Dir(data(t, "archive"))
	table, err := os.ReadFile("testdata/recordings/table.txt")
	if err != nil {
		t.Fatal(err)
	}
	missing := filesOf(t, root, "archive", "bodies", "sse", "http", "gold", "rawtext")
	for line := range strings.Lines(string(table)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		call, want, _ := strings.Cut(line, ": ")
		args := strings.Fields(call)
		delete(missing, args[0])
		if got := extractFile(t, root, args).String(); got != want {
			t.Errorf("%s: %s\nwant %s", call, got, want)
		}
	}
	for name := range missing {
		t.Errorf("%s is not in testdata/recordings/table.txt", name)
	}
}

func filesOf(t *testing.T, root string, folders ...string) map[string]bool {
	all := map[string]bool{}
	for _, folder := range folders {
		entries, err := os.ReadDir(filepath.Join(root, folder))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			all[folder+"/"+e.Name()] = true
		}
	}
	return all
}

// sums are what came out of a file.
type sums struct {
	status     map[string]int
	characters int // of thinking
	calls      int
	unread     int // answers with markup of calls that was not read
	reported   map[string]int
}

// String is the right side of the table.
func (s *sums) String() string {
	var answers []string
	for _, status := range statuses {
		if n := s.status[string(status)]; n > 0 {
			answers = append(answers, fmt.Sprint(n, " ", status))
		}
	}
	var text []string
	if answers != nil {
		text = append(text, strings.Join(answers, ", "), fmt.Sprintf("thinking %d, calls %d", s.characters, s.calls))
	}
	if s.unread > 0 {
		text = append(text, fmt.Sprint("unread ", s.unread))
	}
	var reported []string
	for cause, n := range s.reported {
		reported = append(reported, fmt.Sprint(n, " ", cause))
	}
	if slices.Sort(reported); reported != nil {
		text = append(text, "reported "+strings.Join(reported, ", "))
	}
	return strings.Join(text, "; ")
}

// extractFile calls the command; args are a file below root and flags.
func extractFile(t *testing.T, root string, args []string) *sums {
	name := args[0]
	rejects := filepath.Join(t.TempDir(), "rejects.jsonl")
	args = append(slices.Clone(args[1:]), "--segments", "--prove", "--rejects", rejects)
	var r ran
	if stdin := archived(t, root, name); stdin != "" {
		r = try(stdin, args...)
	} else {
		r = try("", append(args, filepath.Join(root, name))...)
	}
	s := &sums{status: map[string]int{}, reported: map[string]int{}}
	for line := range strings.Lines(r.out) {
		s.sample(t, name, line)
	}
	s.rejects(t, rejects)
	if !strings.Contains(r.err, "proof: everything holds: ") {
		t.Errorf("%s: %s", name, r.err)
	}
	if ok := r.code == 0 && len(s.reported) == 0 || r.code == 1 && len(s.reported) > 0; !ok {
		t.Errorf("%s: exit %d with %v\n%s", name, r.code, s.reported, r.err)
	}
	return s
}

// archived is what extract reads for a file that holds more than answers, "" for
// the file itself.
func archived(t *testing.T, root, name string) string {
	file, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case strings.HasPrefix(name, "http/"):
		all, err := readRecorded(name, file)
		if err != nil || len(all) == 0 {
			t.Fatalf("%s: %d exchanges, %v", name, len(all), err)
		}
		return string(archive(all))
	case strings.HasPrefix(name, "gold/"):
		return readGold(t, file).chunks()
	case filepath.Ext(name) == ".txt" && strings.HasPrefix(name, "rawtext/"):
		return string(append(jsonscan.AppendString([]byte(`{"text":`), file), '}'))
	}
	return ""
}

// sample counts a sample and checks that its status tells why there is no
// thinking, and that its parts add up to its texts.
func (s *sums) sample(t *testing.T, name, line string) {
	var sample struct {
		sampleJSON
		Segments []struct{ Kind, Text string }
	}
	if err := json.Unmarshal([]byte(line), &sample); err != nil {
		t.Fatalf("%s: %v in %s", name, err, line)
	}
	s.status[sample.Status]++
	s.characters += utf8.RuneCountInString(sample.Reasoning)
	s.calls += len(sample.ToolCalls)
	switch empty := strings.TrimSpace(sample.Reasoning) == ""; reasoning.Status(sample.Status) {
	case reasoning.Absent, reasoning.Missing, reasoning.Encrypted:
		if !empty {
			t.Errorf("%s: %v is %s with %q", name, sample.ID, sample.Status, sample.Reasoning)
		}
	default:
		if empty {
			t.Errorf("%s: %v is %s without thinking", name, sample.ID, sample.Status)
		}
	}
	texts := map[string]string{}
	for _, g := range sample.Segments {
		texts[g.Kind] += g.Text
	}
	thought, content := texts[record.SegmentReasoning], texts[record.SegmentContent]+texts[record.SegmentRefusal]
	if sample.Status == string(reasoning.Summary) {
		thought = texts[record.SegmentSummary]
	}
	if thought != sample.Reasoning || content != sample.Content {
		t.Errorf("%s: %v: the segments do not add up to reasoning and content", name, sample.ID)
	}
}

// rejects counts what was reported by cause.
func (s *sums) rejects(t *testing.T, name string) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var reject struct{ Error string }
		if err := json.Unmarshal([]byte(line), &reject); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		cause, _, _ := strings.Cut(reject.Error, ": ")
		if cause == "calls were not read" {
			s.unread++
			continue
		}
		if strings.HasPrefix(cause, "no archived answer") {
			cause = "unknown"
		}
		s.reported[cause]++
	}
}
