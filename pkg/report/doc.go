// Package report writes what a gate found: named tallies and example findings,
// as text and as one HTML page for people, as JSON, JUnit and GitHub's
// annotations for programs.
//
//	r := report.Report{Records: 50, Passed: 49, Failed: 1, Gate: "fail",
//		Rules:    []report.Rule{{Name: "truncated", Level: "fail", Count: 1, Rate: 0.02}},
//		Findings: []report.Finding{{Rule: "truncated", Level: "fail", File: "a.jsonl", Line: 7}}}
//	w.Write(r.AppendText(nil))
//
// Texts come from data and are taken for hostile: control characters never reach
// a terminal, a page obeys nothing, an annotation stays on its line.
//
// It knows nothing of rules and gates: every name and verdict is the caller's.
// Nothing here is safe for concurrent use with itself on one Report.
package report
