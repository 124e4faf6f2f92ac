package jsonscan

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzScan holds Scan against encoding/json: what is valid, and every value.
func FuzzScan(f *testing.F) {
	for _, s := range validLines {
		f.Add([]byte(s))
	}
	for _, c := range faults {
		f.Add([]byte(c.line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var d Doc
		err := d.Scan(line)
		if (err == nil) != Valid(line) {
			t.Fatalf("Scan says %v, Valid %v", err, Valid(line))
		}
		fault, _ := err.(*SyntaxError)
		if fault != nil && (fault.Offset < 0 || fault.Offset > len(line) || fault.Cause == "") {
			t.Fatalf("fault %+v in a line of %d bytes", fault, len(line))
		}
		if want := json.Valid(line); want != (err == nil || fault.UTF8) {
			t.Fatalf("Scan says %v, json.Valid %v", err, want)
		}
		if utf8.Valid(line) == (fault != nil && fault.UTF8) && (err == nil || fault.UTF8) {
			t.Fatalf("Scan says %v, utf8.Valid %v", err, utf8.Valid(line))
		}
		if err == nil {
			compare(t, d.Root())
			if path := d.AnyDuplicate(); (path != "") != repeats(d.Root()) {
				t.Fatalf("AnyDuplicate: %q", path)
			}
			return
		}
		touch(d.Root())
	})
}

// compare checks v and all below it against what encoding/json makes of its Raw.
func compare(t *testing.T, v Value) {
	t.Helper()
	var want any
	dec := json.NewDecoder(bytes.NewReader(v.Raw()))
	dec.UseNumber()
	if err := dec.Decode(&want); err != nil {
		t.Fatalf("Raw %q: %v", v.Raw(), err)
	}
	if rest, _ := dec.Token(); rest != nil {
		t.Fatalf("Raw %q: %v after the value", v.Raw(), rest)
	}
	if !bytes.HasPrefix(v.doc.line[v.Offset():], v.Raw()) {
		t.Fatalf("Offset %d of %q", v.Offset(), v.Raw())
	}
	switch want := want.(type) {
	case string:
		if got := lossy(v.Text().String()); v.Kind() != String || got != want {
			t.Fatalf("Text of %s: %q, want %q", v.Raw(), got, want)
		}
		if !v.Text().Equal(v.Text().String()) {
			t.Fatalf("%s does not equal its String", v.Raw())
		}
	case json.Number:
		if v.Kind() != Number || string(v.Raw()) != want.String() {
			t.Fatalf("number %q, want %q", v.Raw(), want)
		}
		f, err := want.Float64()
		if got, ok := v.Float(); ok != (err == nil) || ok && got != f {
			t.Fatalf("Float of %s: %v %v", v.Raw(), got, ok)
		}
		n, err := want.Int64()
		if got, ok := v.Int(); ok != (err == nil) || ok && got != n {
			t.Fatalf("Int of %s: %v %v", v.Raw(), got, ok)
		}
	case bool:
		if got, ok := v.Bool(); !ok || got != want {
			t.Fatalf("Bool of %s: %v %v", v.Raw(), got, ok)
		}
	case nil:
		if v.Kind() != Null {
			t.Fatalf("%s has kind %v", v.Raw(), v.Kind())
		}
	case []any:
		if v.Kind() != Array || v.Len() != len(want) {
			t.Fatalf("%s has kind %v, length %d, want %d", v.Raw(), v.Kind(), v.Len(), len(want))
		}
		for i, e := range v.Elements() {
			if v.Index(i) != e {
				t.Fatalf("Index(%d) of %s", i, v.Raw())
			}
			compare(t, e)
		}
	case map[string]any:
		compareObject(t, v, want)
	}
}

// lossy is s as encoding/json decodes it: U+FFFD for each lone surrogate.
func lossy(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if _, ok := surrogate(s[i:]); ok {
			b.WriteString("\uFFFD")
			i += 3
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

func compareObject(t *testing.T, v Value, want map[string]any) {
	t.Helper()
	seen := map[string]bool{}
	for key, e := range v.Members() {
		k := key.String()
		if !seen[k] && v.Get(k) != e {
			t.Fatalf("Get(%q) of %s", k, v.Raw())
		}
		seen[k] = true
		compare(t, e)
	}
	if v.Kind() != Object || lossyKeys(seen) != len(want) {
		t.Fatalf("%s has kind %v, keys %v", v.Raw(), v.Kind(), seen)
	}
}

// lossyKeys is how many of the keys encoding/json tells apart.
func lossyKeys(keys map[string]bool) int {
	same := map[string]bool{}
	for k := range keys {
		same[lossy(k)] = true
	}
	return len(same)
}

// repeats reports whether an object in v has a key twice.
func repeats(v Value) bool {
	seen := map[string]bool{}
	for key, e := range v.Members() {
		if seen[key.String()] || repeats(e) {
			return true
		}
		seen[key.String()] = true
	}
	for _, e := range v.Elements() {
		if repeats(e) {
			return true
		}
	}
	return false
}

// touch reads all that is left after a fault.
func touch(v Value) {
	v.Raw()
	v.Text().TrimSpace()
	for _, e := range v.Elements() {
		touch(e)
	}
	for k, e := range v.Members() {
		v.Get(k.String())
		touch(e)
	}
}

// FuzzString holds the fast kernel against the slow one, byte by byte.
func FuzzString(f *testing.F) {
	for _, s := range validLines {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for i := range min(len(b), 40) {
			end, flags := scanString(b, i)
			if slowEnd, slowFlags := scanTail(b, i); end != slowEnd || flags != slowFlags && end >= 0 {
				t.Fatalf("from %d of %q: %d %04b, want %d %04b", i, b, end, flags, slowEnd, slowFlags)
			}
		}
	})
}

// FuzzFind holds Find, Match, MatchBefore, SkipSpace, SpaceBefore and TrimSpace against the decoded text.
func FuzzFind(f *testing.F) {
	for _, c := range finds {
		f.Add(c.raw, c.marker)
	}
	f.Fuzz(func(t *testing.T, raw, marker string) {
		var d Doc
		if !utf8.ValidString(marker) || d.Scan([]byte(`"`+raw+`"`)) != nil {
			t.Skip()
		}
		text := d.Root().Text()
		if len(text.Raw) != len(raw) {
			t.Skip()
		}
		checkFind(t, text, marker)
		space := " \t\n\r"
		decoded := text.String()
		if got, want := text.TrimSpace().String(), strings.Trim(decoded, space); got != want {
			t.Fatalf("TrimSpace of %q: %q, want %q", raw, got, want)
		}
		at := text.SkipSpace(0)
		if got, want := text.Slice(at, text.Len()).String(), strings.TrimLeft(decoded, space); got != want {
			t.Fatalf("SkipSpace of %q: %q, want %q", raw, got, want)
		}
		at = text.Len()
		for start := text.SpaceBefore(at); start < at; start = text.SpaceBefore(at) {
			at = start
		}
		if got, want := text.Slice(0, at).String(), strings.TrimRight(decoded, space); got != want {
			t.Fatalf("SpaceBefore of %q: %q, want %q", raw, got, want)
		}
	})
}

// checkFind compares all places of marker with those that strings.Index finds.
func checkFind(t *testing.T, text Text, marker string) {
	t.Helper()
	decoded, from, done := text.String(), 0, 0
	for {
		start, end := text.Find(marker, from)
		want := strings.Index(decoded[done:], marker)
		if (start < 0) != (want < 0) {
			t.Fatalf("Find(%q, %d) in %q: %d, decoded %d", marker, from, text.Raw, start, want)
		}
		if start < 0 || marker == "" {
			return
		}
		if got := text.Slice(0, start).String(); got != decoded[:done+want] {
			t.Fatalf("Find(%q, %d) in %q: before it %q, want %q", marker, from, text.Raw, got, decoded[:done+want])
		}
		if strings.IndexFunc(marker, func(r rune) bool { return r >= 0x10000 || r == utf8.RuneError }) < 0 {
			if at := text.MatchBefore(marker, end); at != start {
				t.Fatalf("MatchBefore(%q, %d) in %q: %d, want %d", marker, end, text.Raw, at, start)
			}
			if text.MatchBefore(marker, start) >= 0 != strings.HasSuffix(decoded[:done+want], marker) {
				t.Fatalf("MatchBefore(%q, %d) in %q: %d", marker, start, text.Raw, text.MatchBefore(marker, start))
			}
		}
		if got := text.Slice(start, end).String(); got != marker || text.Match(marker, start) != end {
			t.Fatalf("Find(%q, %d) in %q: %q, Match %d", marker, from, text.Raw, got, text.Match(marker, start))
		}
		from, done = end, done+want+len(marker)
	}
}

// FuzzQuote holds Quote and AppendString against encoding/json and String.
func FuzzQuote(f *testing.F) {
	for _, c := range quoted {
		f.Add(c.decoded)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line := AppendString(nil, s)
		if !Valid(line) || !bytes.Equal(line, AppendString(nil, []byte(s))) {
			t.Fatalf("AppendString(%q): %s", s, line)
		}
		text := Quote(s)
		var d Doc
		if err := d.Scan(text.AppendQuoted(nil)); err != nil || !reflect.DeepEqual(d.Root().Text(), text) {
			t.Fatalf("Quote(%q): %+v, %v", s, text, err)
		}
		again := text.String()
		if utf8.ValidString(s) && again != s {
			t.Fatalf("Quote(%q).String(): %q", s, again)
		}
		if Quote(again).String() != again {
			t.Fatalf("%q does not survive Quote", again)
		}
		var std string
		if err := json.Unmarshal(line, &std); err != nil || utf8.ValidString(s) && std != s {
			t.Fatalf("AppendString(%q): %s, encoding/json reads %q, %v", s, line, std, err)
		}
	})
}
