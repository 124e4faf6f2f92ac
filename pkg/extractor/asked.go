package extractor

import (
	"github.com/thinkpipe/thinkpipe/pkg/jsonscan"
	"github.com/thinkpipe/thinkpipe/pkg/reasoning"
	"github.com/thinkpipe/thinkpipe/pkg/record"
	"github.com/thinkpipe/thinkpipe/pkg/response"
)

// known is what is known about an answer's thinking besides its text.
type known struct {
	thinking reasoning.Tri // whether it was switched on or off
	why      string        // the flag that says by what, "" when unknown
	open     reasoning.Tri // whether the prompt ends inside a thought
	server   string        // the flag that says what the server does to thinking, "" when unknown
}

// asked is what the archived request, the model's name and the server say.
func (x *Extractor) asked(r *response.Record, f *reasoning.Family) (k known) {
	k.thinking, k.why = switched(r.Request, f)
	if x.prompt = promptOf(r); x.prompt.Len() > 0 && f != nil {
		k.prompted(&x.prompt, f)
	}
	switch {
	case k.thinking != reasoning.No && x.softOff(r.Messages, f):
		k.thinking, k.why = reasoning.No, FlagOffSoft
	case k.thinking == reasoning.Unknown && f == nil && reasoning.NeverThinks(x.model):
		k.thinking, k.why = reasoning.No, FlagOffModel
	}
	k.served(&x.server, r)
	return k
}

// prompted reads the end of the rendered prompt.
func (k *known) prompted(prompt *jsonscan.Text, f *reasoning.Family) {
	k.open = f.Opened(prompt)
	if k.open == reasoning.No && endsWith(*prompt, f.Close) {
		k.thinking, k.why = reasoning.No, FlagOffPrompt
	}
}

// explain tells in the flags of s what was known about the thinking of a text,
// and what had to be assumed where that decided.
func (x *Extractor) explain(s *record.Sample, f *reasoning.Family, facts reasoning.Facts, k known) {
	for _, name := range [...]string{k.why, k.server} {
		if name != "" {
			flag(s, name)
		}
	}
	if f == nil {
		return
	}
	assumed := f.Assume(facts)
	if k.thinking == reasoning.Unknown && x.split.Status == reasoning.Absent {
		flag(s, offBy(f, assumed))
	}
	if x.opened() {
		flag(s, openedBy(k.open, assumed.PromptOpen))
	}
}

// opened reports whether the split text begins in a thought that no marker opens.
func (x *Extractor) opened() bool {
	return len(x.split.Segments) > 0 && x.split.Segments[0].Kind == reasoning.Thinking && !x.split.Has(reasoning.FlagNoOpener)
}

// openedBy is who opened the thought that a text begins in.
func openedBy(known, assumed reasoning.Tri) string {
	switch {
	case known == reasoning.Yes:
		return FlagOpenedPrompt
	case assumed == reasoning.Yes:
		return FlagOpenedTemplate
	}
	return FlagOpenedRules
}

// offBy is why a family is taken not to have thought, when nothing asked for that.
func offBy(f *reasoning.Family, assumed reasoning.Facts) string {
	if f.OffByDefault {
		return FlagOffDefault
	}
	return FlagOffModel
}

func triOf(b bool) reasoning.Tri {
	if b {
		return reasoning.Yes
	}
	return reasoning.No
}
