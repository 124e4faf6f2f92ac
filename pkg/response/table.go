package response

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// A shape is told by what the bytes look like. Adding one is one file and one
// line in a table here; the first entry that fits is taken.

// lineShape is how a reply was kept in an archive.
type lineShape struct {
	name  string // what the error for unknown lines calls it
	is    func(v jsonscan.Value) bool
	read  func(p *Parser, v jsonscan.Value)
	knows knows
}

// knows reports which keys mean something to a reader, besides those that lines
// of every shape may have. The others travel in Record.Meta.
type knows func(line jsonscan.Value, key []byte, k jsonscan.Kind) bool

// bodyShape is a body that is one JSON value.
type bodyShape struct {
	name  string // Record.Shape
	is    func(v jsonscan.Value) bool
	read  func(p *Parser, v jsonscan.Value)
	knows knows
}

// streamShape is a stream of JSON values.
type streamShape struct {
	name string // Record.Shape
	is   func(event jsonscan.Value) bool
	fold func(p *Parser, event jsonscan.Value)
}

var lineShapes = [...]lineShape{
	{"an exchange or batch output line", isExchange, readExchange, knowsExchange},
	{`{"id","response":<body or message>} (also output)`, isWrapped, readWrapped, knowsWrapped},
	{"a batch line of Anthropic", isAnthropicBatch, readAnthropicBatch, knowsBatch},
	{"a batch result of xAI", isXAIBatch, readXAIBatch, knowsBatch},
	{`{"id","response_text"}`, isResponseText, readResponseText, knowsWrapped},
	{"a response body", isBareBody, readBareBody, nil},
	{`{"id","error"}`, isErrorLine, readErrorLine, knowsWrapped},
	{"a sample", record.IsSample, readFlat, knowsSample},
	{"a conversation", isConversation, readConversation, knowsConversation},
	{`{"id","reasoning","content"}`, isFlat, readFlat, knowsFlat},
	{`{"id","response":null}`, isNoResponse, readErrorLine, knowsWrapped},
}

var bodyShapes = [...]bodyShape{
	{"chat", isChat, readChoices, knowsChat},
	{"completion", isCompletion, readChoices, knowsChat},
	{"generate", isGenerate, readGenerate, knowsGenerate},
	{"responses", isResponses, readResponses, knowsResponses},
	{"anthropic", isAnthropic, readAnthropic, knowsAnthropic},
	{"gemini", isGemini, readGemini, knowsGemini},
	{"bedrock", isBedrock, readBedrock, knowsCohere},
	{"ollama", isOllama, readOllama, knowsOllama},
	{"cohere", isCohere, readCohere, knowsCohere},
	{"cohere v1", isCohereV1, readCohereV1, knowsCohereV1},
	{"tgi", isTGI, readTGI, knowsGenerate},
	{"", isChunk, readChunk, knowsChat},
	{"", isChunkList, readChunkList, knowsChat},
}

var streamShapes = [...]streamShape{
	{"completion stream", isCompletionChunk, foldChoices},
	{"chat stream", isChatChunk, foldChoices},
	{"generate stream", isGenerate, foldGenerate},
	{"responses stream", isResponsesEvent, foldResponses},
	{"anthropic stream", isAnthropicEvent, foldAnthropic},
	{"gemini stream", isGemini, foldGemini},
	{"ollama stream", isOllama, foldOllama},
	{"cohere stream", isCohereEvent, foldCohere},
	{"cohere v1 stream", isCohereV1Event, foldCohereV1},
	{"tgi stream", isTGIEvent, foldTGI},
}

func shapeOfLine(v jsonscan.Value) *lineShape {
	for i := range lineShapes {
		if lineShapes[i].is(v) {
			return &lineShapes[i]
		}
	}
	return nil
}

func shapeOfBody(v jsonscan.Value) *bodyShape {
	for i := range bodyShapes {
		if bodyShapes[i].is(v) {
			return &bodyShapes[i]
		}
	}
	return nil
}

// shapeOfEvent is the shape of a stream's event, which mostly is that of the one before.
func shapeOfEvent(before *streamShape, v jsonscan.Value) *streamShape {
	if before != nil && before.is(v) {
		return before
	}
	for i := range streamShapes {
		if streamShapes[i].is(v) {
			return &streamShapes[i]
		}
	}
	return nil
}
