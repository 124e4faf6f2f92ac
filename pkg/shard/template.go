package shard

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// open marks, in a group, where a shard's number goes.
const open = 0

// maxName is the longest name of a file or folder in bytes: 255 on nearly every
// file system, less the ".partial" of a file that is being written.
const maxName = 255 - len(".partial")

var unfinished = []byte(".partial")

// Template is the name of an output file with placeholders: {shard}, five digits
// from 00000, {shards}, their number, and any other name for a field of the line,
// which may be a dotted path.
type Template struct {
	parts  []part
	shard  bool // has {shard}
	shards bool // has {shards}
	fields bool // has others
}

// part is literal text or a placeholder.
type part struct {
	literal string
	name    string // "" for literal text
	path    []string
}

// ParseTemplate reads a template. Text without placeholders is one, too.
func ParseTemplate(s string) (*Template, error) {
	if strings.ContainsRune(s, open) {
		return nil, errors.New("a file name cannot hold a NUL")
	}
	t := &Template{}
	for rest := s; rest != ""; {
		literal, after, found := strings.Cut(rest, "{")
		if strings.Contains(literal, "}") {
			return nil, fmt.Errorf("%q has a } without {", s)
		}
		if literal != "" {
			t.parts = append(t.parts, part{literal: literal})
		}
		if !found {
			break
		}
		name, after, found := strings.Cut(after, "}")
		if !found || name == "" || strings.Contains(name, "{") {
			return nil, fmt.Errorf("%q has a { without a name and }", s)
		}
		t.add(name)
		rest = after
	}
	return t, nil
}

func (t *Template) add(name string) {
	t.parts = append(t.parts, part{name: name, path: strings.Split(name, ".")})
	switch name {
	case "shard":
		t.shard = true
	case "shards":
		t.shards = true
	default:
		t.fields = true
	}
}

// HasShard reports whether {shard} is in it: files are numbered.
func (t *Template) HasShard() bool { return t.shard }

// HasShards reports whether {shards} is in it.
func (t *Template) HasShards() bool { return t.shards }

// HasFields reports whether the lines decide what files there are.
func (t *Template) HasFields() bool { return t.fields }

// AppendGroup appends the path with all filled in but the shard's number: what
// the files of all shards have in common. The error names the field that is
// missing or cannot be part of a file's name.
func (t *Template) AppendGroup(dst []byte, line jsonscan.Value, shards int) ([]byte, error) {
	start := len(dst)
	for _, p := range t.parts {
		switch p.name {
		case "":
			dst = append(dst, p.literal...)
		case "shard":
			dst = append(dst, open)
		case "shards":
			dst = strconv.AppendInt(dst, int64(shards), 10)
		default:
			before := len(dst)
			var err error
			if dst, err = AppendValue(dst, line.Get(p.path...)); err == nil {
				err = checkValue(dst[before:])
			}
			if err != nil {
				return dst, fmt.Errorf("field %q %w", p.name, err)
			}
		}
	}
	if t.fields {
		if err := checkNames(dst[start:]); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// Glob is a pattern, as path/filepath understands it, that all files of the
// template match.
func (t *Template) Glob() string {
	var b strings.Builder
	for _, p := range t.parts {
		if p.name == "" {
			b.WriteString(EscapeGlob(p.literal))
		} else {
			b.WriteByte('*')
		}
	}
	return b.String()
}

// EscapeGlob is a pattern, as path/filepath understands it, that matches path alone.
func EscapeGlob(path string) string { return globEscaper.Replace(path) }

var globEscaper = strings.NewReplacer("*", "\\*", "?", "\\?", "[", "\\[", "\\", "\\\\")

// AppendValue appends a field's value as text: a string decoded, a number, true
// or false as it stands. Every other kind is an error.
func AppendValue(dst []byte, v jsonscan.Value) ([]byte, error) {
	switch v.Kind() {
	case jsonscan.String:
		return v.Text().AppendTo(dst), nil
	case jsonscan.Number, jsonscan.True, jsonscan.False:
		return append(dst, v.Raw()...), nil
	case jsonscan.None:
		return dst, errors.New("is missing")
	}
	return dst, fmt.Errorf("is of kind %v, neither text nor number", v.Kind())
}

// checkValue refuses what could leave the folder that the template names, or
// would trouble whoever works with the files.
func checkValue(value []byte) error {
	switch {
	case len(value) == 0:
		return errors.New("is empty and names no file")
	case !utf8.Valid(value):
		return errors.New("has half a surrogate pair and names no file")
	case value[0] == '-':
		return fmt.Errorf("begins with a hyphen and names no file: %.80q", value)
	case string(value) == "." || bytes.Contains(value, dots):
		return fmt.Errorf("could leave the folder: %.80q", value)
	case bytes.ContainsFunc(value, isHarmful):
		return fmt.Errorf("has a slash, backslash or control character and names no file: %.80q", value)
	}
	return nil
}

var dots = []byte("..")

func isHarmful(r rune) bool { return r == '/' || r == '\\' || unicode.IsControl(r) }

// checkNames refuses names that values and the text around them make together.
func checkNames(group []byte) error {
	if bytes.HasSuffix(group, unfinished) {
		return fmt.Errorf("%.80q is the name of an unfinished file", group)
	}
	if len(group) < maxName/2 {
		return nil
	}
	for name := range strings.SplitSeq(Path(string(group), 0), "/") {
		if len(name) > maxName {
			return fmt.Errorf("%.80q… is too long for a file's name", name)
		}
	}
	return nil
}

// Path is the file of one shard of a group.
func Path(group string, shard int) string {
	return strings.ReplaceAll(group, string(rune(open)), fmt.Sprintf("%05d", shard))
}
