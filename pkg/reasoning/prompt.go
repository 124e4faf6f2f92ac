package reasoning

import "slices"

// Opened reports whether a rendered prompt, or the beginning of an answer that is
// to be continued, ends inside a thought. A marker that the prompt merely writes
// about opens and closes none, nor does one in a turn that ended. Without an
// opening marker nobody knows.
func (f *Family) Opened(prompt Text) Tri {
	if f.Open == "" {
		return Unknown
	}
	s := splitter{rules: Faithful(), family: f, text: prompt}
	open, at := false, 0
	for {
		start, end := s.nextMark(open, at)
		if start < 0 {
			return tri(open && !turns(prompt, at))
		}
		if open || !s.prose(start, end) {
			open = !open
		}
		at = end
	}
}

// turnMarks begin and end turns in the prompts of most models.
var turnMarks = [...]string{
	"<|im_start|>", "<|im_end|>", "<|user|>", "<|assistant|>", "<|im_user|>", "<|im_assistant|>", "<｜User｜>", "<｜Assistant｜>",
	"<|eot_id|>", "<|start_header_id|>", "<start_of_turn>", "<end_of_turn>", "[/INST]", "<|start|>", "<|END_OF_TURN_TOKEN|>", "</s>",
}

// turns reports whether a turn begins or ends after from.
func turns(t Text, from int) bool {
	return slices.ContainsFunc(turnMarks[:], func(mark string) bool {
		start, _ := t.Find(mark, from)
		return start >= 0
	})
}

// nextMark is the next marker that may change whether a thought is open.
func (s *splitter) nextMark(open bool, from int) (start, end int) {
	if open {
		return s.meantClose(from)
	}
	return s.meantOpen(from)
}

// prose reports whether a prompt's prose names the opening marker from start to end.
func (s *splitter) prose(start, end int) bool {
	if _, begins := indent(s.text, start); begins {
		return false
	}
	return matchAny(s.text, proseAfter[:], end) >= 0
}
