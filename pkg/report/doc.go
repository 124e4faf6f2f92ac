// Package report writes what a gate found: named tallies and example findings,
// as text for people and as JSON for programs.
//
//	r := report.Report{Records: 50, Passed: 49, Failed: 1, Gate: "fail",
//		Rules:    []report.Rule{{Name: "truncated", Level: "fail", Count: 1, Rate: 0.02}},
//		Findings: []report.Finding{{Rule: "truncated", Level: "fail", File: "a.jsonl", Line: 7}}}
//	w.Write(r.AppendText(nil))
//
// It knows nothing of rules and gates: every name and verdict is the caller's.
// Nothing here is safe for concurrent use with itself on one Report.
package report
