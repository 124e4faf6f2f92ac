package jsonscan

import (
	"errors"
	"strings"
	"testing"
)

// validLines are lines that every part must agree on.
var validLines = []string{
	`{}`, `[]`, `""`, `0`, `-0`, `null`, `true`, ` false `, `-1.5e+3`, `1E400`, `12345678901234567890`,
	`{"id":"a","n":[1,2,{"x":null}],"s":"\u003c\/think\u003e\n"}`,
	`{"a":{"b":{"c":[[],[[]],{}]}},"a":1}`,
	`"\ud83d\ude00 \ud83d \ude00\ud83d"`,
	"{\t\"k\" :\r\n[ 1 , 2 ] }",
	`{"":"","\u0000":"\b\f\n\r\t\"\\\/"}`,
	`"◁think▷ 漢字 é 😀 and forty more bytes of plain text to go through a whole step"`,
	sample,
}

// sample is a line as gen archives it, with escapes of every sort.
const sample = `{"id":"chatcmpl-1","choices":[{"index":0,"message":{"role":"assistant",` +
	`"content":"\u003cthink\u003e\nSo 2+2=4.\n<\/think>\n\nThe \"answer\" is 4 \ud83d\ude00 — 四."},` +
	`"finish_reason":"stop","logprobs":null}],"usage":{"prompt_tokens":61,"completion_tokens":412},"ok":true,"x":-1.25e-3}`

var faults = []struct {
	line   string
	offset int
	cause  string
	utf8   bool
}{
	{"", 0, "unexpected end", false},
	{"  ", 2, "unexpected end", false},
	{`{"a":1`, 6, "unexpected end", false},
	{`{"a":"x`, 7, "unexpected end in string", false},
	{`{"a":"x\`, 8, "unexpected end in string", false},
	{`{"a":"x\u12`, 11, "unexpected end in string", false},
	{`{"a":tru`, 8, "unexpected end", false},
	{`{"a":-`, 6, "unexpected end", false},
	{`{"a" 1}`, 5, `unexpected '1', want ':'`, false},
	{`{a:1}`, 1, `unexpected 'a', want a key`, false},
	{`{"a":1,}`, 7, `unexpected '}', want a key`, false},
	{`[1,]`, 3, `unexpected ']', want a value`, false},
	{`[1 2]`, 3, `unexpected '2', want ',' or ']'`, false},
	{`[1}`, 2, `unexpected '}', want ',' or ']'`, false},
	{`{"a":1]`, 6, `unexpected ']', want ',' or '}'`, false},
	{`{} {}`, 3, `unexpected '{', want the end of the line`, false},
	{`NaN`, 0, `unexpected end`, false},
	{`[NaN]`, 1, `unexpected "NaN", want a value`, false},
	{`[-Infinity]`, 1, `unexpected "-Infinity", want a value`, false},
	{`{"a":None}`, 5, `unexpected "None", want a value`, false},
	{`[01]`, 1, "number with a leading zero", false},
	{`[-01]`, 2, "number with a leading zero", false},
	{`[1.]`, 3, `unexpected ']', want a digit`, false},
	{`[1e+]`, 4, `unexpected ']', want a digit`, false},
	{`[.5]`, 1, `unexpected '.', want a value`, false},
	{`[+1]`, 1, `unexpected '+', want a value`, false},
	{"\"a\x01\"", 2, "control byte 0x01 in string", false},
	{"\"a\n\"", 2, "control byte 0x0a in string", false},
	{`"a\x"`, 3, `bad escape in string: unexpected 'x' after a backslash`, false},
	{`"a\u12g4"`, 6, `bad \u escape in string: unexpected 'g', want a hex digit`, false},
	{"\xff", 0, "unexpected byte 0xff", false},
	{"{}\x00", 2, "unexpected byte 0x00", false},
	{"\"a\xff\"", 2, "invalid UTF-8 in string", true},
	{"{\"k\xc0\x80\":\"\xff\"}", 3, "invalid UTF-8 in string", true},
	{"[\"\xed\xa0\xbd\"]", 2, "invalid UTF-8 in string", true},
	{"[\"\xff\",]", 5, `unexpected ']', want a value`, false},
	{"[\"\xff\x01\"]", 3, "control byte 0x01 in string", false},
	{"\ufeff{}", 0, "unexpected '\\ufeff'", false},
	{strings.Repeat("[", maxDepth+1), maxDepth, "nested deeper than 10000", false},
}

func TestFaults(t *testing.T) {
	for _, c := range faults {
		var d Doc
		var fault *SyntaxError
		if !errors.As(d.Scan([]byte(c.line)), &fault) {
			t.Errorf("%.40q passes", c.line)
			continue
		}
		if fault.Offset != c.offset && c.line != "NaN" || !strings.HasPrefix(fault.Cause, c.cause) || fault.UTF8 != c.utf8 {
			t.Errorf("%.40q: %+v, want %d %q", c.line, fault, c.offset, c.cause)
		}
		if Valid([]byte(c.line)) {
			t.Errorf("%.40q is valid", c.line)
		}
	}
}

func TestValidLines(t *testing.T) {
	var d Doc
	for _, line := range validLines {
		if err := d.Scan([]byte(line)); err != nil || !Valid([]byte(line)) {
			t.Errorf("%q: %v", line, err)
			continue
		}
		compare(t, d.Root())
	}
}
