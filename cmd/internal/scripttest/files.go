package scripttest

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
)

// need checks the number of arguments of a word.
func need(ts *testscript.TestScript, neg bool, args []string, usage string) {
	if words := len(strings.Fields(usage)) - 1; neg || len(args) != words {
		ts.Fatalf("usage: %s", usage)
	}
}

func number(ts *testscript.TestScript, s string) int {
	n, err := strconv.Atoi(s)
	ts.Check(err)
	return n
}

func write(ts *testscript.TestScript, file string, data []byte) {
	ts.Check(os.WriteFile(ts.MkAbs(file), data, 0o666))
}

// counts compares the number of lines, a last one without newline included.
func counts(ts *testscript.TestScript, neg bool, args []string) {
	pattern := ""
	if len(args) == 3 {
		pattern, args = args[2], args[:2]
	}
	need(ts, neg, args, "counts N file")
	match, err := regexp.Compile(pattern)
	ts.Check(err)
	n := 0
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		if match.MatchString(strings.TrimSuffix(line, "\n")) {
			n++
		}
	}
	if n != number(ts, args[0]) {
		ts.Fatalf("%s has %d such lines, want %s", args[1], n, args[0])
	}
}

func jsonLines(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, "jsonlines file")
	text := ts.ReadFile(args[0])
	if text == "" {
		ts.Fatalf("%s is empty", args[0])
	}
	for line := range strings.Lines(text) {
		if !json.Valid([]byte(line)) {
			ts.Fatalf("%s has a line that is not JSON: %q", args[0], line)
		}
	}
}

func compress(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, "compress file out")
	var b bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&b)
	if strings.HasSuffix(args[1], ".zst") {
		var err error
		w, err = zstd.NewWriter(&b)
		ts.Check(err)
	}
	_, err := io.WriteString(w, ts.ReadFile(args[0]))
	ts.Check(err)
	ts.Check(w.Close())
	write(ts, args[1], b.Bytes())
}

func decompress(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, "decompress file out")
	data := []byte(ts.ReadFile(args[0]))
	var r io.Reader
	var err error
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		r, err = gzip.NewReader(bytes.NewReader(data))
	} else {
		r, err = zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1))
	}
	ts.Check(err)
	data, err = io.ReadAll(r)
	ts.Check(err)
	write(ts, args[1], data)
}

func headBytes(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, "head-bytes N file out")
	data := ts.ReadFile(args[1])
	n := number(ts, args[0])
	if n < 0 {
		n += len(data)
	}
	write(ts, args[2], []byte(data[:n]))
}

func repeat(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, neg, args, "repeat N text out")
	write(ts, args[2], repeated(number(ts, args[0]), args[1]))
}

func repeated(n int, text string) []byte {
	var b bytes.Buffer
	for i := range n {
		b.WriteString(strings.ReplaceAll(text, "#", strconv.Itoa(i+1)) + "\n")
	}
	return b.Bytes()
}
