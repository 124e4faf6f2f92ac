package extractor

import (
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// The flags that this package adds to those of reasoning, response and toolcall.
// The four lists together are all that stand in a sample's extract.flags.
const (
	FlagAutoModel            = "auto:model"             // --family auto: the model's name decided
	FlagAutoMarkers          = "auto:markers"           // --family auto: markers in the text decided
	FlagAutoNoSign           = "auto:no-sign"           // --family auto: no sign of thinking, an unknown model
	FlagThoughtInSummary     = "thought-in-summary"     // the thinking of an open model, in the field for summaries
	FlagPlanLeftOut          = "plan-left-out"          // there is a plan for calls beside the thinking
	FlagSummaryLeftOut       = "summary-left-out"       // there is a summary beside the thinking
	FlagTokensWithoutThought = "tokens-without-thought" // the server counted reasoning tokens and there is no thinking
	FlagRefusal              = "refusal"                // the model refused, in a field of its own; its text is in the content
	FlagSimulated            = "simulated"              // the simulated server answered
	FlagNullFinish           = "null-finish"            // the finish reason is there and null
)

// autoFlag tells in short why --family auto chose.
func autoFlag(why string) string {
	switch why {
	case reasoning.ByName:
		return FlagAutoModel
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
