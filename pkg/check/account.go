package check

import (
	"fmt"
	"math"
)

// Account finds what shows only between records. It keeps about 25 bytes for
// each answer and for each expected prompt, and nothing for answers when no rule
// needs it: see [NewAccount].
type Account struct {
	policy  Policy
	samples int
	answers map[uint64]uint64  // of Digest.Answer, Slot or Request: Content, or why the key is there; nil when nobody asks
	prompts map[uint64]promise // of Digest.Prompt; nil when none are expected
	excess  map[uint64]bool    // of Digest.Request: more than the samples that are expected
	copies  map[uint64]bool    // of Digest.First and Content: answers but the first of each prompt
	model   []byte             // the first record's
	epoch   int                // the first known
	found   []Finding
}

// What stands in Account.answers for a key without an answer of its own.
const (
	occupied     = iota // a later turn was seen of this slot
	begun               // another choice was seen of this request
	firstContent        // contents are not below
)

// promise is an expected prompt.
type promise struct {
	line     uint32 // hash of it
	answers  uint16 // slots or, of several turns, turns that are filled, math.MaxUint16 for more
	requests uint16 // that have one of them
	turns    uint16 // of each sample
}

// MaxSamples is how many answers of a prompt may be wanted at most: samples, each
// with all its turns.
const MaxSamples = math.MaxUint16 - 1

// NewAccount returns an empty Account. Under a policy that does not look for
// duplicate-id, duplicate-answer and missing-response it does not remember
// answers, unless prompts are expected.
func NewAccount(p Policy) *Account {
	a := &Account{policy: p}
	for _, rule := range [...]string{duplicateID, duplicateAnswer, MissingResponse} {
		if p.Level(rule) != Off {
			a.answers = map[uint64]uint64{}
		}
	}
	return a
}

// ExpectOnly says that answers to other prompts than those of [Account.Expect]
// are wrong, even where that is never called, and how many samples are wanted
// of each, from 1 to [MaxSamples].
func (a *Account) ExpectOnly(samples int) {
	a.samples = samples
	a.answers, a.prompts, a.excess = map[uint64]uint64{}, map[uint64]promise{}, map[uint64]bool{}
}

// Expect adds a prompt, by the hashes of its id and of its line, of which turns
// turns are to be answered, from 1 on. It reports whether the id is new; same
// says that it is that of an equal line.
func (a *Account) Expect(prompt, line uint64, turns int) (fresh, same bool) {
	if p, ok := a.prompts[prompt]; ok {
		return false, p.line == uint32(line)
	}
	a.prompts[prompt] = promise{line: uint32(line), turns: uint16(min(turns, MaxSamples))}
	return true, false
}

// Expects reports whether a prompt is expected.
func (a *Account) Expects(prompt uint64) bool {
	_, ok := a.prompts[prompt]
	return ok
}

// TakeMissing is how many of the answers that are wanted a prompt still lacks,
// once: 0 afterwards. Every choice of a request is one; of several turns every
// turn of a sample.
func (a *Account) TakeMissing(prompt uint64) (n, of int) {
	p, ok := a.prompts[prompt]
	of = min(a.samples*int(p.turns), MaxSamples)
	n = of - int(p.answers)
	if !ok || n <= 0 {
		return 0, of
	}
	p.answers = uint16(of)
	a.prompts[prompt] = p
	return n, of
}

// Answered reports whether there was an answer to what [Digester.Answer] names.
func (a *Account) Answered(answer uint64) bool { return a.answers[answer] >= firstContent }

// Add takes the next answer, in order, and returns what is wrong with it beside
// those before; valid until the next call.
func (a *Account) Add(d *Digest) []Finding {
	a.found = a.found[:0]
	a.compareModel(d.Model)
	a.compareEpoch(d.Epoch)
	if d.Prompt == 0 || a.answers == nil {
		return a.found
	}
	if a.prompts != nil && !a.Expects(d.Prompt) {
		a.find(UnknownID, "none of the prompts has this id")
	}
	if !a.isRepeated(d) {
		a.compareSamples(d)
		newSlot, newRequest := a.keep(d)
		a.fulfil(d, newSlot, newRequest)
	}
	return a.found
}

