package export

import (
	"cmp"
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// appendSpecForge writes a row of SpecForge's conversations:
//
//	{"id":"…","conversations":[…,{"role":"assistant","content":…,"reasoning_content":…}],"status":"success"}
//
// Its chat templates of thinking models read reasoning_content; status is what its
// validator asks for. The validator takes no results of tools, the loader does.
// Refused is what the loader drops: messages out of order, arguments that are no JSON.
//
// Source: sgl-project/SpecForge, specforge/data/parse.py (GeneralParser.parse,
// _sanitize_message) and scripts/validate_regenerated_data.py.
func appendSpecForge(dst []byte, s *record.Sample) ([]byte, error) {
	turns, err := conversationOf(s)
	if err = cmp.Or(err, onlyRoles(turns, "system", "user", "assistant", "tool"), onlyObjects(turns), inOrder(turns)); err != nil {
		return dst, err
	}
	dst = append(appendID(dst, s), `,"conversations":`...)
	dst = appendTurns(dst, turns, keys{thinking: "reasoning_content"})
	return append(dst, `,"status":"success"}`...), nil
}

// inOrder refuses conversations of which the loader drops the beginning or cuts
// the end.
func inOrder(turns []turn) error {
	before := "" // the role
	for i, t := range turns {
		answered := before == "user" || before == "tool"
		called := before == "assistant" || before == "tool"
		begins := before == "" && t.role == "system" && i == 0
		switch {
		case begins:
			continue
		case before == "" && t.role != "user", t.role == "assistant" && !answered, t.role == "tool" && !called:
			return fmt.Errorf("message %d is from %q, out of order", i+1, t.role)
		}
		before = t.role
	}
	return nil
}
