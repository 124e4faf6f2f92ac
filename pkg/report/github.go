package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// mostAnnotations is how many of each level GitHub shows of one step; it drops
// the others without a word.
// https://docs.github.com/en/rest/checks/runs and the runner's limits.
const mostAnnotations = 10

// annotationBytes is below what GitHub shows of a message (64 KiB) and above
// what anybody reads.
const annotationBytes = 1000

// AppendGitHub appends the report as GitHub's workflow commands, a line each:
// first the verdict, then findings as annotations of their file and line, at most
// ten of a level, those of rules beyond their limit first.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
func (r *Report) AppendGitHub(dst []byte) []byte {
	left := map[string]int{"error": mostAnnotations, "warning": mostAnnotations}
	if r.Gate == "fail" {
		dst = appendCommand(dst, "error", "title=gate", r.Verdict())
		left["error"]--
	} else {
		dst = appendCommand(dst, "notice", "title=gate", r.Verdict())
	}
	for _, f := range r.exceededFirst() {
		kind := f.kind()
		if left[kind]--; left[kind] < 0 {
			continue
		}
		var properties []string
		if f.File != "" && f.File != "<stdin>" {
			properties = append(properties, "file="+property(f.File), fmt.Sprintf("line=%d", f.Line))
		}
		properties = append(properties, "title="+property(f.Rule))
		dst = appendCommand(dst, kind, strings.Join(properties, ","), f.about())
	}
	return dst
}

// kind is what GitHub calls a finding's level.
func (f *Finding) kind() string {
	if f.Level == "warn" {
		return "warning"
	}
	return "error"
}

// about is a finding with its id and, where GitHub has no place for it, its line.
func (f *Finding) about() string {
	about := f.String()
	if f.ID != "" {
		about = fmt.Sprintf("id %q: %s", cut(f.ID, shown), about)
	}
	if f.File == "<stdin>" {
		about = fmt.Sprintf("line %d: %s", f.Line, about)
	}
	return about
}

// exceededFirst are the findings, those of rules beyond their limit before the others.
func (r *Report) exceededFirst() []Finding {
	rank := map[string]int{}
	for _, rule := range r.Rules {
		if rule.Exceeded {
			rank[rule.Name] = -1
		}
	}
	findings := slices.Clone(r.Findings)
	slices.SortStableFunc(findings, func(a, b Finding) int { return cmp.Compare(rank[a.Rule], rank[b.Rule]) })
	return findings
}

func appendCommand(dst []byte, command, properties, message string) []byte {
	return fmt.Appendf(dst, "::%s %s::%s\n", command, properties, escapeData(clean(cut(message, annotationBytes))))
}

// escapeData is what the runner undoes in a message, property what it undoes in
// a property.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
