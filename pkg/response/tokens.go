package response

import (
	"bytes"

	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
)

// Token ids, where somebody asked for them:
//
//	vLLM    {"prompt_token_ids":[…],"choices":[{"token_ids":[…]}]}; with text completions both in the choice
//	SGLang  {"choices":[{"prompt_token_ids":[…],"token_ids":[…]}]}, and of /generate {"output_ids":[…]}
//	LMDeploy {"choices":[{"output_ids":[…]}]}
//
// In a stream of vLLM each chunk has its own, the first those of the prompt.
// /generate repeats all of them in each event, unless it repeats no text either.

// tokenIDs takes those of one of the answers.
func (p *Parser) tokenIDs(c jsonscan.Value, to sink) {
	if p.promptIDs == nil {
		p.promptIDs = p.idsOf(c.Get("prompt_token_ids"))
	}
	for _, key := range [...]string{"token_ids", "output_ids"} {
		if v := c.Get(key); v.Kind() == jsonscan.Array {
			to.ids(v)
			return
		}
	}
}

// idsOf copies an array: the line of an event does not last.
func (p *Parser) idsOf(v jsonscan.Value) []byte {
	if v.Kind() != jsonscan.Array {
		return nil
	}
	return p.keep(jsonscan.Text{Raw: v.Raw()}).Raw
}

// sharePrompt gives every answer the ids of the prompt: those of the answer or of
// the body, or what /generate was asked.
func (p *Parser) sharePrompt() {
	prompt := p.promptIDs
	if v := p.rec.Request.Get("input_ids"); prompt == nil && v.Kind() == jsonscan.Array && v.Index(0).Kind() == jsonscan.Number {
		prompt = v.Raw()
	}
	for i := range p.rec.Choices {
		if p.rec.Choices[i].TokenIDs != nil {
			p.rec.Choices[i].PromptTokenIDs = prompt
		}
	}
}

func (c *Choice) ids(tokens jsonscan.Value) { c.TokenIDs = tokens.Raw() }

// ids joins the ids of an event to those before it. Those that begin with all of
// them repeat them.
func (j *joiner) ids(tokens jsonscan.Value) {
	raw := tokens.Raw()
	inner := bytes.TrimSpace(raw[1 : len(raw)-1])
	before := j.tokens
	if n := len(before); n > 0 && bytes.HasPrefix(inner, before) && (len(inner) == n || inner[n] == ',') && j.cumulative() {
		before = before[:0]
	}
	if len(before) > 0 && len(inner) > 0 {
		before = append(before, ',')
	}
	j.tokens, j.hasTokens = append(before, inner...), true
}

// cumulative reports whether the events repeat all before them, as those of
// /generate do.
func (j *joiner) cumulative() bool { return len(j.fields) > 0 && j.fields[0].certain }

// tokenIDs is the array of what was joined, nil for none.
func (j *joiner) tokenIDs(p *Parser) []byte {
	if !j.hasTokens {
		return nil
	}
	at := len(p.text)
	p.text = append(append(append(p.text, '['), j.tokens...), ']')
	return p.text[at:len(p.text):len(p.text)]
}
