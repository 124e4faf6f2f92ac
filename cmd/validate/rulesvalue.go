package main

import (
	"iter"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/check"
)

// top reads one key of the file.
func (r *rulesFile) top(key string, at, value *yaml.Node) {
	switch key {
	case "require":
		require, err := check.ParseRequire(value.Value)
		if err != nil {
			r.fail(value, "require: %w", err)
			return
		}
		r.c.policy.Require = require
	case "by":
		if r.c.by = value.Value; r.c.by == "" || value.Kind != yaml.ScalarNode {
			r.fail(value, "by: want the name of a field, this is %s", kindOf(value))
		}
	case "no-think-ok":
		for _, text := range r.words(value) {
			if err := r.c.addNoThink(text); err != nil {
				r.fail(value, "no-think-ok: %w", err)
			}
		}
	case "rules":
		r.eachKey(value, ruleNames(), "rule", r.rule)
	case "groups":
		r.eachKey(value, nil, "group", r.group)
	}
}

func ruleNames() (names []string) {
	for rule := range check.Rules() {
		names = append(names, rule.Name)
	}
	return names
}

// words are a word or a list of them.
func (r *rulesFile) words(n *yaml.Node) (words []string) {
	if n.Kind == yaml.ScalarNode {
		return []string{n.Value}
	}
	if n.Kind != yaml.SequenceNode {
		r.fail(n, "want a word or a list of them, this is %s", kindOf(n))
	}
	for _, e := range n.Content {
		if e = r.resolve(e); e.Kind != yaml.ScalarNode {
			r.fail(e, "want a word, this is %s", kindOf(e))
			continue
		}
		words = append(words, e.Value)
	}
	return words
}

// rule reads what stands for a rule: a level, a limit, or a mapping of both and
// of the rule's parameters.
func (r *rulesFile) rule(name string, at, value *yaml.Node) {
	if value.Kind == yaml.MappingNode {
		known := []string{"level", "limit"}
		for p := range r.params(name) {
			known = append(known, p)
		}
		var level *yaml.Node // goes before a limit, wherever it stands
		r.eachKey(value, known, "key of "+name, func(key string, at, v *yaml.Node) {
			if key == "level" {
				level = v
				return
			}
			r.ruleKey(name, key, v)
		})
		if level != nil {
			r.level(name, level)
		}
		return
	}
	if _, ok := levels[value.Value]; ok {
		r.level(name, value)
		return
	}
	r.limit(name, value)
}

var levels = map[string]check.Level{"fail": check.Fail, "warn": check.Warn, "allow": check.Off, "off": check.Off}

func (r *rulesFile) level(rule string, n *yaml.Node) {
	level, ok := levels[n.Value]
	if !ok {
		r.fail(n, "%s: level %s is none of fail, warn, allow", rule, cmdline.Quote(n.Value))
		return
	}
	r.c.policy.Set(rule, level)
}

func (r *rulesFile) limit(rule string, n *yaml.Node) {
	limit, err := cmdline.ParseLimit(n.Value)
	if err != nil || n.Kind != yaml.ScalarNode {
		r.fail(n, "%s: %s is neither fail, warn, allow nor a limit such as 5 or 1%%", rule, kindOf(n))
		return
	}
	r.c.policy.Set(rule, check.Fail)
	r.c.limits[rule] = limit
}

func (r *rulesFile) ruleKey(rule, key string, n *yaml.Node) {
	switch key {
	case "limit":
		r.limit(rule, n)
	default:
		for p, set := range r.params(rule) {
			if p == key {
				set(n)
			}
		}
	}
}

// params are the parameters of a rule, and what takes their values.
func (r *rulesFile) params(rule string) iter.Seq2[string, func(*yaml.Node)] {
	p := &r.c.policy.Params
	number := func(to *int) func(*yaml.Node) {
		return func(n *yaml.Node) {
			v, err := strconv.Atoi(n.Value)
			if err != nil || v < 1 || n.Kind != yaml.ScalarNode {
				r.fail(n, "%s: want a number of characters from 1, this is %s", rule, kindOf(n))
				return
			}
			*to = v
		}
	}
	words := func(to *[]string) func(*yaml.Node) {
		return func(n *yaml.Node) { *to = append(*to, r.markers(rule, n)...) }
	}
	return func(yield func(string, func(*yaml.Node)) bool) {
		switch rule {
		case "too-short":
			_ = yield("min-reasoning", number(&p.ShortReasoning)) && yield("min-content", number(&p.ShortContent))
		case "repetition":
			yield("min-length", number(&p.LeastLoop))
		case "copied-text":
			yield("min-length", number(&p.LeastCopy))
		case "leaked-marker":
			_ = yield("markers", words(&p.Markers)) && yield("ignore", words(&p.Ignore))
		}
	}
}

// markers are words that the search for markers can find.
func (r *rulesFile) markers(rule string, n *yaml.Node) (ok []string) {
	for _, m := range r.words(n) {
		if len(m) < 3 || !strings.ContainsAny(m[:1], "<[") && !strings.HasPrefix(m, "◁") {
			r.fail(n, "%s: the marker %s does not begin with <, [ or ◁", rule, cmdline.Quote(m))
			continue
		}
		ok = append(ok, m)
	}
	return ok
}

// group reads the limits of one group.
func (r *rulesFile) group(name string, at, value *yaml.Node) {
	if r.c.groupLimits[name] == nil {
		r.c.groupLimits[name] = map[string]cmdline.Limit{}
	}
	r.eachKey(value, ruleNames(), "rule", func(rule string, at, n *yaml.Node) {
		limit, err := cmdline.ParseLimit(n.Value)
		if err != nil || n.Kind != yaml.ScalarNode {
			r.fail(n, "%s of group %s: %s is no limit such as 5 or 1%%", rule, cmdline.Quote(name), kindOf(n))
			return
		}
		r.c.groupLimits[name][rule] = limit
	})
}
