package archtest

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// importRule says that of the packages that match, only those in by may import
// what, or that they may import nothing of it. Patterns are those of path.Match,
// "…" at the end stands for anything.
type importRule struct {
	packages string
	what     string
	except   []string // packages that may; or, with only, what they may import
	only     bool
	tests    bool // holds for tests, too
	why      string
}

func importRules() []importRule {
	leaf := func(name string) importRule {
		return importRule{packages: "pkg/" + name, what: "pkg/…",
			why: "it is a leaf: whoever imports it gets nothing else of ours"}
	}
	return []importRule{
		leaf("jsonl"), leaf("jsonscan"), leaf("reasoning"), leaf("scheduler"), leaf("progress"), leaf("report"),
		{packages: "pkg/…", what: "cmd/…", tests: true, why: "a library does not know the programs that use it"},
		{packages: "cmd/shard", what: "cmd/…", except: []string{"cmd/internal/…"}, only: true, tests: true, why: commandsApart},
		{packages: "cmd/gen", what: "cmd/…", except: []string{"cmd/internal/…"}, only: true, tests: true, why: commandsApart},
		{packages: "cmd/extract", what: "cmd/…", except: []string{"cmd/internal/…"}, only: true, tests: true, why: commandsApart},
		{packages: "cmd/validate", what: "cmd/…", except: []string{"cmd/internal/…"}, only: true, tests: true, why: commandsApart},
		{packages: "cmd/internal/cmdline", what: "pkg/…", except: []string{"pkg/jsonl", "pkg/jsonscan", "pkg/progress", "pkg/provenance"}, only: true,
			why: "the front door knows lines and what stands beside a file of them, no verb"},
		{packages: "…", what: "net/http", except: []string{"pkg/endpoint", "pkg/monitor", "pkg/simulator"},
			why: "time limits, keys and redirects are decided in one place for each direction"},
		{packages: "…", what: "github.com/urfave/cli/…", except: []string{"cmd/shard", "cmd/gen", "cmd/extract", "cmd/validate", "cmd/internal/cmdline"}, tests: true,
			why: "a library has no command line"},
		{packages: "…", what: "github.com/rogpeppe/…", except: []string{"cmd/internal/scripttest"}, tests: true,
			why: "scripts are run in one way; no program needs a test library"},
		{packages: "…", what: "github.com/chromedp/…", except: []string{"cmd/internal/browser"}, tests: true,
			why: "a browser is started in one way; no program needs one"},
		{packages: "…", what: "github.com/klauspost/…", except: []string{"pkg/jsonl", "pkg/endpoint", "cmd/internal/scripttest"},
			why: "containers are recognised, limited and repaired in one place"},
		{packages: "pkg/…", what: "log…", except: []string{"pkg/monitor", "pkg/simulator"},
			why: "a library returns errors, it does not tell them (servers need a logger to silence)"},
		{packages: "…", what: "unsafe", why: "no figure has asked for it yet"},
		{packages: "…", what: "math/rand", tests: true, why: "math/rand/v2 needs no seeding and is faster"},
	}
}

const commandsApart = "commands share nouns (pkg), never verbs"

func TestImports(t *testing.T) {
	rules := importRules()
	for _, s := range sources(t) {
		for _, i := range s.imports() {
			for _, r := range rules {
				if r.forbids(s, i) {
					t.Errorf("%s imports %s: %s", s.name, i, r.why)
				}
			}
		}
	}
}

// forbids reports whether a rule speaks against an import.
func (r importRule) forbids(s source, imported string) bool {
	if s.isTest() && !r.tests || !matches(r.packages, s.dir) || !matches(r.what, imported) || imported == s.dir {
		return false
	}
	who := s.dir
	if r.only {
		who = imported
	}
	return !slices.ContainsFunc(r.except, func(p string) bool { return matches(p, who) })
}

func matches(pattern, name string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "…"); ok {
		return strings.HasPrefix(name, prefix)
	}
	ok, err := path.Match(pattern, name)
	if err != nil {
		panic(err)
	}
	return ok
}

// A rule that cannot fail protects nothing.
func TestImportRulesBite(t *testing.T) {
	f := func(dir, imported string, forbidden bool) {
		t.Helper()
		s := source{dir: dir, name: dir + "/x.go"}
		got := slices.ContainsFunc(importRules(), func(r importRule) bool { return r.forbids(s, imported) })
		if got != forbidden {
			t.Errorf("%s imports %s: forbidden is %v, want %v", dir, imported, got, forbidden)
		}
	}
	f("pkg/jsonl", "pkg/jsonscan", true)
	f("pkg/reasoning", "pkg/record", true)
	f("pkg/reasoning", "strings", false)
	f("pkg/record", "pkg/jsonscan", false)
	f("pkg/record", "cmd/internal/cmdline", true)
	f("cmd/gen", "cmd/extract", true)
	f("cmd/gen", "cmd/internal/cmdline", false)
	f("cmd/gen", "pkg/endpoint", false)
	f("cmd/gen", "net/http", true)
	f("pkg/endpoint", "net/http", false)
	f("pkg/endpoint", "net/http/httptrace", false)
	f("pkg/prompt", "net/http", true)
	f("pkg/shard", "github.com/urfave/cli/v2", true)
	f("cmd/shard", "github.com/urfave/cli/v2", false)
	f("cmd/internal/cmdline", "pkg/record", true)
	f("cmd/internal/cmdline", "pkg/jsonl", false)
	f("pkg/check", "log", true)
	f("pkg/check", "log/slog", true)
	f("cmd/shard", "github.com/klauspost/compress/zstd", true)
}
