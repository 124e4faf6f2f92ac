// Package reasoning splits the text a model wrote into thinking and answer.
//
// What counts as thinking is a [Family]'s business: its markers, and whether
// the model or the prompt's template writes the opening one. How a text that
// does not follow the format is read is the business of [Rules], a set of
// independent knobs; presets of them are named after the programs whose
// behaviour they reproduce. Nothing is trimmed or lost by the default rules:
// the segments of a split, markers included, add up to the text.
package reasoning
