package toolcall

import (
	"strings"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/record"
)

// A call of gpt-oss without its first marker: what follows <|start|>assistant, with
// which the prompt ends, or what is left when the server erased all markers.
//
//	 to=functions.NAME<|channel|>commentary json<|message|>{…}<|call|>
//	assistantcommentary to=functions.NAME json{…}

var residues = [...]string{"to=", "commentary to=", "assistantcommentary to=", "analysis to=", "assistantanalysis to=", "assistant to="}

func beginsResidue(t jsonscan.Text, at int) bool {
	for _, r := range residues {
		if t.Match(r, at) >= 0 {
			return true
		}
	}
	return false
}

// readResidue reads one call after the other.
func readResidue(p *Parser, s string) bool {
	for s != "" {
		header, body, ok := strings.Cut(s, "{")
		if _, to, found := strings.Cut(header, "to="); ok && found {
			body, s, ok = cutObject("{" + body)
			p.Calls = append(p.Calls, record.ToolCall{Name: jsonscan.Quote(p.residueName(to, header)), Arguments: jsonscan.Quote(body)})
		} else {
			return false
		}
		if !ok || p.Calls[len(p.Calls)-1].Name.Len() == 0 || !plainHeader(header) {
			return false
		}
		for _, end := range [...]string{"<|call|>", "<|end|>", "<|return|>", "<|start|>"} {
			s = strings.TrimSpace(strings.TrimPrefix(s, end))
		}
	}
	return len(p.Calls) > 0
}

// residueName is the function in the rest of a header; what says that its
// arguments are JSON may be glued to it.
func (p *Parser) residueName(to, header string) string {
	name := to
	if end := strings.IndexAny(to, " <\n"); end >= 0 {
		name = to[:end]
	}
	name = strings.TrimPrefix(name, "functions.")
	if glued, ok := strings.CutSuffix(name, "json"); ok && strings.HasSuffix(header, name) && (p.knows(glued) || !p.knows(name) && p.tools.Len() > 0) {
		return glued
	}
	return name
}

// plainHeader reports whether nothing stands in a header but what belongs there.
func plainHeader(header string) bool {
	for _, marker := range [...]string{"<|channel|>", "<|constrain|>", "<|message|>"} {
		header = strings.ReplaceAll(header, marker, " ")
	}
	for _, word := range strings.Fields(header) {
		switch word {
		case "assistant", "commentary", "assistantcommentary", "analysis", "assistantanalysis", "json", "code":
		default:
			if !strings.HasPrefix(word, "to=") {
				return false
			}
		}
	}
	return true
}

// cutObject splits the JSON object off with which s begins.
func cutObject(s string) (object, rest string, ok bool) {
	c := cursor{Text: jsonscan.Quote(s)}
	v, ok := c.value()
	if !ok || !jsonscan.Valid(v.AppendTo(nil)) {
		return "", s, false
	}
	return v.String(), c.Slice(c.at, c.Len()).String(), true
}
