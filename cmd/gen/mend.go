package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/thinkpipe/thinkpipe/cmd/internal/cmdline"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/simulator"
)

// refuse is the error of a server whose probe lacks what is required.
func (r requirement) refuse(p *probed, name string) error {
	if r == nothing || !p.answered() {
		return nil
	}
	lack, mend := r.lack(p)
	if lack == "" {
		return nil
	}
	return cmdline.WithHint(cmdline.Failed(cmdline.CodeRefused, fmt.Errorf("%s%s: %s", name, p.engine(), lack)), append(mend, p.rehearsal()...)...)
}

// cut reports whether the token limit cut the answer: then nothing can be said of
// what is not in it.
func (p *probed) cut() bool { return reasoning.Cut(p.seen.finish) }

// lack says what an answer lacks, "" for nothing, and names the options that give
// it: of the server, by the name that its engine has for them, and of gen.
func (r requirement) lack(p *probed) (what string, mend []string) {
	s := &p.seen
	switch {
	case r == noThinking && s.thought > 0:
		return fmt.Sprintf("--require %v, and there is thinking (%d characters in %s)", r, s.thought, s.source),
			p.turnOff()
	case r == noThinking || s.thought == 0 && p.cut():
		return "", nil
	case s.thought == 0 && s.off():
		return fmt.Sprintf("--require %v, and thinking is off, by the request or because the model has none", r), p.turn("true", "on")
	case s.thought == 0 && s.source != "":
		return fmt.Sprintf("there is nothing in the thinking, which stands in %s", s.source), p.turn("true", "on")
	case s.thought == 0:
		return fmt.Sprintf("the answer has no thinking, neither in a field of its own nor in its %d characters of content", s.answer), p.findThinking()
	case r == ownField && s.inline:
		return fmt.Sprintf("--require %v, and the thinking is %s in %s", r, p.form, s.source),
			[]string{p.parserOption(), "--require reasoning is content with it: extract splits it off"}
	case slices.Contains(s.rules, "empty-content"):
		return fmt.Sprintf("the answer is empty, all of it is in %s", s.source), p.findAnswer()
	case slices.Contains(s.rules, "suspect-split"):
		return "the thinking has no closing tag although the answer ended by itself", append(p.keepMarkers(), "--family NAME names other tags (extract --list-families)")
	}
	return "", nil
}

// keepMarkers is what SGLang and vLLM have; who does not say what it is may be one.
func (p *probed) keepMarkers() []string {
	if p.info.Engine == "llama.cpp" {
		return nil
	}
	return []string{"--param skip_special_tokens=false keeps tags that the server may have erased"}
}

// turnOff says how thinking is switched off.
func (p *probed) turnOff() []string {
	off := p.turn("false", "off")
	if p.info.Engine == "" || p.info.Engine == "llama.cpp" {
		off = append(off, "llama.cpp: --reasoning-budget 0")
	}
	return off
}

// rehearsal says what stands for those options at the simulated server.
func (p *probed) rehearsal() []string {
	if !strings.HasSuffix(p.info.Version, simulator.VersionSuffix) {
		return nil
	}
	return []string{"this one is simulated: parser=on splits the thinking off, empty= and bad-after= leave it out"}
}

// unsplit reports whether no server splits what its API gives: whoever asks for text
// gets the model's.
func (p *probed) unsplit() bool { return p.api == prompt.Completions || p.api == prompt.Generate }

// turn says how thinking is switched on or off.
func (p *probed) turn(value, word string) []string {
	if p.unsplit() {
		return []string{"the chat template's text at the prompt's end switches thinking " + word}
	}
	name := "enable_thinking"
	if f := p.family(); f != nil && len(f.Switches) > 0 {
		name = f.Switches[0]
	}
	return []string{fmt.Sprintf(`--param 'chat_template_kwargs={%q:%s}' switches thinking %s where the chat template knows that switch`, name, value, word)}
}

// findThinking says what may bring thinking out that is not there.
func (p *probed) findThinking() []string {
	on := p.turn("true", "on")
	parser, name := p.info.ReasoningParser, parserName(p.info.Engine, p.family())
	switch {
	case p.unsplit():
		return append(p.keepMarkers(), on...)
	case parser == "":
		return slices.Concat([]string{p.parserOption()}, p.keepMarkers(), on)
	case name == unnamed || name == parser:
		parser = fmt.Sprintf("the server runs with --reasoning-parser %s and hands no thinking on", parser)
	default:
		parser = fmt.Sprintf("the server runs with --reasoning-parser %s, the parser of this model is %s", parser, name)
	}
	return append([]string{parser, "without --reasoning-parser the thinking comes in the content, and extract splits it off"}, on...)
}

