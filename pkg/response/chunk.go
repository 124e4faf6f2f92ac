package response

import (
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// IsChunk reports whether a value can only be part of a stream: it is no answer
// of its own. The last part of some streams cannot be told from an answer.
func IsChunk(v jsonscan.Value) bool {
	done, told := v.Get("done").Bool()
	return isChunk(v) || isEmptyChunk(v) || isAnthropicEvent(v) || isResponsesEvent(v) || isCohereEvent(v) || isCohereV1Event(v) || isTGIEvent(v) ||
		isOllama(v) && told && !done || isGemini(v) && geminiChunk(v) != ""
}

// isEmptyChunk is about chunks of chats without choices, such as Azure's first.
func isEmptyChunk(v jsonscan.Value) bool { return isChatChunk(v) && !firstChoice(v).Exists() }

// IsChunks reports whether the elements of an array are the chunks of one stream
// and not answers of their own.
func IsChunks(array jsonscan.Value) bool { return IsChunk(array.Index(0)) }

// Continues reports whether next may follow a chunk in a stream.
func Continues(chunk, next jsonscan.Value) bool {
	shape := shapeOfEvent(nil, next)
	return IsChunk(chunk) && shape != nil && shape == shapeOfEvent(nil, chunk) && !isChat(next)
}

// geminiChunk says why a response of Gemini is part of a stream, "" when it may be
// whole. Whole ones have a finish reason. The last part of a stream has one, too,
// but counts the tokens of all parts: more than its own text can hold.
func geminiChunk(v jsonscan.Value) string {
	size := 0
	for _, c := range v.Get("candidates").Elements() {
		switch reason := either(c, "finishReason", "finish_reason").Text(); {
		case reason.Len() == 0:
			return "no finish reason"
		case !reason.Equal("STOP"):
			return ""
		}
		for _, part := range c.Get("content", "parts").Elements() {
			if part.Get("text").Kind() != jsonscan.String {
				return ""
			}
			if part.Get("thought").Kind() != jsonscan.True {
				size += part.Get("text").Text().Len()
			}
		}
	}
	tokens := count(either(v, "usageMetadata", "usage_metadata"), []string{"candidatesTokenCount", "candidates_token_count"})
	if size += tokensUnseen; tokens > int64(size) {
		return fmt.Sprintf("%d tokens in a text of %d bytes", tokens, size-tokensUnseen)
	}
	return ""
}

// tokensUnseen is how many tokens may be counted that are no text, such as the
// one that ends it.
const tokensUnseen = 8
