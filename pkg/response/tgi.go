package response

import "github.com/thinkpipe/thinkpipe/pkg/jsonscan"

// Text Generation Inference's /generate, alone or in a list, and its stream of
// tokens, whose last event repeats the whole text:
//
//	{"generated_text":"…","details":{"finish_reason":"eos_token","generated_tokens":26}}
//	{"token":{"id":1,"text":"…","special":false},"generated_text":null,"details":null}

func isTGI(v jsonscan.Value) bool {
	if v.Kind() == jsonscan.Array {
		v = v.Index(0)
	}
	return v.Get("generated_text").Kind() == jsonscan.String
}

func isTGIEvent(v jsonscan.Value) bool { return v.Get("token").Kind() == jsonscan.Object }

func readTGI(p *Parser, v jsonscan.Value) {
	if v.Kind() != jsonscan.Array {
		p.tgi(v, p.choice(0))
	}
	for n, e := range v.Elements() {
		p.tgi(e, p.choice(n))
	}
}

func (p *Parser) tgi(v jsonscan.Value, to sink) {
	to.add(Content, "generated_text", v.Get("generated_text").Text())
	p.tgiDetails(v.Get("details"), to)
}

func foldTGI(p *Parser, v jsonscan.Value) {
	j, token := p.joiner(0), v.Get("token")
	if special, _ := token.Get("special").Bool(); !special {
		j.add(Content, "generated_text", token.Get("text").Text())
	}
	p.tgiDetails(v.Get("details"), j)
	if v.Get("generated_text").Kind() == jsonscan.String {
		p.stream.done = true
	}
}

func (p *Parser) tgiDetails(v jsonscan.Value, to sink) {
	to.finish(v.Get("finish_reason"))
	p.rec.Usage.Completion = add(p.rec.Usage.Completion, count(v, []string{"generated_tokens"}))
}
