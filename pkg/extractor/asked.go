package extractor

import (
	"bytes"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// asked is what the archived request says about the thinking: whether it was
// switched on or off, and whether the prompt ends inside a thought.
func asked(r *response.Record, f *reasoning.Family, model string) (thinking, open reasoning.Tri) {
	if thinking = switched(r.Request, f); thinking == reasoning.Unknown && f == nil && reasoning.NeverThinks(model) {
		thinking = reasoning.No
	}
	if f == nil {
		return thinking, open
	}
	if prompt := promptOf(r); prompt.Len() > 0 {
		open = endsOpen(prompt, f)
		if open == reasoning.No && endsWith(prompt, f.Close) {
			thinking = reasoning.No
		}
	}
	return thinking, open
}

// switched reads the switches of a request: the family's own ones for the chat
// template, and what vendors' APIs have at the top level.
func switched(request jsonscan.Value, f *reasoning.Family) reasoning.Tri {
	if !request.Exists() {
		return reasoning.Unknown
	}
	names := []string{"enable_thinking", "thinking"}
	if f != nil {
		names = f.Switches
	}
	for _, args := range [...]jsonscan.Value{request.Get("chat_template_kwargs"), request.Get("extra_body", "chat_template_kwargs")} {
		for _, name := range names {
			if on, ok := args.Get(name).Bool(); ok {
				return triOf(on)
			}
			if on := effort(args.Get(name).Text()); on != reasoning.Unknown {
				return on
			}
		}
	}
	return vendorSwitch(request)
}

// vendorSwitch reads enable_thinking of Alibaba, think of Ollama, thinking.type
// of DeepSeek, Moonshot, Z.ai and Anthropic, reasoning_effort of OpenAI and
// most servers, reasoning of OpenRouter and the Responses API.
func vendorSwitch(request jsonscan.Value) reasoning.Tri {
	for _, v := range [...]jsonscan.Value{request.Get("enable_thinking"), request.Get("think"), request.Get("reasoning", "enabled")} {
		if on, ok := v.Bool(); ok {
			return triOf(on)
		}
	}
	for _, v := range [...]jsonscan.Value{request.Get("thinking", "type"), request.Get("reasoning_effort"), request.Get("reasoning", "effort")} {
		if on := effort(v.Text()); on != reasoning.Unknown {
			return on
		}
	}
	return reasoning.Unknown
}

// effort reads a switch that is a word: a degree of effort, or a mode. What
// leaves it to the model says nothing.
func effort(word jsonscan.Text) reasoning.Tri {
	switch {
	case word.Equal("none"), word.Equal("disabled"), word.Equal("no_think"):
		return reasoning.No
	case word.Len() == 0, word.Equal("adaptive"), word.Equal("auto"):
		return reasoning.Unknown
	}
	return reasoning.Yes
}

func triOf(b bool) reasoning.Tri {
	if b {
		return reasoning.Yes
	}
	return reasoning.No
}

// promptOf is the rendered prompt, or its end, where the request holds it: what
// was completed, or the beginning of an answer that was to be continued.
func promptOf(r *response.Record) jsonscan.Text {
	switch r.Shape {
	case "completion", "completion stream":
		return r.Request.Get("prompt").Text()
	case "generate", "generate stream":
		return r.Request.Get("text").Text()
	case "tgi", "tgi stream":
		return r.Request.Get("inputs").Text()
	}
	if on, _ := r.Request.Get("continue_final_message").Bool(); !on {
		return jsonscan.Text{}
	}
	var last jsonscan.Value
	for _, m := range r.Request.Get("messages").Elements() {
		last = m
	}
	return last.Get("content").Text()
}

// endsOpen reports whether a prompt ends inside a thought.
func endsOpen(prompt jsonscan.Text, f *reasoning.Family) reasoning.Tri {
	return triOf(last(prompt, f.Open) > last(prompt, f.Close))
}

// endsWith reports whether nothing but white space follows the last marker.
func endsWith(t jsonscan.Text, marker string) bool {
	end := last(t, marker)
	return end >= 0 && t.SkipSpace(end) == t.Len()
}

// last is where the last marker ends, -1 for none.
func last(t jsonscan.Text, marker string) (end int) {
	end = -1
	if marker == "" {
		return end
	}
	for start, e := t.Find(marker, 0); start >= 0; start, e = t.Find(marker, e) {
		end = e
	}
	return end
}

// softOff reports whether the messages switch thinking off by what a user
// wrote ("/no_think"), and not on again after it ("/think").
func softOff(messages []byte, f *reasoning.Family) bool {
	if f == nil || f.SoftOff == "" {
		return false
	}
	off := bytes.LastIndex(messages, []byte(f.SoftOff))
	return off >= 0 && off > bytes.LastIndex(messages, []byte("/think"))
}
