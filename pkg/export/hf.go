package export

import (
	"strconv"
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// appendHF writes a sample so that every row has one schema, whatever it holds:
// readers of data sets infer one from the first rows and fail at the first that
// differs. Ids are strings. What has a shape of its own in each row, or may be
// empty in all the first ones, is JSON in a string (messages, tool_calls,
// segments, meta), and the flags are a string with commas.
func appendHF(dst []byte, s *record.Sample) []byte {
	dst = jsonscan.AppendString(append(dst, `{"id":`...), s.ID.String())
	dst = strconv.AppendInt(append(dst, `,"sample":`...), int64(s.Sample), 10)
	dst = strconv.AppendInt(append(dst, `,"turn":`...), int64(s.Turn), 10)
	dst = strconv.AppendInt(append(dst, `,"choice":`...), int64(s.Choice), 10)
	dst = appendNested(append(dst, `,"messages":`...), s.Messages, "[]")
	dst = s.Reasoning.AppendQuoted(append(dst, `,"reasoning":`...))
	dst = s.Content.AppendQuoted(append(dst, `,"content":`...))
	dst = appendNested(append(dst, `,"tool_calls":`...), record.AppendToolCalls(nil, s.ToolCalls), "[]")
	dst = s.FinishReason.AppendQuoted(append(dst, `,"finish_reason":`...))
	dst = s.Model.AppendQuoted(append(dst, `,"model":`...))
	dst = s.Usage.AppendJSON(append(dst, `,"usage":`...))
	dst = jsonscan.AppendString(append(dst, `,"reasoning_status":`...), s.Status)
	dst = jsonscan.AppendString(append(dst, `,"extract":{"family":`...), s.Extract.Family)
	dst = jsonscan.AppendString(append(dst, `,"rules":`...), s.Extract.Rules)
	dst = jsonscan.AppendString(append(dst, `,"source":`...), s.Extract.Source)
	dst = jsonscan.AppendString(append(dst, `,"flags":`...), strings.Join(s.Extract.Flags, ","))
	dst = append(dst, '}')
	if s.Segments != nil {
		dst = appendNested(append(dst, `,"segments":`...), record.AppendSegments(nil, s.Segments), "[]")
	}
	dst = appendNested(append(dst, `,"meta":`...), s.Meta, "{}")
	return append(dst, '}')
}

// appendNested appends JSON in a string.
func appendNested(dst, raw []byte, none string) []byte {
	if raw == nil {
		return jsonscan.AppendString(dst, none)
	}
	return jsonscan.AppendString(dst, raw)
}
