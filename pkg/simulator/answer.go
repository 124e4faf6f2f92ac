package simulator

import (
	"math/rand/v2"
	"strings"
)

// kind says what a token belongs to.
type kind uint8

const (
	thinking kind = iota
	marker
	content
	toolCall
)

// token is a piece of what the model writes.
type token struct {
	kind kind
	text string
}

// answer is one choice.
type answer struct {
	index  int
	tokens []token
	calls  []call // whole ones; those of a cut answer are missing
	close  int    // id of the closing marker's token
	finish string // "stop", "length", "tool_calls", "abort"
}

// compose writes the answer to a request. bad leaves out the thinking.
func (s *Server) compose(r *request, index int, bad bool) *answer {
	identity := r.identity(s.config.Seed)
	rng := rand.New(rand.NewPCG(identity, uint64(index)))
	size := s.config.Tokens/2 + rng.IntN(s.config.Tokens+1)
	silent := rng.Float64() < s.config.Empty
	call := rng.Float64() < s.config.Calls
	p := newProse(rng, r.question)
	a := &answer{index: index, close: s.family.close, finish: "stop"}
	if thinks := !bad && !silent && !r.thinkingOff(); thinks {
		s.think(a, p.thinking(max(1, size*7/10)))
	}
	if call && r.wantsCall() {
		a.calls = s.family.callTools(p, r, 1+rng.IntN(s.config.Parallel))
		a.add(content, s.gap(a)+"I will look that up.")
		a.add(toolCall, s.family.calls.write(a.calls))
	} else {
		a.add(content, s.gap(a)+p.content(max(1, size*3/10)))
	}
	if r.prefix != "" {
		s.skip(a, r.prefix)
	}
	a.cut(r.maxTokens(s.config.Context-len(pieces(r.prompt))), "length")
	if len(a.calls) > 0 && a.finish == "stop" && s.config.Parser && r.converses() {
		a.finish = "tool_calls"
	}
	return a
}

// think adds the thinking and its markers; an opening marker only where the
// prompt does not hold it.
func (s *Server) think(a *answer, text string) {
	if s.config.OpenModel {
		a.add(marker, openMarker)
		text = s.family.lead + text
	}
	a.add(thinking, text+s.family.tail)
	a.add(marker, closeMarker)
}

// gap is the white space between thinking and answer.
func (s *Server) gap(a *answer) string {
	if len(a.tokens) == 0 {
		return ""
	}
	return s.family.gap
}

func (a *answer) add(k kind, text string) {
	if k == marker || k == toolCall {
		a.tokens = append(a.tokens, token{k, text})
		return
	}
	for _, p := range pieces(text) {
		a.tokens = append(a.tokens, token{k, p})
	}
}

// cut keeps the first n tokens.
func (a *answer) cut(n int, finish string) {
	if n >= len(a.tokens) {
		return
	}
	a.tokens, a.finish, a.calls = a.tokens[:n], finish, nil // calls stand at the end
}

// text is what the model wrote, of the kinds given.
func (a *answer) text(kinds ...kind) string {
	var b strings.Builder
	for _, t := range a.tokens {
		for _, k := range kinds {
			if t.kind == k {
				b.WriteString(t.text)
			}
		}
	}
	return b.String()
}

// raw is all of it.
func (a *answer) raw() string { return a.text(thinking, marker, content, toolCall) }

// count is the number of tokens of a kind.
func (a *answer) count(k kind) (n int) {
	for _, t := range a.tokens {
		if t.kind == k {
			n++
		}
	}
	return n
}
