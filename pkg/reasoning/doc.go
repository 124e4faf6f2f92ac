// Package reasoning splits the text a model wrote into thinking and answer.
//
// What counts as thinking is a [Family]'s business: its markers, whether the
// model or the prompt's template writes the opening one, and for a few how their
// messages or blocks are built; calls that such a format keeps apart are neither. How a text that
// does not follow the format is read is the business of [Rules], a set of
// independent knobs; presets of them are named after the programs whose
// behaviour they reproduce. Nothing is trimmed or lost by the default rules:
// the segments of a split, markers included, add up to the text.
//
//	f, _ := reasoning.Lookup("qwen3")
//	rules := reasoning.Faithful()
//	var s reasoning.Split
//	rules.Split(f, reasoning.Facts{Finish: "stop"}, reasoning.Plain(text), &s)
//	for _, g := range s.Segments {
//		… text[g.Start:g.End] is thinking, answer, marker or call: g.Kind
//	}
//
// The work is done on offsets of a [Text], so that a caller who holds the
// inside of a JSON string can splice it without unescaping it first.
//
// Families are read-only and shared; Rules and Families may be used by many
// goroutines at once, a [Split] belongs to one.
//
// Sources of the table: SGLang's and vLLM's reasoning parsers and the chat
// templates of the models as published up to August 2026.
package reasoning
