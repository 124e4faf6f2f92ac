package check

import (
	"iter"

	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Names of the rules that a caller names, or an [Account] finds.
const (
	BadJSON         = "bad-json"
	BadText         = "bad-text"
	MissingResponse = "missing-response"
	Truncated       = "truncated"
	EmptyReasoning  = "empty-reasoning"
	UnknownID       = "unknown-id"
	Simulated       = "simulated"

	duplicateID     = "duplicate-id"
	duplicateAnswer = "duplicate-answer"
	NotSpecForge    = "not-specforge"

	copiedSample = "copied-sample"
	mixedModels  = "mixed-models"
	mixedEpochs  = "mixed-epochs"
)

// table holds the rules in the order in which they are checked: causes before
// what they explain. A new rule is a line here and a file with its function;
// rules without one are found elsewhere (the line, the [Account]).
var table = [...]Rule{
	{BadJSON, Fail, "the line is not JSON, no record of a known shape, or a stream with more behind its end", `{"id":"a","content":"cut off`, false, twoStreams},
	{BadText, Fail, "invalid UTF-8, U+FFFD, a lone surrogate, or a control byte other than tab and line ends", `"\u0000", "\frac"`, false, badText},
	{NotSpecForge, Off, "SpecForge's own validator would refuse the row (--rules specforge)", `"status":"error"`, false, nil},

	{"content-filter", Fail, "a filter stopped the answer", `"finish_reason":"content_filter"`, true, contentFilter},
	{"refusal", Fail, "the server says that the model refused", `"refusal":"I can't help with that."`, true, refusal},
	{Truncated, Fail, "the token limit cut the answer, inside the thought or after it", `"finish_reason":"length"`, true, truncated},
	{"unfinished", Fail, "the finish reason is null or tells of an abort or error; a record that never had one is a warning", `"finish_reason":"abort"`, true, unfinished},
	{"text-after-finish", Warn, "the stream went on with text after its finish reason", `"finish_reason":"stop", then another delta`, false, textAfterFinish},
	{"suspect-split", Fail, "the thought was never closed although the answer ended by itself", `"reasoning_status":"suspect"`, true, suspectSplit},

	{EmptyReasoning, Fail, "there is no thinking, or only a summary of it, and --require reasoning asks for it", `"reasoning":"\n\n"`, false, emptyReasoning},
	{"unexpected-reasoning", Fail, "there is thinking, and --require no-reasoning forbids it", `"reasoning":"Let me see."`, false, unexpectedReasoning},
	{"erased-marker", Warn, "the answer holds a thought without its markers, or thinking was counted and is not there, where reasoning is not required", "Okay, so the user asks …", false, erasedMarker},
	{"copied-text", Warn, "the thinking is the answer once more, or one holds all of the other at its end or beginning", `"reasoning":"So it is.","content":"So it is."`, false, copiedText},
	{"empty-content", Fail, "there is neither an answer nor a tool call", `"content":""`, false, emptyContent},
	{"leaked-marker", Fail, "a marker of thinking, of a tool call or of a chat template was left in the text, not quoted", `</think>, <|im_end|>`, false, leakedMarker},
	{"bad-tool-call", Fail, "a call has no name, its arguments are not one whole JSON object without duplicate keys, or calls could not be read", `"arguments":"{\"path\":\"a.t"`, false, badToolCall},
	{"repetition", Fail, "the text goes round in a loop", "Wait, let me check. Wait, let me check. …", false, repetition},

	{"missing-id", Fail, "the record has no id", `{"content":"Whose?"}`, false, missingID},
	{duplicateID, Fail, "an id, sample and turn that was answered before, by another text", "two answers to one id", false, nil},
	{duplicateAnswer, Fail, "the same answer to the same id once more", "an archive given twice", false, nil},
	{copiedSample, Warn, "another sample of the prompt has the same thinking and answer", "one seed used twice", false, nil},
	{MissingResponse, Fail, "a prompt of --expect without an answer, or an attempt that failed without another that succeeds", `"error":{"code":"http.5xx"}`, false, nil},
	{UnknownID, Fail, "an answer to none of the prompts of --expect, or one sample too many", "another data set's answers", false, nil},
	{Simulated, Fail, "the simulated server answered", "a rehearsal's archive", false, simulated},

	{mixedModels, Warn, "another model than that of the first record", `"model":"m-fp8" after "model":"m"`, false, nil},
	{mixedEpochs, Warn, "the server was another one, or started with other options, than for the first record: see FILE.run.json. Archives tell, samples do not: extract warns", `"server_epoch":2 after 1`, false, nil},
	{"token-mismatch", Warn, "the server's token counts do not add up, or cannot be those of this text", `"completion_tokens":900, and ten words`, false, tokenMismatch},
	{"too-short", Warn, "the thinking or the answer is a placeholder without a letter or digit, or shorter than a rules file asks for", `"reasoning":"..."`, false, tooShort},
}

// Rule is one thing that can be wrong.
type Rule struct {
	Name    string // "empty-reasoning"
	Level   Level  // by default
	Meaning string // one line
	Example string // what it looks like

	// explains says that the finding is a cause of which empty texts and cut
	// arguments are effects.
	explains bool
	// find looks at one answer; nil for rules that are not about one.
	find func(*Checker, *record.Sample) hit
}

// hit is what a rule found; the zero hit is nothing.
type hit struct {
	detail string
	soft   bool // at most a warning, unless the rule was named to be more
	mark   mark // where, when it has a place
}

// Rules ranges over the table.
func Rules() iter.Seq[*Rule] {
	return func(yield func(*Rule) bool) {
		for i := range table {
			if !yield(&table[i]) {
				return
			}
		}
	}
}

// Meaning is what a rule finds, in one line; "" for an unknown name.
func Meaning(rule string) string {
	if i := index(rule); i >= 0 {
		return table[i].Meaning
	}
	return ""
}

// index is the place of a rule in the table, -1 when there is none of that name.
func index(name string) int {
	for i := range table {
		if table[i].Name == name {
			return i
		}
	}
	return -1
}
