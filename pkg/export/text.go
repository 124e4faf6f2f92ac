package export

import (
	"errors"
	"fmt"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/prompt"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// appendText writes the answer as the model wrote it:
//
//	{"id":"…","text":"<think>…</think>…"}
//
// It is what the segments add up to, where the server sent one text; else the
// thinking between the markers of the model's family, and the content. How calls
// were written that a server read is not known: they are refused.
//
// Source: huggingface/trl, docs/source/dataset_formats.md (Standard, text).
func appendText(dst []byte, s *record.Sample) ([]byte, error) {
	if isWhole(s) {
		dst = append(appendID(dst, s), `,"text":"`...)
		for _, g := range s.Segments {
			dst = append(dst, g.Text.Raw...)
		}
		return append(dst, `"}`...), nil
	}
	if len(s.ToolCalls) > 0 {
		return dst, errors.New("how the model wrote its calls is not known")
	}
	m, err := marksOf(s)
	if err != nil {
		return dst, err
	}
	dst = m.append(append(appendID(dst, s), `,"text":"`...), s.Reasoning, isUnclosed(s))
	return append(append(dst, s.Content.Raw...), `"}`...), nil
}

// isWhole reports whether the segments are the text that the model wrote: what
// follows a thought is a marker, calls are there as markup.
func isWhole(s *record.Sample) bool {
	markup, after := len(s.ToolCalls) == 0, ""
	for i, g := range s.Segments {
		switch {
		case g.Kind == record.SegmentPlan, g.Kind == record.SegmentSummary, g.Kind == record.SegmentEncrypted:
			return false
		case after == record.SegmentReasoning && g.Kind != record.SegmentMarker && g.Kind != after:
			return false
		case i == 0 && g.Kind == record.SegmentReasoning && len(s.Segments) == 1:
			return s.Extract.Source == "content" || s.Extract.Source == "text"
		}
		markup = markup || g.Kind == record.SegmentToolCall
		after = g.Kind
	}
	return len(s.Segments) > 0 && markup
}

// marks are what stands around a thought.
type marks struct{ before, after []byte }

// marksOf are the markers of a sample's family.
func marksOf(s *record.Sample) (marks, error) {
	f := prompt.FamilyOf(s)
	opens, closes := f.Open, f.Close
	if f.Label != "" {
		opens += f.Label + "\n"
	}
	switch {
	case f.Format == reasoning.Harmony:
		closes += "<|start|>assistant<|channel|>final<|message|>"
	case s.Reasoning.Len() > 0 && (f.Format != reasoning.Tags || f.AnswerOpen != nil):
		return marks{}, fmt.Errorf("%s writes more than two markers around its thinking", f.Name)
	}
	return marks{jsonscan.Quote(opens).Raw, jsonscan.Quote(closes).Raw}, nil
}

// append appends a thought between its markers, nothing when there is none. One
// that the answer ended in has no closing marker.
func (m marks) append(dst []byte, thinking jsonscan.Text, unclosed bool) []byte {
	if thinking.Len() == 0 {
		return dst
	}
	dst = append(append(dst, m.before...), thinking.Raw...)
	if unclosed {
		return dst
	}
	return append(dst, m.after...)
}
