package report_test

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/report"
)

// gateReport is a report with a bit of everything, its texts from a hostile place.
func gateReport() *report.Report {
	r := &report.Report{
		Records: 50, Passed: 40, Failed: 10, Gate: "fail", By: "dataset",
		Why: []string{"truncated hits 3 of 50 records, limit 1%"},
		Rules: []report.Rule{
			{Name: "truncated", Meaning: "cut", Level: "fail", Count: 3, Rate: 0.06, Limit: 0.01, Exceeded: true},
			{Name: "repetition", Meaning: "loop", Level: "fail", Count: 1, Rate: 0.02, Limit: 5},
			{Name: "bad-text", Meaning: "bytes", Level: "fail"},
			{Name: "unfinished", Level: "warn", Count: 20, Rate: 0.4, NoLimit: true},
		},
		Groups: []report.Group{
			{Name: "math <&> \x00\x1b", Records: 30, Passed: 27, Failed: 3, Rules: []report.Rule{{Name: "truncated", Level: "fail", Count: 3, Rate: 0.1, Limit: 0.01, Exceeded: true}}},
			{Name: "code", Records: 20, Passed: 20},
		},
		Charts: report.Charts{
			Lengths:  []report.Histogram{{Name: "reasoning", Unit: "characters", Counts: []int64{3, 0, 0, 0, 5, 42}}},
			Finishes: []report.Count{{Name: "stop", N: 47}, {Name: "length", N: 3}},
			Timeline: []report.Slot{{Passed: 20}, {Passed: 20, Failed: 10}},
		},
	}
	for range 30 {
		r.Findings = append(r.Findings, report.Finding{Rule: "unfinished", Level: "warn", ID: "w", File: "a.jsonl", Line: 1})
	}
	for range 3 {
		r.Findings = append(r.Findings, report.Finding{
			Rule: "truncated", Level: "fail", ID: "50%,\r\n::error::x", File: "a,b:c%.jsonl", Line: 7, Detail: "100%\n\u202e]]>\x00",
			Excerpt: report.Excerpt{Part: "content", Before: "so ", Marked: "<b>", After: "\u2028"},
		})
	}
	return r
}

// TestGitHub: a command a line, at most ten of a level, what fails the gate
// first, and nothing of the data becomes a command.
func TestGitHub(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(string(gateReport().AppendGitHub(nil)), "\n"), "\n")
	count := map[string]int{}
	for _, line := range lines {
		command, _, ok := strings.Cut(strings.TrimPrefix(line, "::"), " ")
		if !strings.HasPrefix(line, "::") || !ok || strings.Contains(line, "\r") {
			t.Errorf("no command: %q", line)
		}
		count[command]++
	}
	if count["error"] != 4 || count["warning"] != 10 || len(count) != 2 {
		t.Errorf("%v", count)
	}
	if want := `::error title=gate::gate: fail: truncated hits 3 of 50 records, limit 1%25 (50 records, 40 passed, 10 failed)`; lines[0] != want {
		t.Errorf("got %s\nwant %s", lines[0], want)
	}
	if want := `::error file=a%2Cb%3Ac%25.jsonl,line=7,title=truncated::id "50%25,\r\n::error::x": truncated: 100%25 ]]>`; lines[1] != want {
		t.Errorf("got %s\nwant %s", lines[1], want)
	}
	pass := report.Report{Records: 1, Passed: 1, Gate: "pass", Findings: []report.Finding{{Rule: "too-short", Level: "warn", File: "<stdin>", Line: 3}}}
	if got, want := string(pass.AppendGitHub(nil)), "::notice title=gate::gate: pass (1 record, 1 passed, 0 failed)\n::warning title=too-short::line 3: too-short\n"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// element is what the schema says of one: its attributes ("!" are required), and
// its children in order ("*" for any number).
type element struct{ attributes, children []string }

