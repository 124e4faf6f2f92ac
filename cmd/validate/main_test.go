package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/cmd/internal/scripttest"
)

func TestScripts(t *testing.T) { scripttest.Run(t, "testdata") }

// validate runs the command in this process.
func validate(stdin string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = cmdline.Main(command(), cmdline.Streams{
		Args: append([]string{"validate"}, args...), In: strings.NewReader(stdin), Out: &out, Err: &errs,
	})
	return code, out.String(), errs.String()
}

// jsonReport is the JSON report.
type jsonReport struct {
	Records, Passed, Failed int64
	Gate                    string
	Rules                   []struct {
		Rule, Level string
		Count       int64
		Rate        float64
		Limit       *float64
	}
	Groups []struct {
		Group                   string
		Records, Passed, Failed int64
		Rules                   []struct {
			Rule, Level string
			Count       int64
			Rate        float64
			Limit       *float64
		}
	}
	Findings []struct {
		Rule, Level, ID, File, Detail string
		Sample, Choice                int
		Line                          int64
	}
}

// judge runs validate --check and returns its report.
func judge(t *testing.T, stdin string, args ...string) (code int, r jsonReport) {
	t.Helper()
	file := t.TempDir() + "/report.json"
	args = append([]string{"--check", "--report", "json", "--report-file", file, "--max-findings", "100000"}, args...)
	code, stdout, stderr := validate(stdin, args...)
	if stdout != "" {
		t.Errorf("--check wrote %.200q", stdout)
	}
	d := json.NewDecoder(strings.NewReader(read(t, file)))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		t.Fatalf("exit %d, report %v\n%s", code, err, stderr)
	}
	verify(t, r)
	return code, r
}

// verify holds what is true of every complete report.
func verify(t *testing.T, r jsonReport) {
	t.Helper()
	if r.Passed+r.Failed != r.Records {
		t.Errorf("%d passed, %d failed of %d records", r.Passed, r.Failed, r.Records)
	}
	counted := int64(0)
	for _, rule := range r.Rules {
		counted += rule.Count
		if (rule.Limit == nil) != (rule.Level == "warn") {
			t.Errorf("rule %+v: a limit is for what fails", rule)
		}
	}
	if counted != int64(len(r.Findings)) {
		t.Errorf("%d findings are counted, %d are told", counted, len(r.Findings))
	}
}
