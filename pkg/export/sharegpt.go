package export

import (
	"cmp"
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// appendShareGPT writes ShareGPT's turns, as LLaMA-Factory reads them:
//
//	{"id":"…","conversations":[{"from":"human","value":…},{"from":"gpt","value":"<think>…</think>…"}]}
//
// The thinking stands between the markers of the model's family. A turn of calls is
// function_call, its value their JSON, and a result observation. Behind a system
// prompt the two sides take turns, or the reader skips the row: one result for a turn
// of calls, no text beside them.
//
// Source: hiyouga/LLaMA-Factory, src/llamafactory/data/converter.py
// (SharegptDatasetConverter) and formatter.py (FunctionFormatter).
func appendShareGPT(dst []byte, s *record.Sample) ([]byte, error) {
	turns, err := conversationOf(s)
	if err = cmp.Or(err, nameResults(turns), onlyObjects(turns), takeTurns(turns)); err != nil {
		return dst, err
	}
	m, err := marksOf(s)
	if err != nil {
		return dst, err
	}
	dst = append(appendID(dst, s), `,"conversations":[`...)
	for i := range turns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = turns[i].appendShareGPT(dst, m)
	}
	return append(dst, "]}"...), nil
}

// takeTurns refuses what LLaMA-Factory skips, and what has no place.
func takeTurns(turns []turn) error {
	first := 0
	if turns != nil && turns[0].role == "system" {
		first = 1
	}
	for i, t := range turns {
		asks := t.role == "user" || t.role == "tool"
		switch {
		case t.name.Len() > 0 && t.role != "tool":
			return fmt.Errorf("message %d has a name, which has no place", i+1)
		case len(t.calls) > 0 && t.content.SkipSpace(0) < t.content.Len():
			return fmt.Errorf("message %d has text beside calls, which has no place", i+1)
		case i >= first && (!asks && t.role != "assistant" || asks != ((i-first)%2 == 0)):
			return fmt.Errorf("message %d is from %.40q, out of turn", i+1, t.role)
		}
	}
	return nil
}

func (t *turn) appendShareGPT(dst []byte, m marks) []byte {
	from := "gpt"
	switch {
	case t.role == "user":
		from = "human"
	case t.role == "tool":
		from = "observation"
	case t.role == "system":
		from = "system"
	case len(t.calls) > 0:
		from = "function_call"
	}
	dst = jsonscan.AppendString(append(dst, `{"from":`...), from)
	dst = append(m.append(append(dst, `,"value":"`...), t.thinking, t.unclosed), t.content.Raw...)
	if len(t.calls) > 0 {
		dst = append(dst, jsonscan.Quote(string(appendBare(nil, t.calls))).Raw...)
	}
	return append(dst, `"}`...)
}

// appendBare appends calls as {"name":…,"arguments":{…}}, several in an array.
func appendBare(dst []byte, calls []record.ToolCall) []byte {
	for i, c := range calls {
		dst = append(dst, "[,"[min(i, 1)])
		dst = c.Name.AppendQuoted(append(dst, `{"name":`...))
		dst = append(appendArguments(append(dst, `,"arguments":`...), c), '}')
	}
	if len(calls) == 1 {
		return dst[1:]
	}
	return append(dst, ']')
}
