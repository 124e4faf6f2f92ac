package main

import (
	"github.com/thinkpipe/thinkpipe/pkg/check"
	"github.com/thinkpipe/thinkpipe/pkg/jsonl"
)

// failures remembers attempts that failed for good until it is known whether
// another line makes up for them. Of the first it keeps what was said, of the
// others 16 bytes: a server that was down fails millions.
type failures struct {
	told   []*failure
	answer map[uint64]uint64 // of all: hash of the answer, of the prompt
}

const toldFailures = 10_000

func (f *failures) add(x *failure) {
	if f.answer == nil {
		f.answer = map[uint64]uint64{}
	}
	if _, again := f.answer[x.answer]; again && x.prompt != 0 {
		return
	}
	f.answer[x.answer] = x.prompt
	if len(f.told) < toldFailures {
		f.told = append(f.told, x)
	}
}

// because is what was said of the failures of a prompt's answers, by prompt.
func (f *failures) because() map[uint64]string {
	m := map[uint64]string{}
	for _, x := range f.told {
		if m[x.prompt] == "" {
			m[x.prompt] = x.because
		}
	}
	return m
}

// settle tells the failures that nothing made up for, except those of prompts
// that are expected, which are told as prompts.
func (f *failures) settle(g *gate, account *check.Account) {
	for _, x := range f.told {
		if !account.Answered(x.answer) && !account.Expects(x.prompt) {
			g.missing(x.pos, x.id, x.sample, x.because, g.group([]byte(x.group)))
		}
		delete(f.answer, x.answer)
	}
	for answer, prompt := range f.answer {
		if !account.Answered(answer) && !account.Expects(prompt) {
			g.missing(jsonl.Pos{}, "", 0, "an attempt failed", nil)
		}
	}
}
