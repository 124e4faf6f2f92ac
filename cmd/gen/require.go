package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
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
		&cli.StringFlag{Name: "family", Value: "auto", Usage: "how answers mark their thinking, for what gen sees of them: auto, none or `NAME` (extract --list-families)"},
	}
}

func (c *config) parseRequire(s *cmdline.Session) error {
	if err := s.RefuseEmpty("family"); err != nil {
		return err
	}
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
// thinking when one of them has it, or lacks it although its model thinks or its
// server has a parser for it.
func (r requirement) settle(found []*probed) requirement {
	if r != asTheProbes {
		return r
	}
	for _, p := range found {
		known := p.seen.family != "none" || p.info.ReasoningParser != ""
		if p.seen.thought > 0 || known && p.seen.status == string(reasoning.Missing) && !p.cut() {
			return thinking
		}
	}
	return nothing
}

// cut reports whether the token limit cut the probe's answer: then nothing can be
// said of what is not in it.
func (p *probed) cut() bool { return reasoning.Cut(p.seen.finish) }

// refuse is the error of a server whose probe lacks what is required.
func (r requirement) refuse(p *probed, name string) error {
	if r == nothing || !p.answered() {
		return nil
	}
	lack := r.lack(p)
	if lack == "" {
		return nil
	}
	hints := append(r.mend(p), "gen probe shows what comes, --require none asks all the same; nothing was asked")
	return cmdline.WithHint(cmdline.Failed(cmdline.CodeRefused, fmt.Errorf("%s%s: %s", name, p.engine(), lack)), hints...)
}

// lack says what the probe lacks, "" for nothing.
func (r requirement) lack(p *probed) string {
	s := &p.seen
	switch {
	case r == noThinking && s.thought > 0:
		return fmt.Sprintf("--require %v, and there is thinking (%d characters in %s)", r, s.thought, s.source)
	case r == noThinking || s.thought == 0 && p.cut():
		return ""
	case s.thought == 0 && s.off():
		return fmt.Sprintf("--require %v, and thinking is off, by the request or because the model has none", r)
	case s.thought == 0:
		return fmt.Sprintf("the answer has no thinking, neither in a field of its own nor in its %d characters of content", s.answer)
	case r == ownField && s.inline:
		return fmt.Sprintf("--require %v, and the thinking is %s in %s", r, p.form, s.source)
	}
	for _, rule := range s.rules {
		switch rule {
		case "empty-content":
			return fmt.Sprintf("the answer is empty, all of it is in %s", s.source)
		case "suspect-split":
			return "the thinking has no closing tag although the answer ended by itself"
		}
	}
	return ""
}

// mend names the options that give what is required: of the server, by the name
// that its engine has for them, and of gen.
func (r requirement) mend(p *probed) []string {
	family, _ := reasoning.Lookup(p.seen.family)
	switch {
	case r == noThinking:
		return []string{switchOf(family, "false") + " switches it off", "llama.cpp: --reasoning-budget 0"}
	case p.seen.thought == 0 && p.seen.off():
		return []string{switchOf(family, "true") + " switches it on where the chat template knows that switch"}
	case p.seen.inline:
		return []string{parserOption(p.info.Engine, family), "--require reasoning is content with it: extract splits it off"}
	case p.info.ReasoningParser != "":
		return []string{
			fmt.Sprintf("the server runs with --reasoning-parser %s and hands no thinking on; the name for this model is %s", p.info.ReasoningParser, parserName(p.info.Engine, family)),
			"without --reasoning-parser the thinking comes in the content, and extract splits it off",
			switchOf(family, "true") + " switches thinking on where the chat template knows that switch",
		}
	}
	return []string{
		parserOption(p.info.Engine, family),
		"--param skip_special_tokens=false keeps markers that the server may have erased",
		switchOf(family, "true") + " switches thinking on where the chat template knows that switch",
	}
}

// switchOf is the flag that sets a family's own switch of its chat template.
func switchOf(f *reasoning.Family, value string) string {
	name := "enable_thinking"
	if f != nil && len(f.Switches) > 0 {
		name = f.Switches[0]
	}
	return fmt.Sprintf(`--param 'chat_template_kwargs={%q:%s}'`, name, value)
}

// parserOption is the option of a server that splits the thinking off.
func parserOption(engine string, f *reasoning.Family) string {
	switch engine {
	case "sglang":
		return "SGLang splits it off with --reasoning-parser " + parserName(engine, f)
	case "vllm":
		return "vLLM splits it off with --reasoning-parser " + parserName(engine, f)
	case "llama.cpp":
		return "llama.cpp splits it off with --jinja --reasoning-format auto"
	}
	return "SGLang and vLLM split it off with --reasoning-parser NAME, llama.cpp with --jinja --reasoning-format auto"
}

// parserNames are families whose parser has another name.
// Source: the lists in SGLang's reasoning_parser.py and vLLM's vllm/reasoning.
var parserNames = map[string]map[string]string{
	"sglang": {
		"deepseek_r1": "deepseek-r1", "deepseek_v3": "deepseek-v3", "deepseek_v4": "deepseek-v4", "qwen3_thinking": "qwen3-thinking",
		"gpt_oss": "gpt-oss", "glm47": "glm45", "minimax_m2": "minimax", "minimax_m3": "minimax-m3",
	},
	"vllm": {"gpt_oss": "openai_gptoss", "nemotron_3": "nemotron_v3", "qwen3_thinking": "qwen3", "interns1": "intern_s1"},
}

// parserName is a family's name for an engine, NAME for a family without a parser
// of its own.
func parserName(engine string, f *reasoning.Family) string {
	if f == nil || f.Name == "think" || f.Name == "custom" {
		return "NAME"
	}
	if name := parserNames[engine][f.Name]; name != "" {
		return name
	}
	return f.Name
}
