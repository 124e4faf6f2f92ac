package report_test

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/report"
)

func example() report.Report {
	return report.Report{
		Records: 1319, Passed: 1315, Failed: 4, Gate: "fail",
		Why: []string{"truncated hits 3 of 1319 records", "leaked-marker hits 1 of 1319 records"},
		Rules: []report.Rule{
			{Name: "empty-content", Level: "fail"},
			{Name: "leaked-marker", Level: "fail", Count: 1, Rate: 1. / 1319},
			{Name: "truncated", Level: "fail", Count: 3, Rate: 3. / 1319, Limit: 0.001},
			{Name: "mixed-models", Level: "warn", Count: 700, Rate: 700. / 1319, NoLimit: true},
		},
		Findings: []report.Finding{
			{Rule: "truncated", Level: "fail", ID: "gsm8k-17", Sample: 1, File: "raw.jsonl", Line: 12, Detail: `finish reason "length"`},
			{Rule: "mixed-models", Level: "warn", ID: "gsm8k-18", Choice: 2, File: "raw.jsonl", Line: 13},
		},
	}
}

func ExampleReport_AppendText() {
	r := example()
	os.Stdout.Write(r.AppendText(nil))
	// Output:
	// rule           level  count   rate  limit
	// truncated      fail       3   0.2%   0.1%
	// leaked-marker  fail       1   0.1%      0
	// mixed-models   warn     700  53.1%
	// raw.jsonl:12: id "gsm8k-17": sample 1: truncated: finish reason "length"
	// raw.jsonl:13: id "gsm8k-18": warning: sample 0 choice 2: mixed-models
	// … and 702 more findings
	// gate: fail: truncated hits 3 of 1319 records; leaked-marker hits 1 of 1319 records (1319 records, 1315 passed, 4 failed)
}

func ExampleReport_AppendJSON() {
	r := example()
	r.Rules, r.Findings = r.Rules[2:], r.Findings[:1]
	os.Stdout.Write(r.AppendJSON(nil))
	// Output:
	// {"records":1319,"passed":1315,"failed":4,"gate":"fail","rules":[{"rule":"truncated","level":"fail","count":3,"rate":0.002274450341167551,"limit":0.001},{"rule":"mixed-models","level":"warn","count":700,"rate":0.530705079605762,"limit":null}],"groups":[],"findings":[{"rule":"truncated","level":"fail","id":"gsm8k-17","sample":1,"choice":0,"file":"raw.jsonl","line":12,"detail":"finish reason \"length\""}]}
}

func TestPassingReportIsOneLine(t *testing.T) {
	r := report.Report{Records: 1, Passed: 1, Gate: "pass", Rules: []report.Rule{{Name: "truncated", Level: "fail"}}}
	if got, want := string(r.AppendText(nil)), "gate: pass (1 record, 1 passed, 0 failed)\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTextIsFitForATerminal(t *testing.T) {
	hostile := "a\x1b[2Jb\r\x07\u202ec\nd\x00\xffe"
	r := report.Report{Gate: "fail", Why: []string{hostile}, Rules: []report.Rule{{Name: "x", Level: "fail", Count: 1}},
		Findings: []report.Finding{{Rule: "x", Level: "fail", ID: hostile, File: hostile, Line: 1, Detail: hostile + strings.Repeat("é", 5000)}}}
	text := string(r.AppendText(nil))
	for _, line := range strings.Split(text, "\n") {
		if len(line) > 1000 || !utf8.ValidString(line) || strings.ContainsAny(line, "\x1b\r\x07\x00\u202e") {
			t.Errorf("line %q", line)
		}
	}
	if n := strings.Count(text, "\n"); n != 4 {
		t.Errorf("%d lines in %q", n, text)
	}
}

// Names that begin alike are told apart, in 80 columns.
func TestGroupNames(t *testing.T) {
	r := report.Report{By: "model"}
	for _, name := range []string{"mlx-community/Qwen3.5-35B-A3B-4bit @ raw-mode", "mlx-community/Qwen3.5-35B-A3B-4bit @ json", strings.Repeat("é", 27)} {
		rules := []report.Rule{{Name: "unexpected-reasoning", Level: "fail", Count: 9, Rate: 0.999}}
		r.Groups = append(r.Groups, report.Group{Name: name, Records: 1e6, Passed: 1e5, Failed: 9e5, Rules: rules})
	}
	text := string(r.AppendText(nil))
	for _, want := range []string{"mlx-community…it @ raw-mode", "mlx-community…B-4bit @ json", strings.Repeat("é", 27) + " "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(line); n > 80+len("\n") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestSmallShares(t *testing.T) {
	f := func(rate float64, want string) {
		t.Helper()
		r := report.Report{Rules: []report.Rule{{Name: "x", Level: "fail", Count: 1, Rate: rate}}}
		if text := string(r.AppendText(nil)); !strings.Contains(text, " "+want+" ") {
			t.Errorf("%v: want %s in %q", rate, want, text)
		}
	}
	f(1, "100%")
	f(0.9999, ">99.9%")
	f(0.5, "50%")
	f(0.1234, "12.3%")
	f(0.000123, "0.012%")
}

func FuzzAppendJSON(f *testing.F) {
	f.Add("a", "raw.jsonl", "detail", 0.5, int64(3))
	f.Add("\xff\u2028\"\\\x00", "", "", math.NaN(), int64(-1))
	f.Fuzz(func(t *testing.T, id, file, detail string, rate float64, n int64) {
		r := report.Report{
			Records: n, Gate: "fail", Rules: []report.Rule{{Name: detail, Level: "fail", Count: n, Rate: rate, Limit: rate}},
			Groups:   []report.Group{{Name: id, Records: n}},
			Findings: []report.Finding{{Rule: detail, ID: id, File: file, Line: n, Detail: detail}},
		}
		b := r.AppendJSON(nil)
		var back struct {
			Records  *int64
			Rules    []struct{ Rate *float64 }
			Findings []struct{ ID *string }
		}
		if err := json.Unmarshal(b, &back); err != nil || strings.Count(string(b), "\n") != 1 {
			t.Fatalf("%s: %v", b, err)
		}
		if *back.Records != n || utf8.ValidString(id) && *back.Findings[0].ID != id {
			t.Fatalf("%s does not say %d, %q", b, n, id)
		}
		r.AppendText(nil)
	})
}
