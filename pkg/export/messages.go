package export

import (
	"bytes"

	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// appendMessages writes what was asked and the answer as one conversation:
//
//	{"id":…,"messages":[…,{"role":"assistant","content":…,"reasoning_content":…,"tool_calls":[…]}]}
//
// The three keys of the answer are always there. reasoning_content is the name
// that most chat templates and trainers know.
func appendMessages(dst []byte, s *record.Sample) []byte {
	dst = s.ID.AppendJSON(append(dst, `{"id":`...))
	dst = append(dst, `,"messages":[`...)
	if asked := elements(s.Messages); len(asked) > 0 {
		dst = append(append(dst, asked...), ',')
	}
	dst = s.Content.AppendQuoted(append(dst, `{"role":"assistant","content":`...))
	dst = s.Reasoning.AppendQuoted(append(dst, `,"reasoning_content":`...))
	dst = record.AppendToolCalls(append(dst, `,"tool_calls":`...), s.ToolCalls)
	return append(dst, "}]}"...)
}

// elements is the inside of a JSON array; nil for anything else.
func elements(array []byte) []byte {
	inside, begins := bytes.CutPrefix(bytes.TrimSpace(array), []byte("["))
	inside, ends := bytes.CutSuffix(inside, []byte("]"))
	if !begins || !ends {
		return nil
	}
	return bytes.TrimSpace(inside)
}
