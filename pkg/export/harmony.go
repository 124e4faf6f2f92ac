package export

import (
	"cmp"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// appendHarmony writes what Conversation.from_json of openai-harmony reads:
//
//	{"id":"…","messages":[{"role":"user","content":…},
//	  {"role":"assistant","channel":"analysis","content":…},
//	  {"role":"assistant","channel":"final","content":…}]}
//
// Content beside calls is commentary, a call a message to functions.NAME, and its
// result one from there. A system prompt is the developer's, as that of every chat
// is. Calls have no ids: the order of the results must tell.
//
// Source: openai/harmony, python/openai_harmony/__init__.py (Message.from_dict,
// Conversation.from_json) and docs/format.md.
func appendHarmony(dst []byte, s *record.Sample) ([]byte, error) {
	turns, err := conversationOf(s)
	if err = cmp.Or(err, onlyRoles(turns, "system", "developer", "user", "assistant", "tool"), nameResults(turns)); err != nil {
		return dst, err
	}
	dst = append(appendID(dst, s), `,"messages":[`...)
	for i := range turns {
		dst = turns[i].appendHarmony(dst)
	}
	dst = dst[:len(dst)-1] // the comma
	return append(dst, "]}"...), nil
}

// appendHarmony appends the messages of a turn, each with a comma behind it.
func (t *turn) appendHarmony(dst []byte) []byte {
	switch t.role {
	case "system", "developer":
		dst = append(dst, `{"role":"developer"`...)
		if t.name.Len() > 0 {
			dst = t.name.AppendQuoted(append(dst, `,"name":`...))
		}
		dst = t.content.AppendQuoted(append(dst, `,"content":[{"type":"developer_content","instructions":`...))
		return append(dst, "}]},"...)
	case "user":
		return appendMessageEnd(dst, `{"role":"user"`, t.name, t.content)
	case "tool":
		dst = append(appendFunction(append(dst, `{"role":"tool","name":`...), t.name), `,"recipient":"assistant","channel":"commentary"`...)
		return appendMessageEnd(dst, "", jsonscan.Text{}, t.content)
	}
	if t.thinking.Len() > 0 {
		dst = appendMessageEnd(dst, `{"role":"assistant","channel":"analysis"`, t.name, t.thinking)
	}
	switch {
	case len(t.calls) > 0 && t.content.Len() > 0:
		dst = appendMessageEnd(dst, `{"role":"assistant","channel":"commentary"`, t.name, t.content)
	case len(t.calls) == 0 && (t.content.Len() > 0 || t.thinking.Len() == 0):
		dst = appendMessageEnd(dst, `{"role":"assistant","channel":"final"`, t.name, t.content)
	}
	for _, c := range t.calls {
		dst = appendFunction(append(dst, `{"role":"assistant","channel":"commentary","recipient":`...), c.Name)
		dst = appendMessageEnd(dst, `,"content_type":"<|constrain|>json"`, t.name, c.Arguments)
	}
	return dst
}

// appendMessageEnd appends the end of a message, behind its head.
func appendMessageEnd(dst []byte, head string, name, content jsonscan.Text) []byte {
	dst = append(dst, head...)
	if name.Len() > 0 {
		dst = name.AppendQuoted(append(dst, `,"name":`...))
	}
	return append(content.AppendQuoted(append(dst, `,"content":`...)), "},"...)
}

// appendFunction appends who a call of a function goes to.
func appendFunction(dst []byte, name jsonscan.Text) []byte {
	return append(append(append(dst, `"functions.`...), name.Raw...), '"')
}
