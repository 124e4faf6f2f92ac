package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/check"
)

// rulesFile reads a file of --rules into the configuration: YAML, with places
// of what is wrong.
//
//	require: reasoning
//	by: dataset
//	no-think-ok: [thinking=off]
//	rules:
//	  truncated: 1%            # fail, with this limit
//	  repetition: warn
//	  too-short: {level: fail, limit: 5, min-reasoning: 200}
//	groups:                    # limits of their own, needs by
//	  gsm8k: {truncated: 5%}
type rulesFile struct {
	name  string
	c     *config
	wrong []error
}

// mostRules is how big a rules file may be, in bytes.
const mostRules = 1 << 20

// readRules reads a preset or a file. What is wrong with a file is told all at once.
func (c *config) readRules(name string) error {
	if p, strict, ok := check.Preset(name); ok {
		c.policy, c.rows, c.strictRows = p, true, strict
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("--rules: %w", cmdline.FileError(name, err))
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostRules+1))
	if err != nil {
		return fmt.Errorf("%s: %w", cmdline.Clean(name, 200), err)
	}
	r := &rulesFile{name: name, c: c}
	if len(text) > mostRules {
		return cmdline.Usagef("%s: longer than %d bytes, this is no file of rules", cmdline.Clean(name, 200), mostRules)
	}
	r.read(text)
	return errors.Join(r.wrong...)
}

func (r *rulesFile) fail(n *yaml.Node, format string, args ...any) {
	r.failAt(n.Line, format, args...)
}

func (r *rulesFile) failAt(line int, format string, args ...any) {
	place := fmt.Sprintf("%s:%d: ", cmdline.Clean(r.name, 200), line)
	r.wrong = append(r.wrong, cmdline.Usagef("%s%w", place, fmt.Errorf(format, args...)))
}

// yamlLine is how yaml.v3 says where a file is broken.
var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

func (r *rulesFile) read(text []byte) {
	var doc, more yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(text))
	err := d.Decode(&doc)
	switch {
	case errors.Is(err, io.EOF):
		return // nothing but comments
	case err != nil:
		r.broken(err)
		return
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		r.failAt(max(1, more.Line), "a second document")
		return
	}
	r.eachKey(doc.Content[0], []string{"require", "by", "no-think-ok", "rules", "groups"}, "key", r.top)
}

// broken tells a file that is no YAML.
func (r *rulesFile) broken(err error) {
	line := 1
	m := yamlLine.FindStringSubmatch(err.Error())
	if m != nil && m[1] != "" {
		fmt.Sscan(m[1], &line)
	}
	r.failAt(line, "not YAML: %s", cmdline.Clean(yamlLine.ReplaceAllString(err.Error(), ""), 200))
}

// eachKey calls yield for the keys of a mapping, which must be known ones where
// known is not nil, and each there once.
func (r *rulesFile) eachKey(n *yaml.Node, known []string, what string, yield func(key string, at, value *yaml.Node)) {
	n = r.resolve(n)
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.fail(n, "want a mapping of %ss, this is %s", what, kindOf(n))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		at, value := n.Content[i], r.resolve(n.Content[i+1])
		key := at.Value
		switch {
		case at.Kind != yaml.ScalarNode:
			r.fail(at, "a %s is a word, this is %s", what, kindOf(at))
		case seen[key]:
			r.fail(at, "%s %s is there twice", what, cmdline.Quote(key))
		case known != nil && !slices.Contains(known, key):
			r.unknown(at, what, known)
		default:
			yield(key, at, value)
		}
		seen[key] = true
	}
}

// unknown tells a key that is none, with the nearest that are.
func (r *rulesFile) unknown(at *yaml.Node, what string, known []string) {
	near := check.Nearest(at.Value, slices.Values(known))
	if len(near) > 0 {
		r.fail(at, "unknown %s %s, did you mean %s?", what, cmdline.Quote(at.Value), strings.Join(near, " or "))
		return
	}
	r.fail(at, "unknown %s %s, known are %s", what, cmdline.Quote(at.Value), strings.Join(known, ", "))
}

func (r *rulesFile) resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	return cmdline.Quote(n.Value)
}
