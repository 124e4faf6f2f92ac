package cmdline

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// Whatever is typed is either refused or put in order without loss: flags that
// urfave/cli takes one by one, and files in the order in which they were given.
func FuzzParse(f *testing.F) {
	for _, line := range []string{"a b -n 4", "-n4 -qv -- -x", "--number=4 a --header x", "--name --stream", "-=", "--=", "---", "-n=", "--help a", "merge x", "x merge"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, " ")
		parsed, err := newGrammar(command(nil)).parse(args)
		if err != nil {
			if ExitCode(err) != CodeUsage {
				t.Fatalf("%q: exit code %d", args, ExitCode(err))
			}
			return
		}
		rest := args
		for _, file := range parsed.files {
			for len(rest) > 0 && rest[0] != file {
				rest = rest[1:]
			}
			if len(rest) == 0 {
				t.Fatalf("%q: file %q is not where it was given", args, file)
			}
			rest = rest[1:]
		}
		for _, flag := range parsed.flags {
			if name, _, ok := strings.Cut(flag, "="); !ok || !strings.HasPrefix(name, "--") || len(name) < 4 {
				t.Fatalf("%q: flag %q", args, flag)
			}
		}
		if r := try(command(nil), args...); r.code != 0 && r.code != CodeUsage {
			t.Fatalf("%q: %+v", args, r)
		}
	})
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"a\x1b[2J", "\xff\xfe", "思考", "a\u202eb", "\r\n\t"} {
		f.Add(s, 3)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		limit = max(limit%1000, 0)
		clean := Clean(s, limit)
		if !utf8.ValidString(clean) || strings.ContainsFunc(clean, unicode.IsControl) {
			t.Fatalf("%q is %q", s, clean)
		}
		if max := 3*limit + len("…"); len(clean) > max { // a byte may become U+FFFD
			t.Fatalf("%q: %d bytes, want at most %d", s, len(clean), max)
		}
		if again := Clean(clean, len(clean)); again != clean {
			t.Fatalf("%q, then %q", clean, again)
		}
	})
}

func FuzzParseSize(f *testing.F) {
	for _, s := range []string{"1", "64K", "1GiB", "8388607T", "0", "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := ParseSize(s)
		if err != nil {
			return
		}
		if again, err := ParseSize(NewSize(n).String()); err != nil || again != n {
			t.Fatalf("%q is %d, then %d, %v", s, n, again, err)
		}
	})
}
