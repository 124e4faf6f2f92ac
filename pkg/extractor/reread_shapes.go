package extractor

import (
	"slices"
	"strconv"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// read reads a body, or one event of a stream.
func (s *rereading) read(v jsonscan.Value) {
	if s.ended {
		return
	}
	switch s.shape {
	case "chat", "completion":
		s.choices(v, "choices", "index", s.choice)
	case "gemini":
		s.gemini(v)
	case "generate":
		s.listed(v, func(v jsonscan.Value) { s.add("text", v.Get("text").Text()) })
	case "tgi":
		s.tgi(v)
	case "responses":
		s.responses(v)
	case "anthropic":
		s.anthropic(v)
	case "bedrock":
		s.bedrock(v)
	case "ollama":
		s.ollama(v)
	case "cohere":
		s.cohere(v)
	case "cohere v1":
		s.cohereV1(v)
	case "message":
		if m := v.Get("message"); m.Exists() && !v.Get("content").Exists() {
			v = m
		}
		s.message(v)
	case "flat":
		s.flat(v)
	case "conversation":
		s.conversation(v)
	case "text field":
		s.textField(v)
	}
}

// choices picks the answer out of a list: by its place in a body, by its index
// in a stream.
func (s *rereading) choices(v jsonscan.Value, list, index string, read func(jsonscan.Value)) {
	for n, c := range v.Get(list).Elements() {
		wanted := s.position
		if s.stream {
			wanted = s.index
			if i, ok := c.Get(index).Int(); ok && i == int64(int32(i)) {
				n = int(i)
			}
		}
		if n == wanted {
			read(c)
		}
	}
}

// listed picks the answer out of what may be a list itself.
func (s *rereading) listed(v jsonscan.Value, read func(jsonscan.Value)) {
	if v.Kind() == jsonscan.Array {
		read(v.Index(s.index))
		return
	}
	if i, _ := v.Get("index").Int(); !s.stream || int(i) == s.index {
		read(v)
	}
}

func (s *rereading) choice(c jsonscan.Value) {
	m := c.Get("delta")
	if m.Kind() != jsonscan.Object {
		m = c.Get("message")
	}
	s.message(m)
	s.add("text", c.Get("text").Text())
}

// message reads a message or a delta: the first field that holds thinking, the
// content, a refusal.
func (s *rereading) message(m jsonscan.Value) {
	taken := ""
	for _, field := range [...]string{"reasoning_content", "reasoning", "thinking", "reasoning_text"} {
		t := flat(m.Get(field))
		switch {
		case taken == "" && t.Len() > 0:
			taken = string(t.Raw)
			s.add(field, t)
		case t.Len() > 0 && string(t.Raw) != taken:
			s.also = true
		}
	}
	details := m.Get("reasoning_details")
	for _, d := range details.Elements() {
		s.add("reasoning_details[].data", d.Get("data").Text())
		if taken == "" {
			s.add("reasoning_details[].text", d.Get("text").Text())
			s.add("reasoning_details[].summary", d.Get("summary").Text())
		}
	}
	if taken == "" && details.Kind() != jsonscan.Array {
		s.parts("thinking_blocks[]", m.Get("thinking_blocks"))
	}
	s.add("content", m.Get("content").Text())
	s.parts("content[]", m.Get("content"))
	s.refuse(m.Get("refusal").Text())
	s.callsOf(m.Get("tool_calls"))
	s.callsOf(m.Get("function_call"))
}

// refuse takes a refusal in, which a body may hold twice.
func (s *rereading) refuse(t jsonscan.Text) {
	if again := slices.ContainsFunc(s.texts, func(r reread) bool { return r.source == "refusal" && string(r.text) == string(t.Raw) }); !again || s.stream {
		s.add("refusal", t)
	}
}

// flat is a text, or a list of them, put together.
func flat(v jsonscan.Value) (t jsonscan.Text) {
	if v.Kind() == jsonscan.String {
		return v.Text()
	}
	for _, e := range v.Elements() {
		if e.Kind() == jsonscan.Object {
			e = firstOf(e.Get("text"), e.Get("thinking"))
		}
		t.Raw = append(t.Raw, e.Text().Raw...)
	}
	return t
}

func (s *rereading) parts(list string, v jsonscan.Value) {
	for _, e := range v.Elements() {
		s.part(list, e)
	}
}

func (s *rereading) part(list string, v jsonscan.Value) {
	switch v.Get("type").Text().String() {
	case "thinking":
		for _, key := range [...]string{"thinking", "text"} {
			if t := flat(v.Get(key)); t.Len() > 0 {
				s.add(list+".thinking", t)
				return
			}
		}
		s.add(list+".signature", v.Get("signature").Text())
	case "reasoning", "reasoning_text", "reasoning_content", "thought":
		for _, key := range [...]string{"reasoning", "text", "value", "content"} {
			if t := flat(v.Get(key)); t.Len() > 0 {
				s.add(list+".reasoning", t)
				return
			}
		}
	case "redacted_thinking":
		s.add(list+".data", v.Get("data").Text())
	case "refusal":
		s.refuse(v.Get("refusal").Text())
	case "tool_call":
		if value := v.Get("value"); value.Kind() == jsonscan.String { // LLaMA-Factory's JSON in a string
			d := new(jsonscan.Doc)
			d.Scan(value.Text().AppendTo(nil))
			v = d.Root()
		}
		s.openAI(v, jsonscan.Value{})
	case "tool_use":
		s.call(jsonscan.Value{}, v.Get("id"), v.Get("name"), v.Get("input"))
	case "text":
		if t := v.Get("text"); t.Kind() == jsonscan.String {
			s.add(list+".text", t.Text())
			return
		}
		s.add(list+".text", flat(firstOf(v.Get("text", "value"), v.Get("value"), v.Get("content"))))
	default:
		s.add(list, v.Text())
		s.add(list+".text", v.Get("text").Text())
	}
}

func (s *rereading) gemini(v jsonscan.Value) {
	id := v.Get("responseId").Text().String() + v.Get("response_id").Text().String()
	if s.first == "" {
		s.first = id
	}
	if s.stream && id != "" && id != s.first {
		return
	}
	s.choices(v, "candidates", "index", func(c jsonscan.Value) {
		for _, part := range c.Get("content", "parts").Elements() {
			call := firstOf(part.Get("functionCall"), part.Get("function_call"))
			switch thought, _ := part.Get("thought").Bool(); {
			case call.Kind() == jsonscan.Object:
				s.call(jsonscan.Value{}, call.Get("id"), call.Get("name"), call.Get("args"))
			case thought:
				s.add("parts[].thought", part.Get("text").Text())
			default:
				s.add("parts[].text", part.Get("text").Text())
			}
		}
	})
}

func (s *rereading) tgi(v jsonscan.Value) {
	if !s.stream {
		s.listed(v, func(v jsonscan.Value) { s.add("generated_text", v.Get("generated_text").Text()) })
		return
	}
	if special, _ := v.Get("token", "special").Bool(); !special {
		s.add("generated_text", v.Get("token", "text").Text())
	}
	s.ended = v.Get("generated_text").Kind() == jsonscan.String
}

func (s *rereading) responses(v jsonscan.Value) {
	if !s.stream {
		s.output(v)
		return
	}
	delta := v.Get("delta").Text()
	switch v.Get("type").Text().String() {
	case "response.output_text.delta":
		s.add("content[].text", delta)
	case "response.reasoning_text.delta":
		s.add("output[].content[].text", delta)
	case "response.reasoning_summary_text.delta":
		s.add("output[].summary[].text", delta)
	case "response.refusal.delta":
		s.add("refusal", delta)
	case "response.function_call_arguments.delta":
		s.call(v.Get("output_index"), jsonscan.Value{}, jsonscan.Value{}, v.Get("delta"))
	case "response.output_item.added":
		if item := v.Get("item"); item.Get("type").Text().Equal("function_call") {
			s.call(v.Get("output_index"), item.Get("call_id"), item.Get("name"), jsonscan.Value{})
		}
	case "response.completed", "response.incomplete", "response.failed":
		if v.Get("response", "output").Len() > 0 {
			s.texts, s.calls, s.stream = nil, nil, false // what stands there is a body
			s.output(v.Get("response"))
		}
		s.ended = true
	}
}

func (s *rereading) output(v jsonscan.Value) {
	for _, item := range v.Get("output").Elements() {
		role := item.Get("role").Text().String()
		switch item.Get("type").Text().String() {
		case "reasoning":
			text := flat(item.Get("content"))
			s.add("output[].content[].text", text)
			for _, e := range item.Get("summary").Elements() {
				if text.Len() == 0 {
					s.add("output[].summary[].text", e.Get("text").Text())
				}
			}
			s.add("output[].encrypted_content", item.Get("encrypted_content").Text())
		case "function_call":
			s.call(jsonscan.Value{}, firstOf(item.Get("call_id"), item.Get("id")), item.Get("name"), item.Get("arguments"))
		case "message":
			if role == "" || role == "assistant" {
				s.add("content", item.Get("content").Text())
				s.parts("content[]", item.Get("content"))
			}
		}
	}
}

func (s *rereading) anthropic(v jsonscan.Value) {
	if !s.stream {
		s.parts("content[]", v.Get("content"))
		return
	}
	delta := v.Get("delta")
	switch v.Get("type").Text().String() {
	case "content_block_start":
		b := v.Get("content_block")
		if b.Get("type").Text().Equal("tool_use") { // its input is {} until the deltas come
			s.call(v.Get("index"), b.Get("id"), b.Get("name"), jsonscan.Value{})
			return
		}
		s.part("content[]", b)
	case "content_block_delta":
		s.add("content[].text", delta.Get("text").Text())
		s.add("content[].thinking", delta.Get("thinking").Text())
		if delta.Get("partial_json").Text().Len() > 0 {
			s.call(v.Get("index"), jsonscan.Value{}, jsonscan.Value{}, delta.Get("partial_json"))
		}
		if !slices.ContainsFunc(s.texts, func(r reread) bool { return r.source == "content[].thinking" }) {
			s.add("content[].signature", delta.Get("signature").Text())
		}
	case "content_block_stop":
		s.noArguments(v.Get("index"))
	case "message_stop":
		s.ended = true
	}
}

func (s *rereading) bedrock(v jsonscan.Value) {
	for _, b := range v.Get("output", "message", "content").Elements() {
		switch {
		case b.Get("reasoningContent").Kind() == jsonscan.Object:
			s.add("content[].reasoningContent", b.Get("reasoningContent", "reasoningText", "text").Text())
			s.add("content[].redactedContent", b.Get("reasoningContent", "redactedContent").Text())
		case b.Get("toolUse").Kind() == jsonscan.Object:
			call := b.Get("toolUse")
			s.call(jsonscan.Value{}, call.Get("toolUseId"), call.Get("name"), call.Get("input"))
		default:
			s.add("content[].text", b.Get("text").Text())
		}
	}
}

func (s *rereading) ollama(v jsonscan.Value) {
	if m := v.Get("message"); m.Kind() == jsonscan.Object {
		s.message(m)
	} else {
		s.add("thinking", v.Get("thinking").Text())
		s.add("response", v.Get("response").Text())
	}
	s.ended, _ = v.Get("done").Bool()
}

func (s *rereading) cohere(v jsonscan.Value) {
	if !s.stream {
		s.add("tool_plan", v.Get("message", "tool_plan").Text())
		s.message(v.Get("message"))
		return
	}
	m := v.Get("delta", "message")
	s.add("tool_plan", m.Get("tool_plan").Text())
	s.add("content[].thinking", m.Get("content", "thinking").Text())
	s.add("content[].text", m.Get("content", "text").Text())
	if call := m.Get("tool_calls"); call.Kind() == jsonscan.Object {
		s.openAI(call, v.Get("index"))
	}
	s.ended = v.Get("type").Text().Equal("message-end")
}

func (s *rereading) cohereV1(v jsonscan.Value) {
	switch kind := v.Get("event_type").Text().String(); {
	case !s.stream && v.Get("generations").Exists():
		s.add("text", v.Get("generations").Index(s.position).Get("text").Text())
	case !s.stream, kind == "text-generation", kind == "tool-calls-generation" && s.calls == nil:
		s.add("text", v.Get("text").Text())
		s.callsOf(v.Get("tool_calls"))
	case kind == "tool-calls-chunk":
		s.add("text", v.Get("text").Text())
		s.callsOf(v.Get("tool_call_delta"))
	case kind == "stream-end":
		if s.texts == nil && s.calls == nil {
			s.add("text", v.Get("response", "text").Text())
			s.callsOf(v.Get("response", "tool_calls"))
		}
		s.ended = true
	}
}

func (s *rereading) flat(v jsonscan.Value) {
	s.message(v)
	if !v.Get("content").Exists() {
		s.add("response", v.Get("response").Text())
	}
}

func (s *rereading) conversation(v jsonscan.Value) {
	var last jsonscan.Value
	for _, key := range [...]string{"messages", "conversations", "conversation"} {
		for _, m := range v.Get(key).Elements() {
			last = m
		}
		if v.Get(key).Kind() == jsonscan.Array {
			break
		}
	}
	s.message(last)
	s.add("value", last.Get("value").Text())
}

// textField reads the text at --text-field, or one of a list.
func (s *rereading) textField(v jsonscan.Value) {
	for rest := s.path; rest != ""; {
		key, after, _ := strings.Cut(rest, ".")
		if v.Get(rest).Exists() {
			key, after = rest, ""
		}
		if n, err := strconv.Atoi(key); err == nil && v.Kind() == jsonscan.Array {
			v = v.Index(n)
		} else {
			v = v.Get(key)
		}
		rest = after
	}
	if v.Kind() == jsonscan.Array {
		v = v.Index(s.position)
	}
	s.add(s.path, v.Text())
}
