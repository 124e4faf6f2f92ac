package extractor

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
)

// Switched reports whether a request switches the thinking of a model on or off, of
// whose family f is, nil for unknown: by a field of any API that has one.
func Switched(request jsonscan.Value, f *reasoning.Family) reasoning.Tri {
	on, _ := switched(request, f)
	return on
}

// switched reads the switches of a request: the family's own ones for the chat
// template, then what APIs have at the top level. why is the flag that says which.
func switched(request jsonscan.Value, f *reasoning.Family) (on reasoning.Tri, why string) {
	if !switches(request) {
		return reasoning.Unknown, ""
	}
	for _, body := range [...]jsonscan.Value{request, request.Get("extra_body")} {
		if on = templateSwitch(body, f); on == reasoning.Unknown {
			on = apiSwitch(body)
		}
		if on != reasoning.Unknown {
			return on, pick(on, FlagOnRequest, FlagOffRequest)
		}
	}
	on = effortOf(request)
	return on, pick(on, FlagOnEffort, FlagOffEffort)
}

// switches reports whether a request may have a switch: most have no key that
// begins like one, and are not searched for each.
func switches(request jsonscan.Value) bool {
	for key := range request.Members() {
		if raw := key.Raw; key.Flags&jsonscan.Escaped != 0 || len(raw) > 1 && switchBegins[[2]byte(raw)] {
			return true
		}
	}
	return false
}

// switchBegins are the first two bytes of the keys of all switches.
var switchBegins = beginnings()

func beginnings() map[[2]byte]bool {
	begins := map[[2]byte]bool{}
	for _, key := range append(templateArgs[:], "extra_body") {
		begins[[2]byte([]byte(key))] = true
	}
	for _, paths := range [...][][]string{apiSwitches[:], apiBudgets[:], apiEfforts[:]} {
		for _, path := range paths {
			begins[[2]byte([]byte(path[0]))] = true
		}
	}
	return begins
}

// pick is the one of two flags for a switch, "" when it is unknown.
func pick(on reasoning.Tri, yes, no string) string {
	switch on {
	case reasoning.Yes:
		return yes
	case reasoning.No:
		return no
	}
	return ""
}

// unknownSwitches are those of a template that nobody knows.
var unknownSwitches = []string{"enable_thinking", "thinking"}

// templateArgs are where requests have switches for the template: of SGLang, vLLM
// and llama.cpp; of Dynamo.
var templateArgs = [...]string{"chat_template_kwargs", "chat_template_args"}

// templateSwitch reads the switches for the template, which obeys its own ones only.
func templateSwitch(body jsonscan.Value, f *reasoning.Family) reasoning.Tri {
	names := unknownSwitches
	if f != nil {
		names = f.Switches
	}
	for _, args := range templateArgs {
		for _, name := range names {
			if on := switchOf(body.Get(args, name)); on != reasoning.Unknown {
				return on
			}
		}
	}
	return reasoning.Unknown
}

// apiSwitches are fields of request bodies that switch thinking on and off: of
// Alibaba; Ollama; DeepSeek, Moonshot, Z.ai, Cohere and Anthropic; OpenRouter;
// Bedrock; Mistral.
var apiSwitches = [...][]string{
	{"enable_thinking"}, {"think"}, {"thinking", "type"}, {"reasoning", "enabled"},
	{"additionalModelRequestFields", "thinking", "type"}, {"prompt_mode"},
}

// apiBudgets are fields that limit the tokens of a thought, to none with a 0: of
// Alibaba, OpenRouter, Gemini, llama.cpp.
var apiBudgets = [...][]string{
	{"thinking_budget"}, {"reasoning", "max_tokens"}, {"thinking", "budget_tokens"},
	{"generationConfig", "thinkingConfig", "thinkingBudget"}, {"generation_config", "thinking_config", "thinking_budget"},
	{"reasoning_budget"}, {"thinking_budget_tokens"},
}

func apiSwitch(body jsonscan.Value) reasoning.Tri {
	for _, path := range apiSwitches {
		if on := switchOf(body.Get(path...)); on != reasoning.Unknown {
			return on
		}
	}
	for _, path := range apiBudgets {
		if n, ok := body.Get(path...).Int(); ok && n >= 0 {
			return triOf(n > 0)
		}
	}
	return reasoning.Unknown
}

// apiEfforts are fields that tell the degree of effort: of OpenAI and most servers,
// of OpenRouter and the Responses API, of Gemini.
var apiEfforts = [...][]string{
	{"reasoning_effort"}, {"reasoning", "effort"}, {"extra_body", "reasoning_effort"}, {"extra_body", "reasoning", "effort"},
	{"generationConfig", "thinkingConfig", "thinkingLevel"},
}

func effortOf(request jsonscan.Value) reasoning.Tri {
	for _, path := range apiEfforts {
		if on := switchOf(request.Get(path...)); on != reasoning.Unknown {
			return on
		}
	}
	return reasoning.Unknown
}

// switchOf reads a switch: true or false, or a word, which is a degree of effort
// or a mode. A word that leaves it to the model says nothing.
func switchOf(v jsonscan.Value) reasoning.Tri {
	if on, ok := v.Bool(); ok {
		return triOf(on)
	}
	switch word := v.Text(); {
	case word.Equal("none"), word.Equal("disabled"), word.Equal("no_think"):
		return reasoning.No
	case word.Len() == 0, word.Equal("adaptive"), word.Equal("auto"):
		return reasoning.Unknown
	}
	return reasoning.Yes
}

// hides reports whether a request wants no thinking in the answer, whatever the
// model thinks: of OpenRouter, of Groq and vLLM, of Groq.
func hides(request jsonscan.Value) bool {
	if exclude, _ := request.Get("reasoning", "exclude").Bool(); exclude {
		return true
	}
	if include, ok := request.Get("include_reasoning").Bool(); ok && !include {
		return true
	}
	return request.Get("reasoning_format").Text().Equal("hidden")
}

// fills reports whether a request makes the thought the answer when there is none:
// of SGLang and vLLM.
func fills(request jsonscan.Value) bool {
	on, _ := request.Get("chat_template_kwargs", "force_nonempty_content").Bool()
	return on
}