// Replace takes an answer that is the whole of one before it, which the caller
// knows to have been cut: it is not counted again.
func (a *Account) Replace(d *Digest) []Finding {
	a.found = a.found[:0]
	a.compareModel(d.Model)
	a.compareEpoch(d.Epoch)
	if a.answers != nil {
		a.answers[d.Answer] = d.Content
	}
	return a.found
}

func (a *Account) isRepeated(d *Digest) bool {
	switch before := a.answers[d.Answer]; {
	case before < firstContent:
		return false
	case before == d.Content:
		a.find(duplicateAnswer, "the same text answered this before")
	default:
		a.find(duplicateID, "another text answered this before")
	}
	return true
}

// compareSamples finds a sample that is a copy of another one of its prompt. Of
// prompts that are asked once nothing is kept.
func (a *Account) compareSamples(d *Digest) {
	if d.Blank {
		return
	}
	const odd = 0x9E3779B97F4A7C15 // 2⁶⁴ over the golden ratio: spreads what is added
	key := d.First*odd + d.Content
	if a.copies[key] || d.First != d.Answer && a.answers[d.First] == d.Content {
		a.find(copiedSample, "another sample of this prompt has the same text")
	} else if d.First != d.Answer {
		if a.copies == nil {
			a.copies = map[uint64]bool{}
		}
		a.copies[key] = true
	}
}

// keep remembers an answer and reports whether it is the first of its slot and
// of its request.
func (a *Account) keep(d *Digest) (newSlot, newRequest bool) {
	_, known := a.answers[d.Request]
	if !known && d.Slot != d.Request && a.prompts != nil {
		a.answers[d.Request] = begun
	}
	before, taken := a.answers[d.Slot]
	newSlot = !taken || before == begun
	if newSlot {
		a.answers[d.Slot] = occupied
	}
	a.answers[d.Answer] = d.Content
	return newSlot, !known
}

// fulfil counts an answer for its prompt. Requests beyond the samples that are
// wanted are too many, all their choices and turns; choices of one never are.
func (a *Account) fulfil(d *Digest, newSlot, newRequest bool) {
	p, ok := a.prompts[d.Prompt]
	if !ok {
		return
	}
	if newRequest {
		p.requests = more(p.requests)
		if int(p.requests) > a.samples {
			a.excess[d.Request] = true
		}
	}
	if newSlot && p.turns == 1 || p.turns > 1 && d.Slot == d.Request && d.Turn < int(p.turns) {
		p.answers = more(p.answers)
	}
	a.prompts[d.Prompt] = p
	switch {
	case a.excess[d.Request]:
		a.find(UnknownID, fmt.Sprintf("one sample more than the %d that --samples expects", a.samples))
	case p.turns > 1 && d.Turn >= int(p.turns):
		a.find(UnknownID, fmt.Sprintf("turn %d, its prompt has %d from 0 on", d.Turn, p.turns))
	}
}

func more(n uint16) uint16 { return min(n, MaxSamples) + 1 }

func (a *Account) compareModel(model []byte) {
	switch {
	case len(model) == 0:
	case a.model == nil:
		a.model = append([]byte(nil), model...)
	case string(a.model) != string(model):
		a.find(mixedModels, fmt.Sprintf("model %.80q, first was %.80q", model, a.model))
	}
}

func (a *Account) compareEpoch(epoch int) {
	switch {
	case epoch == 0:
	case a.epoch == 0:
		a.epoch = epoch
	case a.epoch != epoch:
		a.find(mixedEpochs, fmt.Sprintf("server epoch %d, first was %d", epoch, a.epoch))
	}
}

func (a *Account) find(rule, detail string) {
	if f, ok := a.policy.Finding(rule, detail); ok {
		a.found = append(a.found, f)
	}
}
