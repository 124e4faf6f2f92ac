package extractor

import (
	"bytes"
	"strconv"

	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// tokens takes the ids of the tokens over and finds where the answer begins among
// them: behind the closing marker, which is one token that the text of an answer
// never is. It is looked for only where there is a thought, and must be there once.
func (x *Extractor) tokens(s *record.Sample, c *response.Choice) {
	if c.TokenIDs == nil {
		return
	}
	s.PromptTokenIDs, s.TokenIDs = c.PromptTokenIDs, c.TokenIDs
	switch s.Status {
	case string(reasoning.Absent):
		s.AnswerTokenIndex = 0
	case string(reasoning.Truncated):
		s.AnswerTokenIndex = countIDs(s.TokenIDs)
	case string(reasoning.Present):
		s.AnswerTokenIndex = behind(s.TokenIDs, x.closeIDs(s))
	default:
		s.AnswerTokenIndex = -1
	}
}

// closeIDs are those of the closing marker of a sample's family.
func (x *Extractor) closeIDs(s *record.Sample) []int64 {
	if f, _ := reasoning.Lookup(s.Extract.Family); f != nil && f != x.usual {
		return f.CloseIDs
	}
	return x.familyOf(x.model).CloseIDs
}

// behind is the place after the only one of a list that is one of some ids. Of
// several the greatest counts: the others are words in tokenizers that have it.
// It is -1 when there is none, or when it stands there twice.
func behind(list []byte, ids []int64) int {
	found, at, times := int64(-1), -1, 0
	n := 0
	for field := range bytes.SplitSeq(list[1:len(list)-1], []byte{','}) {
		n++
		id, err := strconv.ParseInt(string(bytes.TrimSpace(field)), 10, 64)
		if err != nil || id < found {
			continue
		}
		for _, want := range ids {
			switch {
			case id != want:
			case id == found:
				times++
			default:
				found, at, times = id, n, 1
			}
		}
	}
	if times != 1 {
		return -1
	}
	return at
}

func countIDs(list []byte) int {
	if len(bytes.TrimSpace(list[1:len(list)-1])) == 0 {
		return 0
	}
	return bytes.Count(list, []byte{','}) + 1
}
