package extractor

import (
	"bytes"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// promptOf is the rendered prompt, or its end, where the request holds it: what
// was completed, or the beginning of an answer that was to be continued.
func promptOf(r *response.Record) jsonscan.Text {
	switch r.Shape {
	case "completion", "completion stream":
		return before(r.Request.Get("prompt").Text(), r)
	case "generate", "generate stream":
		return before(r.Request.Get("text").Text(), r)
	case "tgi", "tgi stream":
		return r.Request.Get("inputs").Text()
	}
	var last jsonscan.Value
	for _, m := range r.Request.Get("messages").Elements() {
		last = m
	}
	if r.Continues.ID == "" && last.Get("role").Text().Equal("assistant") && continues(r.Request, last) {
		return last.Get("content").Text()
	}
	return jsonscan.Text{}
}

// continues reports whether the last message is to be continued: for SGLang and
// vLLM; DeepSeek and Mistral; Moonshot and Alibaba.
func continues(request, last jsonscan.Value) bool {
	for _, v := range [...]jsonscan.Value{request.Get("continue_final_message"), last.Get("prefix"), last.Get("partial")} {
		if on, _ := v.Bool(); on {
			return true
		}
	}
	return false
}

// before is a prompt without the part of the answer at its end.
func before(prompt jsonscan.Text, r *response.Record) jsonscan.Text {
	if part := r.Continues.Content.Raw; bytes.HasSuffix(prompt.Raw, part) {
		return prompt.Slice(0, prompt.Len()-len(part))
	}
	return prompt
}

// endsWith reports whether nothing but white space follows the last marker.
func endsWith(t jsonscan.Text, marker string) bool {
	last := -1
	if marker == "" {
		return false
	}
	for start, end := t.Find(marker, 0); start >= 0; start, end = t.Find(marker, end) {
		last = end
	}
	return last >= 0 && t.SkipSpace(last) == t.Len()
}

// softOff reports whether the messages switch thinking off by what a user or the
// system wrote, "/no_think", and not on again after it by "/think".
func (x *Extractor) softOff(messages []byte, f *reasoning.Family) bool {
	if f == nil || f.SoftOff == "" || !bytes.Contains(messages, []byte(f.SoftOff[1:])) {
		return false
	}
	if x.asking.Scan(messages) != nil {
		return false
	}
	off := false
	for _, m := range x.asking.Root().Elements() {
		if m.Get("role").Text().Equal("assistant") {
			continue
		}
		content := m.Get("content")
		off = softIn(content.Text(), f, off)
		for _, part := range content.Elements() {
			off = softIn(part.Get("text").Text(), f, off)
		}
	}
	return off
}

// softIn is whether thinking is off after a text, off before it telling what was.
func softIn(t jsonscan.Text, f *reasoning.Family, off bool) bool {
	for at := 0; ; {
		start, end := t.Find("/", at)
		if start < 0 {
			return off
		}
		switch {
		case t.Match(f.SoftOff, start) >= 0:
			off = true
		case t.Match("/think", start) >= 0 && t.MatchBefore("<", start) < 0:
			off = false
		}
		at = end
	}
}
