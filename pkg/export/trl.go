package export

import (
	"cmp"

	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// appendTRL writes a row of TRL's conversational prompt-completion type:
//
//	{"id":"…","prompt":[…],"completion":[{"role":"assistant","content":…,"reasoning_content":…}]}
//
// Chat templates read the thinking under reasoning_content, that of gpt-oss under
// thinking. Arguments of calls are objects.
//
// Source: huggingface/trl, docs/source/dataset_formats.md (Prompt-completion, Tool
// Calling, Harmony), trl/chat_templates/qwen3_training.jinja and gptoss_training.jinja.
func appendTRL(dst []byte, s *record.Sample) ([]byte, error) {
	turns, err := conversationOf(s)
	if err = cmp.Or(err, onlyObjects(turns)); err != nil {
		return dst, err
	}
	k := keys{thinking: "reasoning_content", objects: true}
	if prompt.FamilyOf(s).Format == reasoning.Harmony {
		k.thinking = "thinking"
	}
	last := len(turns) - 1
	dst = appendTurns(append(appendID(dst, s), `,"prompt":`...), turns[:last], k)
	dst = appendTurns(append(dst, `,"completion":`...), turns[last:], k)
	return append(dst, '}'), nil
}
