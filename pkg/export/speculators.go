package export

import (
	"cmp"

	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// appendSpeculators writes a row for the data preparation of speculators:
//
//	{"id":"…","conversations":[…,{"role":"assistant","content":…,"reasoning_content":…}]}
//
// It reads thinking under thinking or reasoning_content, not reasoning, takes every
// role that it does not know for the assistant (they are refused), and sends the
// messages to vLLM's /render, which wants arguments that are JSON.
//
// Source: vllm-project/speculators, src/speculators/data_generation/preprocessing.py
// (_normalize_conversation, _render_boundary_rows).
func appendSpeculators(dst []byte, s *record.Sample) ([]byte, error) {
	turns, err := conversationOf(s)
	if err = cmp.Or(err, onlyRoles(turns, "system", "user", "assistant", "tool"), onlyObjects(turns)); err != nil {
		return dst, err
	}
	dst = append(appendID(dst, s), `,"conversations":`...)
	return append(appendTurns(dst, turns, keys{thinking: "reasoning_content"}), '}'), nil
}