// jenkins is junit-10.xsd of jenkinsci/xunit-plugin, as far as we use it.
func jenkins() map[string]element {
	words := strings.Fields
	return map[string]element{
		"testsuites": {words("name time tests failures disabled errors"), words("testsuite*")},
		"testsuite":  {words("name! tests! failures errors time disabled skipped timestamp hostname id package file log url version"), words("properties testcase* system-out* system-err*")},
		"properties": {nil, words("property*")},
		"property":   {words("name! value!"), nil},
		"testcase":   {words("name! assertions time classname status"), words("skipped error failure system-out system-err")},
		"failure":    {words("type message"), nil},
		"system-out": {nil, nil},
	}
}

// TestJUnit reads the report as XML, strictly, and holds it against the schema.
func TestJUnit(t *testing.T) {
	text := gateReport().AppendJUnit(nil)
	if !utf8.Valid(text) {
		t.Error("not UTF-8")
	}
	schema, d := jenkins(), xml.NewDecoder(strings.NewReader(string(text)))
	var open []string
	next := []int{0} // in the children of each open element
	count := map[string]int{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			name := x.Name.Local
			e, known := schema[name]
			if !known {
				t.Fatalf("the schema has no %s", name)
			}
			checkAttributes(t, name, e.attributes, x.Attr)
			if len(open) > 0 {
				next[len(next)-1] = checkChild(t, schema[open[len(open)-1]].children, next[len(next)-1], name)
			}
			open, next = append(open, name), append(next, 0)
			count[name]++
		case xml.EndElement:
			open, next = open[:len(open)-1], next[:len(next)-1]
		}
	}
	for name, want := range map[string]int{"testsuites": 1, "testsuite": 3, "testcase": 7, "failure": 3, "system-out": 2} {
		if count[name] != want {
			t.Errorf("%d %s, want %d", count[name], name, want)
		}
	}
	for _, want := range []string{`tests="7" failures="3"`, `name="dataset math &lt;&amp;&gt; "`, `message="3 findings, 6%, limit 1%"`, `classname="validate.dataset code"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}

func checkAttributes(t *testing.T, name string, known []string, got []xml.Attr) {
	t.Helper()
	for _, a := range got {
		if !slices.Contains(known, a.Name.Local) && !slices.Contains(known, a.Name.Local+"!") {
			t.Errorf("%s has no attribute %s", name, a.Name.Local)
		}
	}
	for _, a := range known {
		required, ok := strings.CutSuffix(a, "!")
		if ok && !slices.ContainsFunc(got, func(x xml.Attr) bool { return x.Name.Local == required }) {
			t.Errorf("%s lacks %s", name, required)
		}
	}
}

// checkChild returns where in the sequence of children the next one may stand.
func checkChild(t *testing.T, sequence []string, from int, name string) int {
	t.Helper()
	for i := from; i < len(sequence); i++ {
		child, many := strings.CutSuffix(sequence[i], "*")
		if child == name && many {
			return i
		}
		if child == name {
			return i + 1
		}
	}
	t.Errorf("%s stands in the wrong place, allowed are %v", name, sequence[from:])
	return from
}

// FuzzFormats: whatever the data says, XML is XML, an annotation is one line,
// and HTML holds no character that a reader does not see.
func FuzzFormats(f *testing.F) {
	f.Add("a", "b\x00", "c\u202e", "</script>")
	f.Add("]]>", "&#0;", "\xff\xfe", "\ufffe\uffff")
	f.Fuzz(func(t *testing.T, id, detail, file, group string) {
		r := gateReport()
		r.Findings = []report.Finding{{Rule: "truncated", Level: "fail", ID: id, Detail: detail, File: file, Line: 1, Excerpt: report.Excerpt{Part: "content", Before: id, Marked: detail, After: group}}}
		r.Groups[0].Name, r.Why = group, []string{detail}
		if err := xml.Unmarshal(r.AppendJUnit(nil), new(struct {
			Suites []struct{} `xml:"testsuite"`
		})); err != nil {
			t.Error(err)
		}
		for line := range strings.Lines(string(r.AppendGitHub(nil))) {
			if !strings.HasPrefix(line, "::") {
				t.Errorf("no command: %q", line)
			}
		}
		page, err := r.AppendHTML(nil)
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(page) || strings.ContainsAny(string(page), "\x00\x1b\u202e\u2066\u2028") || strings.Contains(strings.ToLower(string(page)), "<script") {
			t.Errorf("%q", page)
		}
	})
}
