package reasoning

// minimaxAppendThink is what servers with a parser of that name make of MiniMax
// M1 and M2: they do not split, but put the opening marker, which stands in the
// prompt, at the beginning of the content.
var minimaxAppendThink = &Family{
	Name: "minimax_append_think", Aliases: []string{"minimax_m2_append_think"},
	Open: thinkOpen, Close: thinkClose, Opener: ByTemplate, Tools: []string{"<minimax:tool_call>"}, Blocks: true,
}