// findAnswer says what may bring an answer out that was taken for thinking.
func (p *probed) findAnswer() []string {
	hints := []string{"a parser takes all for thinking when no closing tag comes: is it the one of this model, and is thinking on?"}
	switch {
	case p.unsplit():
		return p.keepMarkers()
	case p.seen.inline:
		hints = p.keepMarkers()
	case parserName(p.info.Engine, p.family()) != unnamed:
		hints = append(hints, p.parserOption())
	}
	return append(hints, "without --reasoning-parser all comes in the content, and extract splits it")
}

// family is that of the answer, else of its model, nil for none.
func (p *probed) family() *reasoning.Family {
	if f, _ := reasoning.Lookup(p.seen.family); f != nil && f.Name != "think" {
		return f
	}
	for _, model := range []string{p.model, p.info.Model} {
		if f, _ := reasoning.Detect(reasoning.Facts{Model: model}, reasoning.Plain("")); f != nil {
			return f
		}
	}
	return nil
}

// parserOption is the option of the server that splits the thinking off.
func (p *probed) parserOption() string {
	sglang, vllm := parserName("sglang", p.family()), parserName("vllm", p.family())
	switch engine := p.info.Engine; {
	case p.unsplit():
		return "--api chat and responses are split where the server has a --reasoning-parser, completions and generate never are"
	case engine == "sglang":
		return "SGLang splits it off with --reasoning-parser " + sglang
	case engine == "vllm":
		return "vLLM splits it off with --reasoning-parser " + vllm
	case engine == "llama.cpp":
		return "llama.cpp splits it off with --jinja --reasoning-format auto"
	case sglang == vllm:
		return "SGLang and vLLM split it off with --reasoning-parser " + sglang + ", llama.cpp with --jinja --reasoning-format auto"
	}
	return "SGLang splits it off with --reasoning-parser " + sglang + ", vLLM with --reasoning-parser " + vllm + ", llama.cpp with --jinja --reasoning-format auto"
}

// unnamed stands for a parser's name that is not known.
const unnamed = "NAME"

// parsers are the names of --reasoning-parser.
// Source: SGLang's python/sglang/srt/parser/reasoning_parser.py (DetectorMap) and
// vLLM's vllm/reasoning/__init__.py, both of 2026.
var parsers = map[string][]string{
	"sglang": strings.Fields(`apertus2509 deepseek-r1 deepseek-v3 deepseek-v4 glm45 hunyuan gpt-oss k2_horizon kimi kimi_k2 kimi_k3
		mimo poolside_v1 qwen3 qwen3-thinking minimax minimax-m3 step3 step3p5 mistral nemotron_3 granite_thinking_parser interns1
		gemma4 cohere_command4`),
	"vllm": strings.Fields(`deepseek_r1 deepseek_v3 deepseek_v4 poolside_v1 cohere_command3 cohere_command4 ernie45 gemma4 glm45
		glm47 openai_gptoss granite holo2 hunyuan_a13b hy_v3 kimi_k2 kimi_k3 mimo minimax_m2 minimax_m3 mistral nemotron_v3 olmo3
		qwen3 seed_oss step3 step3p5 solar_open2`),
}

// shared are families whose parser has another name, or is another family's.
var shared = map[string]string{"sglang glm47": "glm45", "vllm qwen3_thinking": "qwen3", "vllm gpt_oss": "openai_gptoss", "vllm granite3_3": "granite"}

// parserName is what an engine calls the parser of a family, [unnamed] where that is
// not known or there is none.
func parserName(engine string, f *reasoning.Family) string {
	if f == nil {
		return unnamed
	}
	names := append([]string{cmp.Or(shared[engine+" "+f.Name], f.Name)}, f.Aliases...)
	for _, name := range names {
		for _, parser := range parsers[engine] {
			if strings.ReplaceAll(parser, "-", "_") == name {
				return parser
			}
		}
	}
	return unnamed
}
