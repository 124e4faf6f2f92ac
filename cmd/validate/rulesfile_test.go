package main

import (
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/check"
)

// FuzzRules: whatever a file of rules says, it is read, or refused with a place.
func FuzzRules(f *testing.F) {
	for _, text := range []string{
		"by: dataset\nno-think-ok: [a=b]\nrules:\n  truncated: 1%\n  too-short: {level: fail, limit: 5, min-reasoning: 3}\n  leaked-marker: {ignore: ['<x>'], markers: ['[y]']}\ngroups: {a: {truncated: 3}}\n",
		"rules: &r {truncated: warn}\ngroups: {a: *r}", "a: &a [*a]", "rules: &a {truncated: *a}", "---\n---\n", "? [a]: b", "by: {}", "rules: [", "\x00", "require: ~", "groups:\n  ? {a: b}\n  : c",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := &config{policy: check.DefaultPolicy(), limits: map[string]cmdline.Limit{}, groupLimits: map[string]map[string]cmdline.Limit{}}
		r := &rulesFile{name: "rules.yaml", c: c}
		r.read([]byte(text))
		for _, err := range r.wrong {
			if !strings.HasPrefix(err.Error(), "rules.yaml:") || strings.HasPrefix(err.Error(), "rules.yaml:0:") {
				t.Errorf("%q: no place in %q", text, err)
			}
		}
	})
}
