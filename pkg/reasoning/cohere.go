package reasoning

// The tokens of Cohere's models. Command A Reasoning and R7B frame the answer as
// a response, Command 4 and North as a text, whose template opens the thought.
// Both have actions, which are calls.
//
// Source: vLLM's and SGLang's cohere parsers, llama.cpp's templates.
var (
	cohereCommand3 = cohere("cohere_command3", ByModel, "RESPONSE", "command-a-reasoning", "command-r7b")
	cohereCommand4 = cohere("cohere_command4", ByTemplate, "TEXT", "command-4", "cohere2moe")
)

func cohere(name string, opener Opener, answer string, models ...string) *Family {
	f := &Family{
		Name: name, Opener: opener, Open: "<|START_THINKING|>", Close: "<|END_THINKING|>",
		AnswerOpen: []string{"<|START_" + answer + "|>"}, AnswerClose: []string{"<|END_" + answer + "|>"},
		Tools: []string{"<|START_ACTION|>"}, Cites: Pair{"<co>", "</co:"}, Models: models,
	}
	f.Signs = append(f.AnswerOpen, f.Tools...)
	return f
}
