package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/check"
)

// requirement is what must be known of the thinking of every answer.
type requirement uint8

const (
	nothing     requirement = iota // any answer will do
	thinking                       // there is thinking, wherever it stands
	ownField                       // … in a field of its own: the server splits
	noThinking                     // there is none
	asTheProbes                    // what the probes saw goes on
)

type requirementWord struct {
	word string
	is   requirement
}

// requirements are the words of --require, the default first.
var requirements = [...]requirementWord{{"auto", asTheProbes}, {"reasoning", thinking}, {"reasoning-field", ownField}, {"no-reasoning", noThinking}, {"none", nothing}}

func (r requirement) String() string {
	for _, w := range requirements {
		if w.is == r {
			return w.word
		}
	}
	return ""
}

// requireFlags are about what gen sees of answers: gen probe has them, too.
func requireFlags() []cli.Flag {
	var words []string
	for _, w := range requirements {
		words = append(words, w.word)
	}
	return []cli.Flag{
		&cli.GenericFlag{Name: "require", Value: cmdline.NewChoice(words...), Usage: "stop (76) when answers lack `WHAT`: auto (what the probe saw goes on), reasoning, reasoning-field (the server splits it off), no-reasoning, or none (never)"},
		&cli.StringFlag{Name: "family", Value: "auto", Usage: "how the model marks its thinking, for what gen sees of it: auto, none (the server split it) or `NAME` (extract --list-families)"},
	}
}

func (c *config) parseRequire(s *cmdline.Session) error {
	c.family = s.String("family")
	word := s.Generic("require").(*cmdline.Choice).String()
	for _, w := range requirements {
		if w.word == word {
			c.require = w.is
		}
	}
	return nil
}

// policy is what validate is to require.
func (r requirement) policy() check.Require {
	switch r {
	case thinking, ownField:
		return check.Reasoning
	case noThinking:
		return check.NoReasoning
	}
	return check.Optional
}

// ofThinking are validate's rules that say that thinking is not where it belongs.
// That an answer is cut by the token limit, or goes round in a loop, says nothing
// of the server.
var ofThinking = []string{"empty-reasoning", "unexpected-reasoning", "suspect-split", "empty-content"}

// unmet says in a word what an answer lacks, "" for nothing.
func (r requirement) unmet(s *seen) string {
	if r == nothing {
		return ""
	}
	for _, rule := range s.rules {
		if slices.Contains(ofThinking, rule) {
			return rule
		}
	}
	if r == ownField && s.inline {
		return "inline-reasoning"
	}
	return ""
}

// settle says what is required of the answers of a run when the probes are to tell:
// thinking when one of them has it, or lacks it although its model thinks, its
// server has a parser for it, or there is a place for it with nothing in it.
func (r requirement) settle(found []*probed) requirement {
	if r != asTheProbes {
		return r
	}
	for _, p := range found {
		known := p.seen.family != "none" || p.info.ReasoningParser != "" || p.seen.source != ""
		if p.seen.thought > 0 || known && !p.seen.off() {
			return thinking
		}
	}
	return nothing
}
