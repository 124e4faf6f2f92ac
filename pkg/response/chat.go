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
		if e := errorOf(c); e.Exists() {
			p.failWith(codeBodyError, e)
		}
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
		if e := errorOf(c); e.Exists() {
			p.failWith(codeStreamError, e)
		}
	}
}

// simulator is how the simulated server signs its answers.
const simulator = "thinkpipe-simulator"

// head reads what stands beside the choices.
func (p *Parser) head(v jsonscan.Value) {
	if p.rec.Model.Len() == 0 {
		p.rec.Model = p.keep(v.Get("model").Text())
	}
	p.usage(v.Get("usage"))
	if v.Get("system_fingerprint").Text().Equal(simulator) {
		p.rec.Simulated = true
	}
}
