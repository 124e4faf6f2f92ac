package simulator

import (
	"fmt"
	"hash/crc32"
	"iter"
	"strconv"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// fingerprint marks every answer as made up.
const fingerprint = "thinkpipe-simulator"

// created is the time in every answer, so that equal requests get equal bytes.
const created = 1767225600 // 2026-01-01

// reply is all that answers one request.
type reply struct {
	server  *Server
	request *request
	prompt  int // tokens
	answers []*answer
}

func (p *reply) id() string {
	switch {
	case p.request.RID != "":
		return p.request.RID
	case p.server.config.Engine == "sglang":
		return fmt.Sprintf("%016x%016x", p.request.hash, hash(p.request.hash, fingerprint))
	case p.request.kind == completion:
		return fmt.Sprintf("cmpl-%016x", p.request.hash)
	case p.request.kind == responses:
		return fmt.Sprintf("resp_%016x", p.request.hash)
	}
	return fmt.Sprintf("chatcmpl-%016x", p.request.hash)
}

func (p *reply) model() string {
	if p.request.Model != "" {
		return p.request.Model
	}
	return p.server.family.model
}

// parsed reports whether the server splits this answer.
func (p *reply) parsed() bool {
	separate := p.request.SeparateReasoning == nil || *p.request.SeparateReasoning
	return p.server.config.Parser && p.request.converses() && separate
}

// body is the reply in one piece.
func (p *reply) body() []byte {
	switch p.request.kind {
	case chat:
		return p.chatBody()
	case completion:
		return p.completionBody()
	case responses:
		return p.responsesBody()
	}
	return p.generateBody()
}

// events are the reply as a stream. Step is the number of tokens that went
// before. The answers may be cut meanwhile.
func (p *reply) events() iter.Seq2[int, []byte] {
	switch p.request.kind {
	case chat:
		return p.chatEvents
	case completion:
		return p.completionEvents
	case responses:
		return p.responsesEvents
	}
	return p.generateEvents
}

// length is the number of tokens of all answers.
func (p *reply) length() (n int) {
	for _, a := range p.answers {
		n += len(a.tokens)
	}
	return n
}

// cut keeps the first n tokens of each answer.
func (p *reply) cut(n int, finish string) {
	for _, a := range p.answers {
		a.cut(n, finish)
	}
}

// head begins an object of the OpenAI API.
func (p *reply) head(object string) []byte {
	dst := jsonscan.AppendString([]byte(`{"id":`), p.id())
	dst = fmt.Appendf(dst, `,"object":%q,"created":%d,"model":`, object, created)
	dst = jsonscan.AppendString(dst, p.model())
	return append(dst, `,"system_fingerprint":"`+fingerprint+`","choices":[`...)
}

// usage is the object of that name.
func (p *reply) usage() string {
	written, thought := p.length(), 0
	for _, a := range p.answers {
		thought += a.count(thinking)
	}
	s := fmt.Sprintf(`{"prompt_tokens":%d,"total_tokens":%d,"completion_tokens":%d`, p.prompt, p.prompt+written, written)
	switch {
	case p.server.config.Engine == "vllm":
		return s + "}"
	case !p.server.config.Parser: // SGLang counts them with a parser only
		thought = 0
	}
	return s + fmt.Sprintf(`,"prompt_tokens_details":null,"reasoning_tokens":%d}`, thought)
}

// end closes what head began.
func (p *reply) end(dst []byte) []byte {
	dst = append(dst, `],"usage":`...)
	dst = append(dst, p.usage()...)
	if p.server.config.Engine == "vllm" {
		dst = append(dst, `,"prompt_logprobs":null`...)
		if p.request.ReturnTokenIDs && p.request.kind == chat {
			dst = appendIDs(append(dst, `,"prompt_token_ids":`...), pieces(p.request.prompt))
		}
		return append(dst, `,"kv_transfer_params":null}`...)
	}
	return append(dst, `,"metadata":{"weight_version":"default"}}`...)
}

// matched is SGLang's note of what stopped the model.
func (a *answer) matched() string {
	if a.finish == "stop" || a.finish == "tool_calls" {
		return "163586" // <|im_end|>
	}
	return "null"
}

// ids are the token ids of an answer.
func (a *answer) ids(dst []byte) []byte {
	dst = append(dst, '[')
	for i, t := range a.tokens {
		if i > 0 {
			dst = append(dst, ',')
		}
		switch {
		case t.kind != marker:
			dst = appendID(dst, t.text)
		case t.text == closeMarker:
			dst = strconv.AppendInt(dst, int64(a.close), 10)
		default:
			dst = strconv.AppendInt(dst, int64(a.close-1), 10)
		}
	}
	return append(dst, ']')
}

// appendIDs writes the ids of tokens: made up, but the same for the same text.
func appendIDs(dst []byte, tokens []string) []byte {
	dst = append(dst, '[')
	for i, t := range tokens {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendID(dst, t)
	}
	return append(dst, ']')
}

// appendID writes the id of a token. It is below those of the markers.
func appendID(dst []byte, text string) []byte {
	return strconv.AppendUint(dst, uint64(crc32.ChecksumIEEE([]byte(text))%120000), 10)
}

// appendText writes text as a JSON string, or null for none.
func appendText(dst []byte, text string, none bool) []byte {
	if none {
		return append(dst, "null"...)
	}
	return jsonscan.AppendString(dst, text)
}

// event is one server-sent event.
func event(data []byte) []byte {
	return append(append([]byte("data: "), data...), "\n\n"...)
}

var done = []byte("data: [DONE]\n\n")
