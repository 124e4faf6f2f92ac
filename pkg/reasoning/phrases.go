package reasoning

// granite32 is Granite 3.2, which marks with phrases. They are prose: the
// second one alone means nothing.
//
// Source: vLLM's granite parser.
var granite32 = &Family{
	Name: "granite", Aliases: []string{"granite3_2"}, Prose: true,
	Open: "Here is my thought process:", AlsoOpen: []string{"Here's my thought process:"},
	Close: "Here is my response:", AlsoClose: []string{"Here's my response:"},
	OffByDefault: true, Switches: thinking, Models: []string{"granite-3.2"},
}

// apriel is ServiceNow's Apriel Thinker: the template writes the opening phrase
// as the beginning of the answer.
//
// Source: llama.cpp's test of its template.
var apriel = &Family{
	Name: "apriel", Opener: ByTemplate, Open: "Here are my reasoning steps:\n", Close: "[BEGIN FINAL RESPONSE]",
	Tools: []string{"<tool_calls>"}, Models: []string{"apriel*thinker"},
}

// hyperclovax is HyperCLOVAX SEED Think, which thinks in a turn of its own.
//
// Source: a branch of vLLM with its parser.
var hyperclovax = &Family{
	Name: "hyperclovax_seed_think", Opener: ByTemplate, Prose: true,
	Open: "/think\n", Close: "<|im_end|>\n<|im_start|>assistant\n", AlsoClose: []string{"<|im_end|>\n<|im_start|>assistant"},
	Models: []string{"hyperclovax-seed-think"},
}
