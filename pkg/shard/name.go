package shard

import (
	"regexp"
	"strconv"
	"strings"
)

// Name is what the name of a template's file says.
type Name struct {
	Shard, Shards int    // -1 where the template has no number
	Fields        string // the values of the fields, comparable
}

// Parser returns a function that reads names of files, as [Template.Files] finds
// them. It reports false for what the template cannot have made.
func (t *Template) Parser() func(path string) (Name, bool) {
	pattern := regexp.MustCompile(t.pattern())
	return func(path string) (name Name, ok bool) {
		values := pattern.FindStringSubmatch(ofBytes(path))
		if values == nil {
			return name, false
		}
		name = Name{Shard: -1, Shards: -1}
		for i, kind := range pattern.SubexpNames() {
			switch kind {
			case "shard":
				name.Shard, ok = sameNumber(name.Shard, values[i])
			case "shards":
				name.Shards, ok = sameNumber(name.Shards, values[i])
			case "field":
				name.Fields += values[i] + "/"
				ok = true
			}
			if i > 0 && !ok {
				return name, false
			}
		}
		return name, true
	}
}

// ofBytes has a character for each byte: the names of files need not be UTF-8, which
// regular expressions are.
func ofBytes(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		b.WriteRune(rune(c))
	}
	return b.String()
}

// pattern is a regular expression for the names of the template's files, [ofBytes].
func (t *Template) pattern() string {
	var b strings.Builder
	b.WriteString(`(?s)^`)
	for _, p := range t.parts {
		switch p.name {
		case "":
			b.WriteString(regexp.QuoteMeta(ofBytes(p.literal)))
		case "shard":
			b.WriteString(`(?P<shard>[0-9]{5}|[1-9][0-9]{5,})`)
		case "shards":
			b.WriteString(`(?P<shards>[1-9][0-9]*)`)
		default:
			b.WriteString(`(?P<field>[^/]+)`)
		}
	}
	return b.String() + `$`
}

// sameNumber reads a number that may have been read before.
func sameNumber(before int, text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && (before < 0 || before == n)
}
