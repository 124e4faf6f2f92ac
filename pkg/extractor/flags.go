package extractor

import (
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// The flags that this package adds to those of reasoning, response and toolcall.
// The four lists together are all that stand in a sample's extract.flags.
const (
	FlagAutoModel            = "auto:model"             // --family auto: the model's name decided
	FlagAutoManifest         = "auto:manifest"          // --family auto: the parser that the server was started with decided
	FlagAutoMarkers          = "auto:markers"           // --family auto: markers in the text decided
	FlagAutoNoSign           = "auto:no-sign"           // --family auto: no sign of thinking, an unknown model
	FlagThoughtInSummary     = "thought-in-summary"     // the thinking of an open model, in the field for summaries
	FlagPlanLeftOut          = "plan-left-out"          // there is a plan for calls beside the thinking
	FlagSummaryLeftOut       = "summary-left-out"       // there is a summary beside the thinking
	FlagTokensWithoutThought = "tokens-without-thought" // the server counted reasoning tokens and there is no thinking
	FlagCallInThought        = "call-in-thought"        // the markup of a whole call stands inside the thought and was left there
	FlagRefusal              = "refusal"                // the model refused, in a field of its own; its text is in the content
	FlagSimulated            = "simulated"              // the simulated server answered
	FlagNullFinish           = "null-finish"            // the finish reason is there and null
)

// What was known about the thinking of an answer that was split here, or whose
// thinking is empty, and why.
const (
	FlagOnRequest  = "on:request"  // the request switched it on: chat_template_kwargs, or the API's own switch
	FlagOffRequest = "off:request" // and off
	FlagOnEffort   = "on:effort"   // reasoning_effort asked for it
	FlagOffEffort  = "off:effort"  // reasoning_effort is none
	FlagOffSoft    = "off:soft"    // a message switched it off by "/no_think"
	FlagOffPrompt  = "off:prompt"  // the prompt ends with a thought that is closed
	FlagOffModel   = "off:model"   // the model is known by its name not to think
	FlagOffDefault = "off:default" // the family thinks only when asked, and was not asked

	FlagOpenedPrompt   = "opened:prompt"   // the text begins in a thought that the prompt is seen to open
	FlagOpenedTemplate = "opened:template" // that the family's chat template opens
	FlagOpenedRules    = "opened:rules"    // that nobody is known to open; the rules want it so

	FlagSplitManifest = "split:manifest" // the server splits, by FILE.run.json: a content without markers is an answer
	FlagRawManifest   = "raw:manifest"   // it does not split, or not this: the content is what the model wrote

	FlagHiddenRequest = "hidden:request" // the request wanted no thinking in the answer, whatever the model thought
	FlagFilledRequest = "filled:request" // it wanted an answer in any case: without one the server sent the thought in its place
)

// autoFlag tells in short why --family auto chose.
func autoFlag(why string) string {
	switch why {
	case reasoning.ByName:
		return FlagAutoModel
	case reasoning.ByParser:
		return FlagAutoManifest
	case reasoning.ByMarkers:
		return FlagAutoMarkers
	}
	return FlagAutoNoSign
}

// flag adds a flag once.
func flag(s *record.Sample, name string) {
	for _, f := range s.Extract.Flags {
		if f == name {
			return
		}
	}
	s.Extract.Flags = append(s.Extract.Flags, name)
}
