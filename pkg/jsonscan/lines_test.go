package jsonscan_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

func TestLines(t *testing.T) {
	f := func(in, want string) {
		t.Helper()
		for _, r := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in))} {
			got, err := io.ReadAll(jsonscan.NewLines(r))
			if string(got) != want || err != nil {
				t.Errorf("%q: got %q, %v, want %q", in, got, err, want)
			}
		}
	}
	f("", "")
	f(" \n", "")
	f("[]", "")
	f("\xef\xbb\xbf[ ]\r\n", "")
	f(`[{"a": 1}, {"b": [1, 2]}]`, "{\"a\": 1}\n{\"b\": [1, 2]}\n")
	f("[\n  {\n    \"a\": 1,\r\n    \"b\": [\n      1 , 2\n    ]\n  }\n]\n", "{\"a\": 1,\"b\": [1 , 2]}\n")
	f(`[1,"a]\"",true , null,[],[[]], -1e5]`, "1\n\"a]\\\"\"\ntrue\nnull\n[]\n[[]]\n-1e5\n")
	f("{\"a\":\"\\\\\"}{}\n{\"b\"\n:\n2}", "{\"a\":\"\\\\\"}\n{}\n{\"b\":2}\n")
	f("17", "17\n")
	f("17 18\n\"x\"", "17\n18\n\"x\"\n")
	f("{\"a\" :\t1}\n", "{\"a\" :\t1}\n")
	f("[\"a\n{\\\"b\\\":1}\\\n\n\",2]", "\"a\r{\\\"b\\\":1}\\\r\r\"\n2\n") // no JSON, and still one value
}

func TestLinesThatAreNone(t *testing.T) {
	f := func(in, lines, want string) {
		t.Helper()
		got, err := io.ReadAll(jsonscan.NewLines(strings.NewReader(in)))
		whole := got[:bytes.LastIndexByte(got, '\n')+1]
		if string(whole) != lines || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %q, %v, want %q, %q", in, whole, err, lines, want)
		}
	}
	f("[", "", "not closed")
	f("[1", "", "inside a value")
	f("[1,", "1\n", "not closed")
	f("[1,{\"a\":[", "1\n", "inside a value")
	f("[1,\"a\\", "1\n", "inside a value")
	f("{", "", "inside a value")
	f("[1,]", "1\n", "offset 3: unexpected ']' between values, want a value")
	f("[,1]", "", "want a value")
	f("[1 2]", "1\n", "want ',' or ']'")
	f("[1] 2", "1\n", "want the end of the input")
	f("1,2", "1\n", "want a value")
	f("]", "", "want a value")
	if _, err := io.ReadAll(jsonscan.NewLines(strings.NewReader("[1"))); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a cut input: %v", err)
	}
	if _, err := io.ReadAll(jsonscan.NewLines(iotest.ErrReader(io.ErrClosedPipe))); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("the reader's error: %v", err)
	}
}

// FuzzLines: the elements of an array come out as lines that are the same values,
// and what is no array is not taken for one.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{`[]`, `[{"a": 1}, 2]`, "[\n{\n\"a\" : [\"\\\" ]\"]}]", `{"a":1} 2`, `[1,]`, `"\u0000"`, "[1\n,\n2]", `{"a":{}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, err := io.ReadAll(jsonscan.NewLines(strings.NewReader(in)))
		slow, slowErr := io.ReadAll(jsonscan.NewLines(iotest.OneByteReader(strings.NewReader(in))))
		if !bytes.Equal(got, slow) || (err == nil) != (slowErr == nil) {
			t.Fatalf("%q: %q, %v; byte by byte %q, %v", in, got, err, slow, slowErr)
		}
		var elements []json.RawMessage
		if json.Unmarshal([]byte(in), &elements) != nil || strings.TrimSpace(in) == "null" {
			return
		}
		lines := strings.Split(strings.TrimSuffix(string(got), "\n"), "\n")
		if len(elements) == 0 {
			lines = nil
		}
		if err != nil || len(lines) != len(elements) && len(got) > 0 {
			t.Fatalf("%q: %d lines of %d elements: %v", in, len(lines), len(elements), err)
		}
		for i, e := range elements {
			if a, b := compact(t, e), compact(t, []byte(lines[i])); a != b {
				t.Errorf("%q: element %d is %s, want %s", in, i, b, a)
			}
			if !bytes.ContainsAny(e, "\n\r") && string(e) != lines[i] {
				t.Errorf("%q: element %d is %s, want every byte of %s", in, i, lines[i], e)
			}
		}
	})
}

func compact(t *testing.T, value []byte) string {
	var b bytes.Buffer
	if err := json.Compact(&b, value); err != nil {
		t.Fatalf("%q: %v", value, err)
	}
	return b.String()
}
