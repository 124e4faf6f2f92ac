package cmdline

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

func TestSpread(t *testing.T) {
	f := func(lines string, want string) {
		t.Helper()
		var given [][]byte
		for line := range strings.SplitSeq(lines, "\n") {
			given = append(given, []byte(line))
		}
		err := Spread("x", given...)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) || ExitCode(err) != 2) {
			t.Errorf("%q: %v, want %q", lines, err, want)
		}
		if hints := hintsOf(err); want != "" && !strings.HasPrefix(hints[0], "shard --from json FILE makes a line of each") {
			t.Errorf("%q: advice %q", lines, hints)
		}
	}
	f("[", "x is a JSON array")
	f("[\n{", "JSON array")
	f("[\n  {\"a\":1},", "JSON array")
	f("[\n\"a\",", "JSON array")
	f("[\n[", "JSON array")
	f("[{", "JSON array")
	f("[{\n\"a\":1", "JSON array")
	f("[ {\"a\":1},\n{\"b\":1}", "JSON array")
	f("[{\"a\":1}\n,{\"b\":1}", "JSON array")
	f("[{\"a\":[\n1", "JSON array")
	f("{\n  \"a\": 1,", "x is JSON over")
	f("{", "")
	f("{\n{\"a\":1}", "")
	f("[\n2024", "")
	f("[INFO] starting,\n{}", "")
	f("[{\"a\":1}]\n[{\"a\":1}]", "")
	f("[{\"a\":1\n{\"a\":1}", "")
	f("{\"a\":1}\n[", "")
	f("{\"a\":\n1}", "")
	f("", "")
}

// TestSpreadInputs: whatever it comes in, a document is told once, and before
// anything is done where that can be seen.
func TestSpreadInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	const array, lines = "\ufeff\n[\n  {\"a\": 1},\n  {\"a\": 2}\n]\n", "{\"a\":1}\n"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(array))
	z.Close()
	os.WriteFile("array", []byte(array), 0o666)
	os.WriteFile("packed", packed.Bytes(), 0o666)
	os.WriteFile("lines", []byte(lines), 0o666)
	f := func(shared Shared, stdin any, args, out, want string) {
		t.Helper()
		c := copier()
		c.Shared |= shared
		c.Run = func(ctx context.Context, s *Session) error {
			worker := func() func(*jsonl.Block) {
				return func(b *jsonl.Block) {
					for l := range b.Lines() {
						b.Out = append(append(b.Out, l.Data...), '\n')
					}
				}
			}
			return s.Map(ctx, worker, func(b *jsonl.Block) error {
				_, err := s.Out.Write(b.Out)
				return err
			})
		}
		streams := Streams{Args: append([]string{"demo"}, strings.Fields(args)...)}
		switch in := stdin.(type) {
		case string:
			streams.In = strings.NewReader(in)
		case *os.File:
			streams.In = in
		}
		var stdout, stderr bytes.Buffer
		streams.Out, streams.Err = &stdout, &stderr
		code := Main(c, streams)
		if stdout.String() != out || (code == 2) != (want != "") || want != "" && !strings.HasPrefix(stderr.String(), "demo: "+want+" is a JSON array over many lines") {
			t.Errorf("demo %s: exit %d, out %q, err %s", args, code, stdout.String(), stderr.String())
		}
		if n := strings.Count(stderr.String(), "\n"); want != "" && n != 2 {
			t.Errorf("demo %s: %d lines, want a message and a hint", args, n)
		}
	}
	f(0, "", "array", "", "array")
	f(0, "", "packed", "", "packed")
	f(0, "", "lines array", "", "array")
	f(0, array, "", "", "<stdin>")
	f(0, packed.String(), "", "", "<stdin>")
	f(0, array, "lines - lines", lines, "<stdin>")
	f(0, lines, "lines - lines", lines+lines+lines, "")
	f(Documents, "", "lines", lines, "")
	f(Documents, "", "array", "[\n  {\"a\": 1},\n  {\"a\": 2}\n]\n", "")
	for _, name := range []string{"array", "lines"} {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if name == "array" {
			f(0, file, "lines -", "", "<stdin>")
		} else {
			f(0, file, "", lines, "")
		}
	}
}
