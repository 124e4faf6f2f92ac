package response

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// Batches whose results come as one document. Most are lists of lines that are
// known from files of results; xAI's are lines of a shape of their own:
//
//	{"batch_request_id":…,"batch_result":{"response":{"chat_get_completion":{…}}}}
//
// Gemini calls the id of a request its key: {"key":…,"response":{…}} is a line of
// a file, {"metadata":{"key":…},"response":{…}} an element of a document.

// batchLists are where documents of batches keep their results: Mistral; xAI and
// ellmer; Gemini's REST API; dumps of its library in two spellings.
var batchLists = [...][]string{
	{"outputs"}, {"results"}, {"response", "inlinedResponses", "inlinedResponses"}, {"dest", "inlinedResponses"}, {"dest", "inlined_responses"},
}

// Batch is the list of results that a batch's document holds, an answer or
// error each; None when v is no such document.
func Batch(v jsonscan.Value) jsonscan.Value {
	for _, path := range batchLists {
		list := v.Get(path...)
		switch first := list.Index(0); {
		case list.Kind() != jsonscan.Array:
		case isExchange(first), isXAIBatch(first), isWrapped(first), isErrorLine(first):
			return list
		}
	}
	return jsonscan.Value{}
}

func isXAIBatch(v jsonscan.Value) bool { return v.Get("batch_result").Kind() == jsonscan.Object }

func readXAIBatch(p *Parser, v jsonscan.Value) {
	p.envelope(v)
	p.identify(v.Get("batch_request_id"))
	result := v.Get("batch_result")
	for _, body := range result.Get("response").Members() { // under the name of the method
		p.readBody(body)
		return
	}
	p.rec.Shape = "error"
	p.lineError(result)
	p.fail(codeNotCompletion, "no response")
}

// identify takes an id of a vendor's own where a line has none else.
func (p *Parser) identify(v jsonscan.Value) {
	if p.rec.ID.IsZero() {
		p.rec.ID = record.IDOf(v)
	}
}

// geminiKey takes Gemini's name for a request.
func (p *Parser) geminiKey(v jsonscan.Value) {
	p.identify(v.Get("key"))
	p.identify(v.Get("metadata", "key"))
}
