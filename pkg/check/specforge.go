package check

import (
	"fmt"
	"unicode"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// SpecForge says why SpecForge's validator would refuse a row, "" when it would
// take it: scripts/validate_regenerated_data.py at a6b6b023. require is its
// --expect-reasoning or --expect-non-reasoning, strict its
// --strict-think-markers. What only Python takes for JSON (NaN, a key twice) is
// refused before this.
func SpecForge(row jsonscan.Value, require Require, strict bool) string {
	if row.Kind() != jsonscan.Object {
		return "expected a JSON object"
	}
	if !hasText(row.Get("id")) {
		return "id must be a non-empty string"
	}
	if status := row.Get("status"); status.Kind() != jsonscan.String || !status.Text().Equal("success") {
		return `status must be "success"`
	}
	v := specforge{require: require, strict: strict, expected: "user"}
	return v.conversation(row.Get("conversations"))
}

// specforge walks through the messages of a row.
type specforge struct {
	require  Require
	strict   bool
	expected string // role of the next message
	begun    bool   // there was a user message
}

func (v *specforge) conversation(messages jsonscan.Value) string {
	if messages.Kind() != jsonscan.Array || messages.Len() == 0 {
		return "conversations must be a non-empty list"
	}
	for i, m := range messages.Elements() {
		if why := v.message(m); why != "" {
			return fmt.Sprintf("message %d %s", i, why)
		}
	}
	switch {
	case !v.begun:
		return "the conversation has no user message"
	case v.expected != "user":
		return "the conversation must end with an assistant message"
	}
	return ""
}

func (v *specforge) message(m jsonscan.Value) string {
	if m.Kind() != jsonscan.Object {
		return "must be an object"
	}
	if !hasText(m.Get("content")) {
		return "content must be a non-empty string"
	}
	role := m.Get("role").Text()
	switch {
	case role.Equal("system") && !v.begun:
		return ""
	case !role.Equal("user") && !role.Equal("assistant"):
		return "has the unsupported role " + quoted(role)
	case !role.Equal(v.expected):
		return fmt.Sprintf("expected role %q, got %s", v.expected, quoted(role))
	}
	v.begun = true
	if v.expected == "user" {
		v.expected = "assistant"
		return ""
	}
	v.expected = "user"
	return v.answer(m)
}

// answer checks what is asked of the assistant's messages only.
func (v *specforge) answer(m jsonscan.Value) string {
	thought := m.Get("reasoning_content")
	switch {
	case thought.Kind() > jsonscan.Null && thought.Kind() != jsonscan.String:
		return "reasoning_content must be a string or null"
	case v.require == NoReasoning && hasText(thought):
		return "has non-empty reasoning_content"
	case v.require == Reasoning && !hasText(thought):
		return "has empty reasoning_content"
	case v.strict && hasThinkMarker(m.Get("content").Text()):
		return "contains a thinking marker"
	case v.strict && hasThinkMarker(thought.Text()):
		return "reasoning_content contains a thinking marker"
	}
	return ""
}

// hasText reports whether v is a string of which Python's strip leaves something.
func hasText(v jsonscan.Value) bool {
	if v.Kind() != jsonscan.String {
		return false
	}
	for r := range characters(v.Text()) {
		if !isPythonSpace(r) {
			return true
		}
	}
	return false
}

// isPythonSpace is str.isspace: white space of Unicode, and the separators FS,
// GS, RS and US, which bidirectional text takes for it.
func isPythonSpace(r rune) bool { return unicode.IsSpace(r) || 0x1C <= r && r <= 0x1F }

// hasThinkMarker looks for <think> and </think> in any case. The one letter
// outside of ASCII that lower case makes one of theirs is the Kelvin sign.
func hasThinkMarker(t jsonscan.Text) bool {
	const name = "think>"
	matched := -1 // of name; -1 before "<"
	slash := false
	for r := range characters(t) {
		r = lower(r)
		switch {
		case r == '<':
			matched, slash = 0, false
		case matched == 0 && r == '/' && !slash:
			slash = true
		case matched >= 0 && r == rune(name[matched]):
			if matched++; matched == len(name) {
				return true
			}
		default:
			matched = -1
		}
	}
	return false
}

func lower(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r | 0x20
	case r == '\u212A':
		return 'k'
	}
	return r
}
