package response

import "github.com/thinkpipe/thinkpipe/pkg/jsonscan"

// Chat and text completions of OpenAI and everybody who copied them:
//
//	{"choices":[{"index":0,"message":{"content":…},"finish_reason":"stop"}],"usage":{…}}
//	{"choices":[{"index":0,"text":…,"finish_reason":"stop"}],"usage":{…}}
//	{"choices":[{"index":0,"delta":{"content":…},"finish_reason":null}]}

func firstChoice(v jsonscan.Value) jsonscan.Value { return v.Get("choices").Index(0) }

func isChat(v jsonscan.Value) bool { return firstChoice(v).Get("message").Exists() }

func isCompletion(v jsonscan.Value) bool { return firstChoice(v).Get("text").Exists() }

// isChunk reports whether a body is one chunk of a stream that somebody kept alone.
func isChunk(v jsonscan.Value) bool { return firstChoice(v).Get("delta").Exists() }

func isChunkList(v jsonscan.Value) bool {
	first := v.Index(0)
	return first.Exists() && shapeOfEvent(nil, first) != nil
}

// isCompletionChunk asks for the text: chat chunks have none.
func isCompletionChunk(v jsonscan.Value) bool { return isCompletion(v) }

// isChatChunk also takes chunks with usage alone, whose choices are [].
func isChatChunk(v jsonscan.Value) bool { return v.Get("choices").Kind() == jsonscan.Array }

func readChoices(p *Parser, v jsonscan.Value) {
	p.head(v)
	for n, c := range v.Get("choices").Elements() {
		p.answer(c, p.choice(integer(c.Get("index"), n)))
		p.choiceError(c, codeBodyError)
	}
}

func readChunk(p *Parser, v jsonscan.Value) {
	p.beginStream()
	p.stream.events++
	p.fold(event{}, v)
	p.endStream()
}

// readChunkList reads chunks that were kept as one array.
func readChunkList(p *Parser, v jsonscan.Value) {
	p.beginStream()
	for _, chunk := range v.Elements() {
		p.stream.events++
		p.fold(event{}, chunk)
	}
	p.endStream()
}

func foldChoices(p *Parser, v jsonscan.Value) {
	p.head(v)
	for n, c := range v.Get("choices").Elements() {
		p.answer(c, p.joiner(integer(c.Get("index"), n)))
		p.choiceError(c, codeStreamError)
	}
}

// choiceError fails when a gateway put an error inside a choice (OpenRouter).
func (p *Parser) choiceError(c jsonscan.Value, code string) {
	if e := c.Get("error"); isError(e) {
		p.failWith(code, e)
	}
}

// simulator is how the simulated server signs its answers.
const simulator = "thinkpipe-simulator"

// head reads what stands beside the choices.
func (p *Parser) head(v jsonscan.Value) {
	p.usage(v.Get("usage"))
	if p.promptIDs == nil {
		p.promptIDs = p.idsOf(v.Get("prompt_token_ids"))
	}
	if p.rec.Model.Len() > 0 { // a later chunk
		return
	}
	p.rec.Model = p.keep(v.Get("model").Text())
	if v.Get("system_fingerprint").Text().Equal(simulator) {
		p.rec.Simulated = true
	}
}
